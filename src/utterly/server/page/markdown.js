// Draws Markdown as chat models write it. The elements know their place in the text, to mark copied ranges in them.
// No string becomes HTML, nothing is loaded and there are no links: tags, images and addresses stay text.

import { inked } from "./drawing.js";
import { element } from "./elements.js";

const MOST_LEVELS = 8; // of nesting; deeper markup stays as written
const FENCE = /^ *(`{3,}|~{3,}) *[^\s`]* *$/; // perhaps with the name of a language
const HEADING = /^ {0,3}#{1,6} +(?=\S)/;
const BREAK = /^ {0,3}([-*_])( *\1){2,} *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)(?:[-*+•]|(\d{1,9})[.)])[ \t]+(?=\S)/;
const DIVIDER = /^ *\|?( *:?-+:? *\|)+( *:?-+:? *)?$/;
const EMPHASIS = [["**", "strong"], ["__", "strong"], ["~~", "s"], ["*", "em"], ["_", "em"]];

/** The elements of a turn, with the ranges marked; null if it has no markup. */
export function rendered(text, stretches) {
  let isPlain = true;
  const ink = (start, stop) => inked(text, stretches, start, stop);
  const made = (name, className, children) => {
    isPlain = false;
    const one = element(name, className);
    one.append(...children);
    return one;
  };

  const lines = [];
  for (let start = 0; start <= text.length; start = lines.at(-1).stop + 1) {
    const end = text.indexOf("\n", start);
    lines.push({ start, stop: end < 0 ? text.length : end });
  }
  const nodes = blocks(lines, 0);
  return isPlain ? null : nodes;

  // --- blocks: each removes its lines, {start, stop} in the text, from the front of `rest`

  function blocks(all, level) {
    const rest = [...all];
    const found = [];
    while (rest.length) {
      if (!read(rest[0]).trim()) rest.shift();
      else found.push(block(rest, level));
    }
    return found;
  }

  function block(rest, level) {
    const line = read(rest[0]);
    if (level === MOST_LEVELS) return paragraph(rest, () => false);
    if (FENCE.test(line)) return fence(rest);
    if (HEADING.test(line)) return made("p", "heading", inline(after(rest.shift(), HEADING.exec(line)[0].length)));
    if (BREAK.test(line)) return rest.shift() && made("hr", "", []);
    if (QUOTE.test(line)) return quote(rest, level);
    if (ITEM.test(line)) return list(rest, level);
    if (isTable(rest)) return table(rest);
    return paragraph(rest, (next) => [FENCE, HEADING, BREAK, QUOTE, ITEM].some((each) => each.test(next)));
  }

  function paragraph(rest, ends) {
    const one = element("p");
    do {
      if (one.firstChild) one.append(element("br"));
      one.append(...inline(rest.shift()));
    } while (rest.length && read(rest[0]).trim() && !ends(read(rest[0])) && !isTable(rest));
    return one;
  }

  function fence(rest) {
    const [, sign] = FENCE.exec(read(rest.shift()));
    const shown = [];
    while (rest.length && !read(rest[0]).trim().startsWith(sign)) {
      const { start, stop } = rest.shift();
      shown.push(...ink(start, Math.min(stop + 1, text.length)));
    }
    rest.shift();
    return made("pre", "", [made("code", "", shown)]);
  }

  function quote(rest, level) {
    const inner = [];
    while (rest.length && QUOTE.test(read(rest[0]))) inner.push(after(rest[0], QUOTE.exec(read(rest.shift()))[0].length));
    return made("blockquote", "", blocks(inner, level + 1));
  }

  function list(rest, level) {
    const [, , number] = ITEM.exec(read(rest[0]));
    const one = made(number ? "ol" : "ul", "", []);
    if (number) one.start = number;
    const [outer] = indents(rest[0]);
    for (let match; rest.length && (match = ITEM.exec(read(rest[0]))) && Boolean(match[2]) === Boolean(number);) {
      if (match[1].length < outer) break;
      const [own, content] = indents(rest[0]);
      const inner = [after(rest.shift(), content)];
      while (rest.length && belongs(rest, own)) inner.push(after(rest[0], Math.min(indent(rest.shift()), content)));
      one.append(made("li", "", blocks(inner, level + 1)));
      while (rest.length > 1 && !read(rest[0]).trim() && ITEM.test(read(rest[1]))) rest.shift();
    }
    return one;
  }

  /** Whether the next line belongs to a list item: it is indented more, or blank before such a line. */
  function belongs(rest, own) {
    const next = rest.findIndex((line) => read(line).trim());
    return next >= 0 && next < 3 && indent(rest[next]) > own;
  }

  function isTable(rest) {
    return rest.length > 1 && read(rest[0]).includes("|") && DIVIDER.test(read(rest[1]));
  }

  function table(rest) {
    const row = (line, kind) => made("tr", "", cells(line).map((cell) => made(kind, "", inline(cell))));
    const head = made("thead", "", [row(rest.shift(), "th")]);
    rest.shift();
    const body = made("tbody", "", []);
    while (rest.length && read(rest[0]).includes("|")) body.append(row(rest.shift(), "td"));
    const wide = made("div", "table", [made("table", "", [head, body])]);
    wide.tabIndex = -1; // it scrolls, but the keyboard goes to the text field instead
    return wide;
  }

  /** The places between the bars of a row. */
  function cells(line) {
    const row = read(line);
    const bars = [...row.matchAll(/\\.|\|/g)].filter(([sign]) => sign === "|").map(({ index }) => index);
    if (row.slice(0, bars[0]).trim()) bars.unshift(-1);
    if (row.slice(bars.at(-1) + 1).trim()) bars.push(row.length);
    return bars.slice(1).map((bar, i) => {
      const cell = row.slice(bars[i] + 1, bar);
      const start = line.start + bars[i] + 1 + cell.length - cell.trimStart().length;
      return { start, stop: start + cell.trim().length };
    });
  }

  function read({ start, stop }) { return text.slice(start, stop); }
  function after({ start, stop }, characters) { return { start: Math.min(start + characters, stop), stop }; }
  function indent(line) { return /^ */.exec(read(line))[0].length; }
  function indents(line) { const match = ITEM.exec(read(line)); return [match[1].length, match[0].length]; }

  // --- within a line

  function inline({ start, stop }, level = 0) {
    const line = text.slice(start, stop);
    const unclosed = new Set(); // markers that do not recur in this line
    const found = [];
    let [from, i] = [0, 0];
    while (i < line.length) {
      const next = level < MOST_LEVELS ? code() ?? link() ?? emphasis() ?? escaped() : null;
      if (next) {
        found.push(...ink(start + from, start + i), next.node);
        from = i = next.stop;
      } else i += 1;
    }
    return [...found, ...ink(start + from, stop)];

    function inside(first, last) { return inline({ start: start + first, stop: start + last }, level + 1); }

    function find(sign, place) {
      const index = unclosed.has(sign) ? -1 : line.indexOf(sign, place);
      if (index < 0) unclosed.add(sign);
      return index;
    }

    function code() {
      if (line[i] !== "`") return null;
      const [ticks] = /^`+/.exec(line.slice(i, i + MOST_LEVELS));
      const first = i + ticks.length;
      const last = find(ticks, first);
      return last > first ? { node: made("code", "", ink(start + first, start + last)), stop: last + ticks.length } : null;
    }

    function link() {
      const first = i + (line[i] === "!" ? 2 : 1);
      if (line[first - 1] !== "[") return null;
      const last = find("](", first);
      const stop = last < 0 ? -1 : find(")", last);
      if (stop < 0 || line.lastIndexOf("[", last) >= first) return null;
      const node = made("span", "link", inside(first, last));
      node.title = line.slice(last + 2, stop);
      return { node, stop: stop + 1 };
    }

    function emphasis() {
      const [sign, name] = EMPHASIS.find(([each]) => line.startsWith(each, i)) ?? [];
      if (!sign || unclosed.has(sign)) return null;
      const [first, isSingle] = [i + sign.length, sign.length === 1];
      if (isBlank(line[first]) || (isSingle && isWord(line[i - 1]))) return null;
      for (let last = find(sign, first + 1); last >= 0; last = find(sign, last + 1)) {
        const [before, behind] = [line[last - 1], line[last + sign.length]];
        const isInRun = behind === sign[0] || (isSingle && before === sign);
        if (isInRun || isBlank(before) || (isSingle && isWord(behind))) continue;
        return { node: made(name, "", inside(first, last)), stop: last + sign.length };
      }
      return null;
    }

    function escaped() {
      if (line[i] !== "\\" || !/[!-/:-@[-`{-~]/.test(line[i + 1] ?? "")) return null;
      isPlain = false;
      return { node: ink(start + i + 1, start + i + 2)[0], stop: i + 2 };
    }
  }
}

const isBlank = (letter) => letter === undefined || /\s/.test(letter);
const isWord = (letter) => letter !== undefined && /[A-Za-z0-9]/.test(letter);
