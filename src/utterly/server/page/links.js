// A dialogue in a link: after its #, which browsers do not send.

import { alternating } from "./messages.js";

const LONGEST = 30_000; // characters; browsers, mail and chats may cut longer links

/** The part of a link after its #, with the turns; null if it would be too long. */
export function fragmentOf(turns) {
  const texts = turns.map(({ text }) => text);
  const isUsual = alternating(texts).every(({ role }, i) => role === turns[i].role);
  const bytes = new TextEncoder().encode(JSON.stringify(isUsual ? texts : turns));
  if (bytes.length > LONGEST) return null;
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#d=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The turns of a fragment; undefined if there is none, null if it is broken. */
export function turnsFromFragment(fragment) {
  if (!fragment.startsWith("#d=")) return undefined;
  try {
    const binary = atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const held = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!Array.isArray(held) || !held.length) return null;
    if (held.every((each) => typeof each === "string")) return alternating(held);
    const areTurns = held.every((each) => ["user", "assistant"].includes(each?.role) && typeof each.text === "string");
    return areTurns ? held.map(({ role, text }) => ({ role, text })) : null;
  } catch { return null; }
}
