// Pasted chat messages and links, as turns.

const SPOKEN = ["user", "assistant"];
const TEXT_PARTS = ["text", "input_text", "output_text"];

const textOf = (content) => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.filter((part) => TEXT_PARTS.includes(part?.type) && typeof part.text === "string").map((part) => part.text).join("\n");
};

/** The turns of pasted JSON up to the last of the user; null where it is no list of messages or strings. */
export function turnsFromJson(pasted) {
  let value;
  try { value = JSON.parse(pasted); } catch { return null; }
  const list = Array.isArray(value) ? value : value?.messages ?? value?.turns;
  if (!Array.isArray(list)) return null;
  if (list.every((each) => typeof each === "string")) return list;
  if (!list.every((each) => each && typeof each === "object" && typeof each.role === "string")) return null;
  const spoken = list.filter((each) => SPOKEN.includes(each.role));
  const last = spoken.findLastIndex((each) => each.role === "user");
  return spoken.slice(0, last + 1).map((each) => textOf(each.content)).filter((text) => text.trim());
}

/** The part of a link after its #, which holds the turns. */
export function fragmentOf(turns) {
  const bytes = new TextEncoder().encode(JSON.stringify(turns));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#d=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The turns of a fragment; undefined where there is none, null where it is broken. */
export function turnsFromFragment(fragment) {
  if (!fragment.startsWith("#d=")) return undefined;
  try {
    const binary = atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const turns = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return Array.isArray(turns) && turns.length && turns.every((turn) => typeof turn === "string") ? turns : null;
  } catch { return null; }
}
