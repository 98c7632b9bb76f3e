// Pasted chat messages and links, as turns.

// As in utterly.dialogues.conversation.
const USER = ["user", "human"];
const SPOKEN = [...USER, "assistant", "ai", "model", "chatbot"];
const TEXT_PARTS = ["text", "input_text", "output_text"];

const roleOf = (message) => message.role ?? message.type;

const partText = (part) => {
  if (typeof part === "string") return part;
  const isText = part?.type == null ? !part?.thought : TEXT_PARTS.includes(part.type);
  return isText && typeof part?.text === "string" ? part.text : null;
};

const textOf = ({ content, parts }) => {
  const value = content ?? parts;
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(partText).filter((text) => text != null).join("\n") : "";
};

/** The turns of pasted JSON up to the last of the user; null if it is not a list of messages or strings. */
export function turnsFromJson(pasted) {
  let value;
  try { value = JSON.parse(pasted); } catch { return null; }
  const list = Array.isArray(value) ? value : value?.messages ?? value?.turns;
  if (!Array.isArray(list)) return null;
  if (list.every((each) => typeof each === "string")) return list;
  if (!list.every((each) => each && typeof each === "object" && typeof roleOf(each) === "string")) return null;
  const spoken = list.filter((each) => SPOKEN.includes(roleOf(each)) && textOf(each).trim());
  const last = spoken.findLastIndex((each) => USER.includes(roleOf(each)));
  return spoken.slice(0, last + 1).map(textOf);
}

/** The part of a link after its #, which holds the turns. */
export function fragmentOf(turns) {
  const bytes = new TextEncoder().encode(JSON.stringify(turns));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#d=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The turns of a fragment; undefined if there is none, null if it is broken. */
export function turnsFromFragment(fragment) {
  if (!fragment.startsWith("#d=")) return undefined;
  try {
    const binary = atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const turns = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return Array.isArray(turns) && turns.length && turns.every((turn) => typeof turn === "string") ? turns : null;
  } catch { return null; }
}
