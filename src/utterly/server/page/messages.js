// Reads a pasted chat as turns: messages in JSON, or a transcript with the speaker before each turn.

// As in utterly.dialogues.conversation.
const ROLES = { user: "user", human: "user", assistant: "assistant", ai: "assistant", model: "assistant", chatbot: "assistant" };
const TEXT_PARTS = ["text", "input_text", "output_text"];

// Names of speakers in a transcript, which uses one row and one name for each speaker.
const SPEAKERS = [
  {
    user: ["user", "human", "you said", "you", "me", "customer", "用户", "我", "人类", "客户"],
    assistant: ["assistant", "ai", "bot", "chatbot", "chatgpt said", "chatgpt", "claude", "gemini", "model", "agent", "助手", "助理", "机器人", "模型", "客服"],
    system: ["system", "系统"],
  },
  { user: ["q", "question", "问", "问题"], assistant: ["a", "answer", "答", "回答"] },
];
const SPEAKER = /^[\s>#*_-]{0,9}([\p{L} ]{1,14}?)[*_ ]{0,3}[:：][*_]{0,3}(.*)$/u;

/** Texts as alternating turns of user and assistant; the last is the user's. */
export function alternating(texts) {
  return texts.map((text, i) => ({ role: (texts.length - i) % 2 ? "user" : "assistant", text }));
}

/** The pasted turns, up to the user's last; null if they are neither messages nor a transcript. */
export function turnsFromPasted(pasted) {
  let value;
  try { value = JSON.parse(pasted.trim()); } catch { return fromTranscript(pasted); }
  return fromMessages(Array.isArray(value) ? value : value?.messages ?? value?.turns);
}

function fromMessages(list) {
  if (!Array.isArray(list)) return null;
  if (list.every((each) => typeof each === "string")) return alternating(list);
  const messages = list.map((each) => (isPair(each) ? { role: each[0], content: each[1] } : each));
  if (!messages.every((each) => typeof roleOf(each) === "string")) return null;
  return upToUser(messages.map((each) => ({ role: ROLES[roleOf(each)], text: textOf(each) })));
}

const isPair = (entry) => Array.isArray(entry) && entry.length === 2 && typeof entry[0] === "string";

const roleOf = (message) => message?.role ?? message?.type;

function textOf({ content, parts, texts }) {
  const value = content ?? parts ?? texts;
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(partText).filter((text) => text != null).join("\n") : "";
}

function partText(part) {
  if (typeof part === "string") return part;
  const isText = part?.type == null ? !part?.thought : TEXT_PARTS.includes(part.type);
  return isText && typeof part?.text === "string" ? part.text : null;
}

/** A line that begins with a speaker and a colon starts a turn: `User: Hello`, `**助手**：你好`. */
function fromTranscript(pasted) {
  const turns = [];
  const names = {};
  let speakers;
  for (const line of pasted.split(/\r?\n/)) {
    const [, name, text] = SPEAKER.exec(line) ?? [];
    speakers ??= SPEAKERS.find((each) => roleIn(each, name));
    const role = speakers && roleIn(speakers, name);
    if (role && (names[role] ??= name) === name) turns.push({ role, text });
    else if (turns.length) turns.at(-1).text += `\n${line}`;
  }
  return speakers ? upToUser(turns.map(({ role, text }) => ({ role, text: text.trim() }))) : null;
}

const roleIn = (speakers, name) => Object.keys(speakers).find((role) => speakers[role].includes(name?.toLowerCase()));

function upToUser(turns) {
  const spoken = turns.filter(({ role, text }) => ["user", "assistant"].includes(role) && text.trim());
  return spoken.slice(0, spoken.findLastIndex(({ role }) => role === "user") + 1);
}
