"""What requests and answers look like. These classes are the API's description too."""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, WithJsonSchema, model_validator
from pydantic.config import JsonDict, JsonValue
from pydantic_core import PydanticCustomError

from utterly.dialogues.conversation import ASSISTANT_ROLES, CONTENT_FIELDS, SKIPPED_ROLES, TEXT_PARTS, USER_ROLES

_FEDERER: Final[list[JsonValue]] = [
    "Why did Federer withdraw from the tournament?",
    "He injured his back in yesterday's match.",
    "Did he have any other injuries?",
]
_ONE_OF_BOTH: Final[list[JsonValue]] = [{"required": ["turns"]}, {"required": ["messages"]}]
_TEXT_PART: Final = {
    "if": {"properties": {"type": {"enum": list(TEXT_PARTS)}}, "required": ["type"]},
    "then": {"properties": {"text": {"type": "string"}}, "required": ["text"]},
    "else": {
        "if": {"properties": {"type": {"type": "null"}}},  # absent too
        "then": {"properties": {"text": {"type": ["string", "null"]}}},
    },
}
_PARTS: Final = {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object", **_TEXT_PART}]}}


def _one_of(*roles: str) -> JsonDict:
    """A message from one of these roles, which is its `role`, or its `type` if it has none, as in LangChain."""
    named: list[JsonValue] = list(roles)
    return {
        "anyOf": [
            {"properties": {"role": {"enum": named}}, "required": ["role"]},
            {"properties": {"type": {"enum": named}}, "required": ["type"], "not": {"required": ["role"]}},
        ]
    }


def _text_in(*types: dict[str, Any]) -> dict[str, Any]:
    """Content of one of these types, in any of the fields that may hold it."""
    return {"properties": {field: {"anyOf": list(types)} for field in CONTENT_FIELDS}}


_MESSAGE: Final = {
    "type": "object",
    "title": "Message",
    "description": "A chat message of OpenAI, Anthropic, Gemini or LangChain. Other fields are ignored.",
    "properties": {
        "role": {
            "enum": [*USER_ROLES, *ASSISTANT_ROLES, *SKIPPED_ROLES],
            "description": "Who says it. Messages of user and assistant are read, others are skipped.",
        },
        "content": {"description": "The text, or parts of which those with text are read."},
        "parts": {"description": "Gemini's name for the content."},
    },
    "anyOf": [{"required": ["role"]}, {"properties": {"type": {"type": "string"}}, "required": ["type"]}],
    "allOf": [
        {
            "if": _one_of(*USER_ROLES),
            "then": {
                **_text_in({"type": "string"}, _PARTS),
                "anyOf": [{"required": [field]} for field in CONTENT_FIELDS],
            },
        },
        {
            "if": _one_of(*ASSISTANT_ROLES),
            "then": _text_in({"type": "string"}, _PARTS, {"type": "null"}),
        },
    ],
}
_LAST: Final = _one_of(*USER_ROLES)

Text = Annotated[str, Field(strict=True)]
Message = Annotated[dict[str, Any], Field(strict=True), WithJsonSchema(_MESSAGE)]


def _whole(value: object) -> object:
    """JSON knows one kind of number: 3.0 is whole too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True)


class DialogueRequest(_Request):
    """A dialogue: either `turns` or `messages`."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": _ONE_OF_BOTH,
            "examples": [{"turns": _FEDERER}],
        }
    )

    turns: Annotated[list[Text], FailFast(), Field(min_length=1)] = Field(
        default_factory=list,
        description="What was said, oldest first. The last turn is rewritten.",
        examples=[_FEDERER],
    )
    messages: Annotated[list[Message], FailFast(), Field(min_length=1)] = Field(
        default_factory=list,
        description="The same as chat messages. The last message of the user is rewritten; "
        "what comes after it, instructions and tool messages are passed over.",
        json_schema_extra={"contains": _LAST},
        examples=[[{"role": "user", "content": "Who is Federer?"}, {"role": "user", "content": "Is he Swiss?"}]],
    )

    @model_validator(mode="after")
    def _has_one_of_both(self) -> Self:
        given = sorted(self.model_fields_set & {"turns", "messages"})
        if len(given) != 1:
            came = " and ".join(given) or "neither"
            raise PydanticCustomError("one_of_both", "have either turns or messages", {"came": came})
        return self


