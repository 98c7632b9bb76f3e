// A rewrite drawn: its segments in the result, and where they were copied from in the turns.

const element = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

/** Text of which some stretches, in code points as Python counts them, are marked: [{start, stop, number}]. */
export function marked(text, stretches) {
  const letters = Array.from(text);
  const parts = [];
  let at = 0;
  for (const { start, stop, number } of [...stretches].sort((left, right) => left.start - right.start)) {
    if (start < at) continue; // within one that is marked already
    parts.push(document.createTextNode(letters.slice(at, start).join("")));
    const mark = element("mark", "", letters.slice(start, stop).join(""));
    mark.dataset.span = number;
    parts.push(mark);
    at = stop;
  }
  // A last line break shows only with something after it.
  parts.push(document.createTextNode(`${letters.slice(at).join("")}\u200b`));
  return parts;
}

/** The segments as elements; `link(button, number)` is told of each that was copied. */
export function drawn(segments, say, link) {
  return segments.map((segment, number) => {
    if (segment.kind === "kept") return document.createTextNode(segment.text);
    if (segment.kind === "deleted") return element("del", "", segment.text);
    if (segment.kind === "rule") return element("ins", "rule", segment.text);
    const inserted = element("ins", "copied");
    const button = element("button", "span", segment.text);
    button.type = "button";
    button.setAttribute("aria-label", say.copiedFrom(segment.text, segment.turn + 1));
    button.dataset.span = number;
    link(button, number);
    inserted.append(button);
    return inserted;
  });
}

/** The stretches of each turn that were copied: {turn: [{start, stop, number}]}. */
export function copiedByTurn(segments) {
  const found = {};
  segments.forEach((segment, number) => {
    if (segment.kind !== "copied") return;
    const [start, stop] = segment.characters;
    const here = (found[segment.turn] ??= []);
    const same = here.find((each) => each.start === start && each.stop === stop);
    if (!same) here.push({ start, stop, number });
  });
  return found;
}

/** UTF-16 places, as text fields count, of code points, as Python does. */
export function fieldPlaces(text, start, stop) {
  const letters = Array.from(text);
  const before = letters.slice(0, start).join("").length;
  return [before, before + letters.slice(start, stop).join("").length];
}

export { element };
