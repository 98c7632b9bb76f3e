"""Requests and responses. The OpenAPI description is generated from these classes."""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, WithJsonSchema, model_validator
from pydantic.config import JsonDict, JsonValue
from pydantic_core import PydanticCustomError

from utterly.dialogues.conversation import ASSISTANT_ROLES, SKIPPED_ROLES, TEXT_PARTS, USER_ROLES
from utterly.presets import Preset
from utterly.scripts.diff import SegmentKind

_FEDERER: Final[list[JsonValue]] = [
    "Why did Federer withdraw from the tournament?",
    "He injured his back in yesterday's match.",
    "Did he have any other injuries?",
]
_TEXT_PART: Final = {
    "if": {"properties": {"type": {"enum": list(TEXT_PARTS)}}, "required": ["type"]},
    "then": {"properties": {"text": {"type": "string"}}, "required": ["text"]},
    "else": {
        "if": {"properties": {"type": {"type": "null"}}},  # absent too
        "then": {"properties": {"text": {"type": ["string", "null"]}}},
    },
}
_PARTS: Final = {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object", **_TEXT_PART}]}}
_CONTENT: Final = {"anyOf": [{"type": "string"}, _PARTS]}


def _from_role(*roles: str) -> JsonDict:
    """A message with one of these roles as its `role` or, without that, as its `type` (LangChain)."""
    named: list[JsonValue] = list(roles)
    return {
        "anyOf": [
            {"properties": {"role": {"enum": named}}, "required": ["role"]},
            {"properties": {"type": {"enum": named}}, "required": ["type"], "not": {"required": ["role"]}},
        ]
    }


def _with_content(otherwise: dict[str, Any]) -> dict[str, Any]:
    """A message with text in `content`; `otherwise` if it has no content."""
    return {
        "if": {"properties": {"content": {"not": {"type": "null"}}}, "required": ["content"]},
        "then": {"properties": {"content": _CONTENT}},
        "else": otherwise,
    }


_FROM_USER: Final = _from_role(*USER_ROLES)
_MESSAGE: Final = {
    "type": "object",
    "title": "Message",
    "description": "A chat message of OpenAI, Anthropic, Gemini or LangChain. Other fields are ignored.",
    "properties": {
        "role": {
            "enum": [*USER_ROLES, *ASSISTANT_ROLES, *SKIPPED_ROLES],
            "description": "Who wrote it. Messages of user and assistant are read, others skipped.",
        },
        "content": {"description": "The text, or a list of parts; only parts with text are read."},
        "parts": {"description": "Gemini's name for the content."},
    },
    "anyOf": [{"required": ["role"]}, {"properties": {"type": {"type": "string"}}, "required": ["type"]}],
    "allOf": [
        {"if": _FROM_USER, "then": _with_content({"properties": {"parts": _CONTENT}, "required": ["parts"]})},
        {
            "if": _from_role(*ASSISTANT_ROLES),
            "then": _with_content({"properties": {"parts": {"anyOf": [_CONTENT, {"type": "null"}]}}}),
        },
    ],
}

_Text = Annotated[str, Field(strict=True)]
_Message = Annotated[dict[str, Any], Field(strict=True), WithJsonSchema(_MESSAGE)]


def _whole(value: object) -> object:
    """In JSON, 3.0 is a whole number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Response(BaseModel):
    model_config = ConfigDict(frozen=True)


class DialogueRequest(_Request):
    """A dialogue: either `turns` or `messages`."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [{"required": ["turns"]}, {"required": ["messages"]}],
            "examples": [{"turns": _FEDERER}],
        }
    )

    turns: Annotated[list[_Text], FailFast(), Field(min_length=1)] = Field(
        default_factory=list,
        description="The turns, oldest first. The last one is rewritten.",
        examples=[_FEDERER],
    )
    messages: Annotated[list[_Message], FailFast(), Field(min_length=1)] = Field(
        default_factory=list,
        description="The same as chat messages. The last user message is rewritten; later messages, instructions "
        "and tool messages are skipped.",
        json_schema_extra={"contains": _FROM_USER},
        examples=[[{"role": "user", "content": "Who is Federer?"}, {"role": "user", "content": "Is he Swiss?"}]],
    )

    @model_validator(mode="after")
    def _has_one_of_both(self) -> Self:
        given = sorted(self.model_fields_set & {"turns", "messages"})
        if len(given) != 1:
            came = " and ".join(given) or "neither"
            raise PydanticCustomError("one_of_both", "have either turns or messages", {"came": came})
        return self


class _OptionsRequest(_Request):
    n_best: Annotated[int, Field(strict=True), BeforeValidator(_whole)] = Field(
        1, ge=1, description="Number of rewrites; those after the first are `alternatives`."
    )
    preset: Preset | None = Field(
        None,
        description="How readily to rewrite, as a `min_confidence`: "
        + ", ".join(f"`{preset}` is {preset.min_confidence:g}" for preset in Preset)
        + ". If both are given, the higher counts; if neither is, the model has its own (`GET /v1/models`).",
    )
    min_confidence: Annotated[float, Field(strict=True)] | None = Field(
        None, ge=0, le=1, description="Hold back a rewrite below this confidence: return the turn, with `abstained`."
    )
    search: Annotated[bool, Field(strict=True)] = Field(
        False, description="Also return `search_query` and `terms`: context words that may improve a search."
    )
    model: _Text | None = Field(
        None,
        description="A model of `GET /v1/models`, for any language. Default: by the language of the text; in a "
        "language that no model knows, the turn comes back unchanged, with a `reason`.",
    )