class _Wishes(_Request):
    n_best: Annotated[int, Field(strict=True), BeforeValidator(_whole)] = Field(
        1, ge=1, description="How many ways to rewrite to give; those after the first come as `alternatives`."
    )
    min_confidence: Annotated[float, Field(strict=True)] = Field(
        0.0, ge=0, le=1, description="Under this confidence the turn comes back as it is, and `abstained` is true."
    )
    model: Annotated[str, Field(strict=True)] | None = Field(
        None, description="A model of `GET /v1/models`; without one it is chosen by the text's language."
    )


class RewriteRequest(DialogueRequest, _Wishes):
    """A dialogue whose last turn is to be rewritten, and how."""


class BatchRequest(_Wishes):
    """Dialogues that are rewritten with the same wishes."""

    dialogues: Annotated[list[DialogueRequest], FailFast(), Field(min_length=1)] = Field(
        description="The dialogues; answers come in their order.",
        examples=[[{"turns": _FEDERER}, {"turns": ["罗志祥演过什么", "他演过海派甜心", "还有吗"]}]],
    )


class SpanAnswer(_Answer):
    """Words of the context that were copied. Turns, words and characters count from 0; ranges are half-open."""

    turn: int = Field(description="The turn; for messages, counted among those of user and assistant that have text.")
    words: tuple[int, int] = Field(description="First word of the turn, and the one after the last.")
    characters: tuple[int, int] = Field(description="The same in Unicode code points of the turn.")
    text: str = Field(description="What was copied, as it stands there.")


class EditAnswer(_Answer):
    """What was done at one word of the turn, or at its end."""

    word: int = Field(description="The word, from 0; as many as the turn has words stands for its end.")
    text: str | None = Field(description="That word; null at the end.")
    keep: bool = Field(description="Whether the word stays.")
    insert: str = Field(description="What is put before it.")
    rule: list[str | None] = Field(description="The rule that did it: words, and null for each slot.")
    spans: list[SpanAnswer] = Field(description="What fills the slots, in order.")


class SegmentAnswer(_Answer):
    """A stretch of the rewrite, or of what was deleted. All but the deleted, joined, are the rewrite."""

    kind: Literal["kept", "deleted", "rule", "copied"] = Field(
        description="`kept` or `deleted` from the turn, inserted by a `rule`, or `copied` from the context."
    )
    text: str
    turn: int | None = Field(None, description="Where it was copied from.")
    characters: tuple[int, int] | None = Field(None, description="Its characters there, half-open, from 0.")


class AlternativeAnswer(_Answer):
    """Another way to rewrite the turn."""

    text: str
    confidence: float = Field(ge=0, le=1)


class RewriteAnswer(_Answer):
    """A turn as it reads on its own, and what was done to it."""

    text: str = Field(description="The rewrite; the turn itself where nothing was changed.")
    source: str = Field(description="The turn as it came.")
    changed: bool = Field(description="Whether the two differ.")
    confidence: float = Field(ge=0, le=1, description="How sure the model is of its rewrite.")
    abstained: bool = Field(description="Whether the rewrite was held back, being under `min_confidence`.")
    reason: str | None = Field(description="Why the turn stayed as it is without the model's word, or against it.")
    model: str = Field(description="The model that answered.")
    edits: list[EditAnswer] = Field(description="The edits that change something, in order.")
    segments: list[SegmentAnswer] = Field(description="The same to be drawn, from left to right.")
    alternatives: list[AlternativeAnswer] = Field(description="Other ways, best first, where `n_best` asked for them.")


class BatchAnswer(_Answer):
    """An answer a dialogue, in their order."""

    answers: list[RewriteAnswer]


class ModelAnswer(_Answer):
    """A model that can be asked."""

    name: str
    language: str
    tagger: str = Field(description="The kind of its tagger: hct, mst or rast.")


class ModelsAnswer(_Answer):
    """All models of this server."""

    models: list[ModelAnswer]
    version: str = Field(description="The version of Utterly.")


class HealthAnswer(_Answer):
    """A server that can be asked."""

    status: Literal["ok"]


class FieldProblem(_Answer):
    """What is wrong with one field."""

    at: str = Field(description="Its place in the body, as in `turns.2`.")
    must: str = Field(description="What must hold.")
    came: str = Field(description="What came, by its kind; never the text itself.")


class ProblemAnswer(_Answer):
    """Why a request was not answered as asked (RFC 9457)."""

    type: str = Field(description="Where this kind of problem is described.")
    title: str
    status: int
    detail: str = Field(description="What must hold, what came, and what to do.")
    code: str = Field(description="The kind of problem, for programs.")
    errors: list[FieldProblem] = Field(description="Each wrong field, where the request does not fit.")
    request_id: str = Field(description="As in the header X-Request-ID, and in the server's log.")
