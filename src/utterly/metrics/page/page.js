"use strict";
// Everything shown is set as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const PAGE = 50;
const LETTERS = ["A", "B"].slice(0, data.systems.length);
const KINDS = data.kinds.map(([name]) => name);
const LENGTHS = { turn: [[1, 4], [5, 8], [9, 12], [13, Infinity]], context: [[0, 0], [1, 50], [51, 100], [101, 200], [201, Infinity]] };
const LEGENDS = {
  source: "Struck through: deleted from the source. Underlined: inserted.",
  target: "Struck through: the target has it, the rewrite does not. Underlined: the rewrite has it, the target does not.",
};

const field = (id) => document.getElementById(id);
const make = (name, className, ...inside) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...inside);
  return made;
};
const drawn = (segments) =>
  segments.map(([sign, text]) => (sign === "=" ? document.createTextNode(text) : make(sign === "-" ? "del" : "ins", "", text)));
const signed = (value) => (value > 0 ? "+" : value < 0 ? "\u2212" : "") + Math.abs(value).toFixed(2);

// Which rewrites of each system are wanted: the number of a kind, "exact", "errors", or null for all.
let wanted = LETTERS.map(() => null);
let page = 0;

const has = (rewrite, kind) =>
  kind === null || (kind === "exact" ? !rewrite.kinds.length : kind === "errors" ? rewrite.kinds.length > 0 : rewrite.kinds.includes(kind));

const ORDERS = {
  ...Object.fromEntries(LETTERS.map((letter, i) => [`loss of ${letter}, highest first`, (row) => -row.rewrites[i].loss])),
  ...(LETTERS.length > 1 && {
    "B worse than A, most first": (row) => row.rewrites[0].loss - row.rewrites[1].loss,
    "A worse than B, most first": (row) => row.rewrites[1].loss - row.rewrites[0].loss,
  }),
  ...Object.fromEntries(
    LETTERS.map((letter, i) => [`confidence of ${letter}, highest first`, (row) => -(row.rewrites[i].confidence ?? -1)]).filter(
      (_, i) => data.rows.some((row) => row.rewrites[i].confidence !== null),
    ),
  ),
  "as in the file": (row) => row.number,
};

data.rows.forEach((row, i) => {
  row.number = i + 1;
  const plain = (segments) => segments.filter(([sign]) => sign !== "-").map(([, text]) => text).join("");
  row.search = [row.id ?? "", ...row.context, row.source, plain(row.target), ...row.rewrites.map((each) => plain(each.source))]
    .join("\n")
    .toLowerCase();
});

function scoreTable() {
  const compared = LETTERS.length > 1;
  const names = Object.keys(data.scores).filter((name) => !KINDS.includes(name));
  const heads = ["", ...LETTERS, ...(compared ? ["B \u2212 A", "p"] : [])];
  field("scores").append(
    make("thead", "", make("tr", "", ...heads.map((head) => heading(head, "col")))),
    make("tbody", "", ...names.map((name) => make("tr", "", heading(name, "row"), ...data.scores[name].values.map((value) => make("td", "", value.toFixed(2))), ...difference(name)))),
  );
}

function difference(name) {
  const { difference: value, p } = data.scores[name];
  return value === null ? [] : [make("td", p < 0.05 ? "sure" : "", signed(value)), make("td", p < 0.05 ? "sure" : "", p.toFixed(4))];
}

function heading(text, scope) {
  const made = make(text ? "th" : "td", "", text);
  if (text) made.scope = scope;
  return made;
}

function kindTable() {
  const compared = LETTERS.length > 1;
  const heads = ["", ...LETTERS, ...(compared ? ["B \u2212 A", "p"] : [])];
  const rows = [
    ["exact", "exact", "the words are the target's"],
    ["errors", "any error", "the words are not the target's"],
    ...data.kinds.map(([name, meaning], i) => [i, name, meaning]),
  ].map(([kind, name, meaning]) => {
    field("meanings").append(make("dt", "", name), make("dd", "", meaning));
    const cells = LETTERS.map((letter, i) => {
      const count = data.rows.filter((row) => has(row.rewrites[i], kind)).length;
      const share = ((100 * count) / data.rows.length).toFixed(1);
      const button = make("button", "", count.toLocaleString("en"), make("span", "", ` \u00b7 ${share} %`));
      button.type = "button";
      button.dataset.kind = kind;
      button.dataset.system = i;
      button.setAttribute("aria-label", `${name}, ${letter}: ${count}. Show only these`);
      button.addEventListener("click", () => {
        wanted[i] = wanted[i] === kind ? null : kind;
        show(true);
      });
      return make("td", "", button);
    });
    const more = kind === "exact" ? difference("EM") : typeof kind === "number" ? difference(name) : compared ? [make("td"), make("td")] : [];
    return make("tr", "", heading(name, "row"), ...cells, ...more);
  });
  field("kinds").append(make("thead", "", make("tr", "", ...heads.map((head) => heading(head, "col")))), make("tbody", "", ...rows));
}