class RewriteRequest(DialogueRequest, _OptionsRequest):
    """A dialogue whose last turn is rewritten, and options."""


class BatchRequest(_OptionsRequest):
    """Dialogues to rewrite with the same options."""

    dialogues: Annotated[list[DialogueRequest], FailFast(), Field(min_length=1)] = Field(
        description="The dialogues; `answers` are in the same order.",
        examples=[[{"turns": _FEDERER}, {"turns": ["罗志祥演过什么", "他演过海派甜心", "还有吗"]}]],
    )


class SpanResponse(_Response):
    """Words copied from the context. Turns, words and characters count from 0; ranges are half-open."""

    turn: int = Field(description="The turn. Of messages, only those of user and assistant with text count.")
    words: tuple[int, int] = Field(description="The first word in the turn, and the one after the last.")
    characters: tuple[int, int] = Field(description="The same in Unicode code points.")
    text: str = Field(description="The words as written there.")


class EditResponse(_Response):
    """What was changed at one word of the turn, or at its end."""

    word: int = Field(description="The index of the word; after the last word, the end of the turn.")
    text: str | None = Field(description="That word; null at the end.")
    keep: bool = Field(description="False if the word was deleted.")
    insert: str = Field(description="What was inserted before it.")
    rule: list[str | None] = Field(description="The rule used: words, and null for each slot.")
    spans: list[SpanResponse] = Field(description="What fills the slots, in order.")


class SegmentResponse(_Response):
    """A piece of the rewrite, or a deleted one. Joined without the deleted ones, segments are the rewrite."""

    kind: SegmentKind = Field(description="`kept` or `deleted`, inserted by a `rule`, or `copied` from the context.")
    text: str
    turn: int | None = Field(None, description="The turn it was copied from.")
    characters: tuple[int, int] | None = Field(None, description="Its characters there, half-open, from 0.")


class AlternativeResponse(_Response):
    """Another way to rewrite the turn."""

    text: str
    confidence: float = Field(ge=0, le=1)


class TermResponse(_Response):
    """A context word that the rewrite lacks and that may improve a search. Indices are from 0."""

    text: str
    turn: int = Field(description="The turn, as in a span.")
    word: int = Field(description="The word in the turn.")
    probability: float = Field(ge=0, le=1, description="The probability that the turn leaves this word out.")


class RewriteResult(_Response):
    """A rewritten turn, and what was changed."""

    text: str = Field(description="The rewrite, to search with; the turn itself if nothing changed.")
    source: str = Field(description="The turn as given, to show and to answer.")
    changed: bool = Field(description="Whether the two differ.")
    confidence: float = Field(
        ge=0,
        le=1,
        description="The estimated probability that the rewrite helps rather than harms; for `zh`, that a person would "
        "write exactly the same. For ranking and for a threshold.",
    )
    abstained: bool = Field(description="Whether a rewrite was held back because its confidence was too low.")
    reason: str | None = Field(description="Why the turn is unchanged, if the model did not decide that.")
    model: str = Field(description="The model that answered; empty if none knows the language.")
    language: str = Field(description="The language of the dialogue, in BCP 47.", examples=["en"])
    edits: list[EditResponse] = Field(description="The edits that change something, in order.")
    alternatives: list[AlternativeResponse] = Field(
        description="The rewrite that was held back, if any; then others, best first, if `n_best` is above 1."
    )
    search_query: str | None = Field(
        None, description="With `search`: the rewrite, and the first term if it is likely."
    )
    terms: list[TermResponse] | None = Field(None, description="With `search`: the most probable first.")


class RewriteResponse(RewriteResult):
    """A rewritten turn, what was changed, and how to draw it."""

    segments: list[SegmentResponse] = Field(description="The edits as a diff to draw, from left to right.")


class BatchResponse(_Response):
    """A rewrite per dialogue, in the same order."""

    answers: list[RewriteResponse]


class ModelResponse(_Response):
    """A model of this server."""

    name: str
    language: str
    tagger: str = Field(description="The kind of its tagger: hct, mst or rast.")
    min_confidence: float = Field(description="Its threshold for requests that set none.")


class ModelsResponse(_Response):
    """All models of this server."""

    models: list[ModelResponse]
    version: str = Field(description="The version of Utterly.")


class HealthResponse(_Response):
    """A healthy server."""

    status: Literal["ok"]


class FieldErrorResponse(_Response):
    """What is wrong with one field."""

    at: str = Field(description="Its place in the body, such as `turns.2`.")
    must: str = Field(description="What must hold.")
    came: str = Field(description="The type of what was given, never the text itself.")


class ProblemResponse(_Response):
    """Why a request failed (RFC 9457)."""

    type: str = Field(description="Where this type of problem is described.")
    title: str
    status: int
    detail: str = Field(description="What must hold, what was given, and what to do.")
    code: str = Field(description="The type of problem, for programs.")
    errors: list[FieldErrorResponse] = Field(description="Each field that does not fit.")
    request_id: str = Field(description="As in the header X-Request-ID and in the server's log.")
