// The editor: who said what, turn by turn. A turn with Markdown is shown rendered and edited as text.

import { copiedFrom, fieldPlaces, inked, placeAt } from "./drawing.js";
import { at, button, directionOf, element } from "./elements.js";
import { rendered } from "./markdown.js";
import { say } from "./strings.js";

const LONG = 20_000; // characters; a longer turn is neither drawn nor marked, but scrolls in its field
const RELEASED = ["pointerup", "pointercancel"];

export let turns = []; // [{role, text}]
let before = []; // the turns before they were replaced or one was removed
let rows = [];
let tell = {}; // the page's callbacks: when turns change, and to show a notice
let isPressed = false;

export function startTurns(hooks) {
  tell = hooks;
  document.addEventListener("pointerdown", () => { isPressed = true; }, true);
  for (const event of RELEASED) document.addEventListener(event, () => { isPressed = false; }, true);
}

/** Show other turns, the last of them in view. */
export function load(loaded) {
  remember();
  turns = loaded.map(({ role, text }) => ({ role, text }));
  drawTurns();
  rows.at(-1).made.scrollIntoView({ block: "nearest" });
}

/** Save the turns, for undo. */
function remember() {
  before = structuredClone(turns);
  at("undo").hidden = !turns.some(({ text }) => text);
}

/** Undo: restore the saved turns. */
export function undo() {
  load(before);
  at("undo").hidden = true;
}

export function drawTurns(focus) {
  rows = turns.map(rowOf);
  at("turns").replaceChildren(...rows.map(({ made }) => made));
  rows[focus]?.area.focus();
  markCopied([]);
}

/** Mark the ranges that segments of a rewrite were copied from. */
export function markCopied(segments) {
  rows.forEach((row, i) => {
    const { text } = turns[i];
    const isLong = text.length > LONG;
    const stretches = isLong ? [] : copiedFrom(segments, i, text);
    const key = JSON.stringify(stretches) + text;
    if (row.key === key) return;
    row.key = key;
    const elements = isLong ? null : rendered(text, stretches);
    row.field.dir = directionOf(text);
    row.made.classList.toggle("long", isLong);
    row.made.classList.toggle("formatted", elements !== null);
    row.view.replaceChildren(...(elements ?? []));
    // A final line break is visible only if something follows it.
    row.mirror.replaceChildren(...(isLong ? [] : [...inked(text, stretches, 0, text.length), "\u200b"]));
  });
}

/** Switch the highlight of the range that a segment was copied from. */
export function lightTurn(turn, on) { rows[turn]?.made.classList.toggle("lit", on); }

export function selectIn(turn, characters) {
  const { area } = rows[turn];
  area.focus();
  area.setSelectionRange(...fieldPlaces(area.value, ...characters));
}

export function insert(i) {
  turns.splice(i, 0, { role: otherRole(turns[i - 1]?.role), text: "" });
  drawTurns(i);
  tell.changed();
}

const otherRole = (role) => (role === "user" ? "assistant" : "user");

function rowOf({ role, text }, i) {
  const isLast = i === turns.length - 1;
  const made = element("li", `turn ${role}${isLast ? " last" : ""}`);
  const field = element("div", "field");
  const [mirror, view] = [element("div", "mirror"), element("div", "view")];
  const area = element("textarea");
  for (const each of [mirror, view]) each.setAttribute("aria-hidden", "true"); // the text field says the same
  Object.assign(area, { value: text, rows: 1, placeholder: say.write, spellcheck: false });
  area.setAttribute("aria-label", (isLast ? say.lastTurn : say.turn)(i + 1, say[role]));
  area.addEventListener("input", () => { turns[i].text = area.value; tell.changed(); });
  area.addEventListener("keydown", (event) => onKey(event, i));
  area.addEventListener("paste", (event) => tell.pasted(event));
  area.addEventListener("focus", () => made.classList.add("editing"));
  area.addEventListener("blur", () => stopEditing(made));
  view.addEventListener("click", (event) => {
    if (!getSelection().isCollapsed) return; // the user is selecting text
    const place = placeAt(event) ?? area.value.length;
    area.focus();
    area.setSelectionRange(place, place);
  });
  field.append(mirror, area, view);
  made.append(headOf(role, i, isLast), toolsOf(i), field);
  return { made, field, area, mirror, view };
}

/** Only once the pointer is up: the turn may change its height, and the pressed button would move away. */
function stopEditing(made) {
  if (!isPressed) return made.classList.remove("editing");
  const stop = () => setTimeout(() => {
    if (!made.contains(document.activeElement)) made.classList.remove("editing");
  });
  for (const event of RELEASED) document.addEventListener(event, stop, { once: true });
}

function headOf(role, i, isLast) {
  const head = element("div", "who");
  const number = element("span", "number", String(i + 1));
  number.setAttribute("aria-hidden", "true");
  const switchRole = () => {
    turns[i].role = otherRole(role);
    drawTurns();
    rows[i].made.querySelector(".role").focus();
    tell.changed();
  };
  head.append(number, button("role", say[role], say.switchRole(i + 1, say[role], say[otherRole(role)]), switchRole));
  if (isLast) head.append(element("span", "badge", say.toRewrite));
  return head;
}

function toolsOf(i) {
  const tools = element("div", "turn-tools");
  const [up, down, off] = [
    button("icon", "↑", say.up(i + 1), () => move(i, -1)),
    button("icon", "↓", say.down(i + 1), () => move(i, 1)),
    button("icon", "×", say.remove(i + 1), () => remove(i)),
  ];
  up.disabled = i === 0;
  down.disabled = i === turns.length - 1;
  off.disabled = turns.length === 1;
  tools.append(up, down, off);
  return tools;
}

function onKey(event, i) {
  if (event.isComposing) return; // Enter confirms a character
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    insert(i + 1);
  } else if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) {
    event.preventDefault();
    move(i, event.key === "ArrowUp" ? -1 : 1);
  }
}

function move(i, by) {
  const to = i + by;
  if (to < 0 || to >= turns.length) return;
  [turns[i], turns[to]] = [turns[to], turns[i]];
  drawTurns(to);
  tell.notice(say.moved(to + 1));
  tell.changed();
}

function remove(i) {
  remember();
  turns.splice(i, 1);
  drawTurns(Math.min(i, turns.length - 1));
  tell.notice(say.removed(i + 1));
  tell.changed();
}
