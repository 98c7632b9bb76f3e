// Draws edits: the segments of a rewrite, and the ranges of the turns that they were copied from.

import { element } from "./elements.js";

const PLACES = new WeakMap(); // drawn text node -> where its text begins in the turn

/** The characters start to stop of a turn as nodes, with the ranges in it marked: [{start, stop, number}]. */
export function inked(text, stretches, start, stop) {
  const nodes = [];
  let reached = start;
  const draw = (to, number) => {
    if (reached >= to) return;
    const node = document.createTextNode(text.slice(reached, to));
    PLACES.set(node, reached);
    reached = to;
    if (number === undefined) return nodes.push(node);
    const mark = element("mark");
    mark.dataset.span = number;
    mark.append(node);
    nodes.push(mark);
  };
  for (const each of stretches) {
    draw(Math.min(each.start, stop));
    draw(Math.min(each.stop, stop), each.number);
  }
  draw(stop);
  return nodes;
}

/** The place in the turn of the text at a point of the window; undefined if there is none. */
export function placeAt({ clientX, clientY }) {
  const caret = document.caretPositionFromPoint?.(clientX, clientY);
  const range = caret ? null : document.caretRangeFromPoint?.(clientX, clientY);
  const begin = PLACES.get(caret?.offsetNode ?? range?.startContainer);
  return begin === undefined ? undefined : begin + (caret?.offset ?? range.startOffset);
}

/** The segments as elements; calls `link(button, number)` for each copied one. */
export function drawn(segments, say, link) {
  return segments.map((segment, number) => {
    if (segment.kind === "kept") return document.createTextNode(segment.text);
    if (segment.kind === "deleted") return element("del", "", segment.text);
    if (segment.kind === "rule") return element("ins", "rule", segment.text);
    const inserted = element("ins", "copied");
    const made = element("button", "span", segment.text);
    made.type = "button";
    made.setAttribute("aria-label", say.copiedFrom(segment.text, segment.turn + 1));
    made.dataset.span = number;
    link(made, number);
    inserted.append(made);
    return inserted;
  });
}

/** The ranges of one turn that were copied, in order and without overlap: [{start, stop, number}]. */
export function copiedFrom(segments, turn, text) {
  const found = [];
  segments.forEach((segment, number) => {
    if (segment.kind !== "copied" || segment.turn !== turn) return;
    const [start, stop] = fieldPlaces(text, ...segment.characters);
    found.push({ start, stop, number });
  });
  found.sort((left, right) => left.start - right.start || right.stop - left.stop);
  let reached = 0;
  return found.filter(({ start, stop }) => start >= reached && (reached = stop));
}

/** From code points, as Python counts, to UTF-16 units, as text fields do. */
export function fieldPlaces(text, start, stop) {
  let [place, point, first] = [0, 0, 0];
  for (const letter of text) {
    if (point === start) first = place;
    if (point === stop) break;
    place += letter.length;
    point += 1;
  }
  return [first, place];
}