const option = (value, text) => Object.assign(make("option", "", text), { value });

function filters() {
  for (const [name, ranges] of Object.entries(LENGTHS)) {
    const labels = ranges.map(([low, high]) => (high === Infinity ? `${low} or more` : low === high ? `${low}` : `${low} to ${high}`));
    field(name).append(option("", "all"), ...labels.map((label, i) => option(i, label)));
  }
  const domains = [...new Set(data.rows.map((row) => row.domain).filter((domain) => domain !== null))].sort();
  field("domain").append(...domains.map((domain, i) => option(i, domain)));
  field("domain-label").hidden = !domains.length;
  field("context-label").hidden = data.rows.every((row) => !row.context.length);
  field("order").append(...Object.keys(ORDERS).map((name) => option(name, name)));
  field("filters").addEventListener("input", () => show(true));
  field("filters").addEventListener("submit", (event) => event.preventDefault());
  field("filters").addEventListener("reset", () => {
    wanted = LETTERS.map(() => null);
    setTimeout(() => show(true)); // after the fields are reset
  });
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => {
      page += Number(button.dataset.step);
      show(false);
      field("rewrites-title").scrollIntoView();
    });
  }
  return domains;
}

function chosen() {
  const within = (name, value) => {
    const [low, high] = LENGTHS[name][field(name).value] ?? [0, Infinity];
    return low <= value && value <= high;
  };
  const domain = domains[field("domain").value];
  const text = field("text").value.trim().toLowerCase();
  const key = ORDERS[field("order").value];
  return data.rows
    .filter(
      (row) =>
        row.rewrites.every((rewrite, i) => has(rewrite, wanted[i])) &&
        (domain === undefined || row.domain === domain) &&
        within("turn", row.words[0]) &&
        within("context", row.words[1]) &&
        row.search.includes(text),
    )
    .sort((left, right) => key(left) - key(right) || left.number - right.number);
}

function show(first) {
  if (first) page = 0;
  const rows = chosen();
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  page = Math.min(page, pages - 1);
  const from = page * PAGE;
  const over = field("over").value;
  field("legend").textContent = LEGENDS[over];
  field("rows").replaceChildren(...rows.slice(from, from + PAGE).map((row) => card(row, over)));
  field("shown").textContent = rows.length
    ? `${from + 1} to ${Math.min(from + PAGE, rows.length)} of ${rows.length} (${data.rows.length} in all)`
    : `no dialogue fits (${data.rows.length} in all)`;
  for (const button of document.querySelectorAll("[data-step]")) {
    const next = page + Number(button.dataset.step);
    button.disabled = next < 0 || next >= pages;
  }
  for (const button of document.querySelectorAll("[data-kind]")) {
    button.setAttribute("aria-pressed", String(wanted[button.dataset.system]) === button.dataset.kind);
  }
}

function card(row, over) {
  const head = make("div", "head", make("span", "", `no. ${row.number}`));
  if (row.id !== null && row.id !== String(row.number)) head.append(make("span", "", row.id));
  if (row.domain !== null) head.append(make("span", "", row.domain));
  head.append(make("span", "", `${row.words[0]} words after ${row.words[1]}`));
  const lines = make("dl", "lines", ...line("Source", row.source), ...line("Target", ...drawn(row.target)));
  row.rewrites.forEach((rewrite, i) => {
    const facts = make("div", "facts", ...marks(rewrite), make("span", "", `loss ${rewrite.loss.toFixed(2)}`));
    if (rewrite.confidence !== null) facts.append(make("span", "", `confidence ${rewrite.confidence.toFixed(2)}`));
    const [term, text] = line(LETTERS[i], ...drawn(rewrite[over]));
    text.append(facts);
    if (rewrite.edits.length) text.append(make("ul", "edits", ...rewrite.edits.map((edit) => make("li", "", edit))));
    lines.append(term, text);
  });
  const made = make("li", "", head);
  if (row.context.length) {
    const turns = make("ol", "turns", ...row.context.map((turn) => make("li", "", turn)));
    made.append(make("details", "", make("summary", "", row.context.length === 1 ? "Context, 1 turn" : `Context, ${row.context.length} turns`), turns));
  }
  made.append(lines);
  return made;
}

const line = (name, ...inside) => [make("dt", "", name), make("dd", "", make("div", "says", ...inside))];
const marks = (rewrite) =>
  rewrite.kinds.length ? rewrite.kinds.map((kind) => make("span", "kind", KINDS[kind])) : [make("span", "exact", "exact")];

[...data.systems.map((name, i) => [LETTERS[i], name]), ["References", data.references]].forEach(([name, value]) =>
  field("files").append(make("dt", "", name), make("dd", "", value)),
);
field("settings").textContent = [data.settings, data.test && `p: ${data.test}, two-sided; bold: p below 0.05`].filter(Boolean).join(" \u00b7 ");
scoreTable();
kindTable();
const domains = filters();
show(true);
