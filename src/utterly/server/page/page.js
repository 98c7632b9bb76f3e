// The page: a dialogue is edited, its last turn rewritten as one types. Nothing is sent but to this server.

import { copiedByTurn, drawn, element, fieldPlaces, marked } from "./drawing.js";
import { EXAMPLES } from "./examples.js";
import { fragmentOf, turnsFromFragment, turnsFromJson } from "./messages.js";
import { STRINGS } from "./strings.js";

const WAIT = 120; // milliseconds after the last key
const N_BEST = 4;
const at = (id) => document.getElementById(id);
const kept = (store, key) => { try { return store.getItem(key); } catch { return null; } };
const keep = (store, key, value) => { try { store.setItem(key, value); } catch { /* not kept then */ } };

let turns = [...EXAMPLES[0].turns];
let language = kept(localStorage, "language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");
let say = STRINGS[language] ?? STRINGS.en;
let answer = null; // of the turns as they are, or null
let timer = 0;
let asking = null;

// --- the editor

function drawTurns(focus) {
  at("turns").replaceChildren(...turns.map(turnElement));
  if (focus !== undefined) at("turns").children[focus]?.querySelector("textarea").focus();
  drawMarks();
}

function turnElement(text, i) {
  const last = i === turns.length - 1;
  const made = element("li", last ? "turn last" : "turn");
  const side = element("span", "number", String(i + 1));
  side.setAttribute("aria-hidden", "true");
  const field = element("div", "field");
  const mirror = element("div", "mirror");
  mirror.setAttribute("aria-hidden", "true");
  const area = element("textarea");
  Object.assign(area, { value: text, rows: 1, placeholder: say.write, spellcheck: false });
  area.setAttribute("aria-label", last ? say.lastTurn(i + 1) : say.turn(i + 1));
  area.addEventListener("input", () => { turns[i] = area.value; changed(); });
  area.addEventListener("keydown", (event) => onKey(event, i));
  field.append(mirror, area);
  made.append(side, field, turnTools(i));
  if (last) made.append(element("span", "badge", say.toRewrite));
  return made;
}

function turnTools(i) {
  const tools = element("div", "turn-tools");
  const tool = (sign, label, disabled, act) => {
    const button = element("button", "icon", sign);
    Object.assign(button, { type: "button", disabled, title: label });
    button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    return button;
  };
  tools.append(
    tool("↑", say.up(i + 1), i === 0, () => move(i, -1)),
    tool("↓", say.down(i + 1), i === turns.length - 1, () => move(i, 1)),
    tool("×", say.remove(i + 1), turns.length === 1, () => remove(i)),
  );
  return tools;
}

function onKey(event, i) {
  if (event.isComposing) return; // Enter chooses a character then
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    insert(i + 1);
  } else if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) {
    event.preventDefault();
    move(i, event.key === "ArrowUp" ? -1 : 1);
  }
}

function insert(i) {
  turns.splice(i, 0, "");
  drawTurns(i);
  changed();
}

function move(i, by) {
  const to = i + by;
  if (to < 0 || to >= turns.length) return;
  [turns[i], turns[to]] = [turns[to], turns[i]];
  drawTurns(to);
  notice(say.moved(to + 1));
  changed();
}

function remove(i) {
  turns.splice(i, 1);
  drawTurns(Math.min(i, turns.length - 1));
  notice(say.removed(i + 1));
  changed();
}

function load(loaded) {
  turns = [...loaded];
  drawTurns();
  notice(say.loaded(turns.length));
  changed(0);
}

// --- asking

function changed(wait = WAIT) {
  answer = null;
  drawMarks();
  clearTimeout(timer);
  asking?.abort();
  timer = setTimeout(ask, wait);
}

async function ask() {
  if (!turns.at(-1).trim()) return drawEmpty();
  asking = new AbortController();
  const { signal } = asking;
  const began = performance.now();
  try {
    const response = await fetch("v1/rewrite", { method: "POST", headers: headers(), body: body(), signal });
    const said = await response.json();
    if (signal.aborted) return;
    if (response.ok) drawAnswer(said, performance.now() - began, serverTime(response));
    else drawProblem(said.detail ?? said.title, response.status === 401);
  } catch {
    if (!signal.aborted) drawProblem(say.unreachable, false);
  }
}

function headers() {
  const key = kept(sessionStorage, "key");
  return { "Content-Type": "application/json", ...(key ? { "X-API-Key": key } : {}) };
}

function body() {
  const wishes = { turns, n_best: N_BEST, min_confidence: Number(at("least").value) / 100 };
  if (at("model").value) wishes.model = at("model").value;
  return JSON.stringify(wishes);
}

function serverTime(response) {
  return /dur=([\d.]+)/.exec(response.headers.get("Server-Timing") ?? "")?.[1] ?? "?";
}

// --- the result

function drawAnswer(said, milliseconds, server) {
  answer = said;
  show({ details: true });
  const tongue = /[\u4e00-\u9fff]/.test(said.text) ? "zh" : "en";
  for (const id of ["text", "drawn"]) at(id).lang = tongue;
  at("text").textContent = said.text;
  at("note").hidden = said.changed;
  at("edits").hidden = !said.changed;
  at("note").textContent = said.reason ? say.because(said.reason) : say.unchanged;
  at("drawn").replaceChildren(...drawn(said.segments, say, linkSpan));
  drawFacts(said, milliseconds, server);
  const ways = said.alternatives.map((way) => {
    const row = element("li");
    row.append(element("span", "way", way.text), element("span", "share", percent(way.confidence)));
    return row;
  });
  at("alternatives").replaceChildren(...ways);
  at("others").hidden = !ways.length;
  at("announced").textContent = said.text;
  drawMarks();
}

function drawFacts(said, milliseconds, server) {
  const share = Math.round(said.confidence * 100);
  at("meter").setAttribute("aria-valuenow", share);
  at("meter").setAttribute("aria-valuetext", percent(said.confidence));
  at("bar").setAttribute("width", share);
  at("percent").textContent = percent(said.confidence);
  at("time").textContent = say.took(Math.round(milliseconds), server);
  at("by").textContent = said.model;
}

const percent = (share) => `${Math.round(share * 100)} %`;

function drawProblem(text, wantsKey) {
  show({ problem: true, key: wantsKey });
  at("problem").textContent = text;
  at("text").textContent = turns.at(-1);
}

function drawEmpty() {
  show({});
  at("text").textContent = "";
  at("note").hidden = false;
  at("note").textContent = say.empty;
}

function show({ details = false, problem = false, key = false }) {
  at("details").hidden = !details;
  at("problem").hidden = !problem;
  at("key-form").hidden = !key;
  at("note").hidden = true;
  at("copy").disabled = !details;
}

/** Hovered or focused, a copied span and its place in the context light up together; pressed, it is gone to. */
function linkSpan(button, number) {
  for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) {
    button.addEventListener(event, () => lightUp(number, on));
  }
  button.addEventListener("click", () => {
    if (!answer) return; // the turns changed, and their answer is on its way
    const { turn, characters } = answer.segments[number];
    const area = at("turns").children[turn].querySelector("textarea");
    area.focus();
    area.setSelectionRange(...fieldPlaces(area.value, ...characters));
  });
}

function lightUp(number, on) {
  if (!answer) return;
  const { turn, characters } = answer.segments[number];
  answer.segments.forEach((segment, i) => {
    const same = segment.kind === "copied" && segment.turn === turn && String(segment.characters) === String(characters);
    if (same) for (const each of document.querySelectorAll(`[data-span="${i}"]`)) each.classList.toggle("lit", on);
  });
  at("turns").children[turn]?.classList.toggle("lit", on);
}

function drawMarks() {
  const copied = answer ? copiedByTurn(answer.segments) : {};
  [...at("turns").children].forEach((row, i) => {
    row.querySelector(".mirror").replaceChildren(...marked(turns[i], copied[i] ?? []));
  });
}

// --- copying, links, pasting

function notice(text) { at("notice").textContent = text; }

async function copy(text, done) {
  at("link-field").hidden = true;
  try {
    await navigator.clipboard.writeText(text);
    notice(done);
  } catch {
    notice(say.notCopied);
    at("link-field").hidden = false;
    at("link").value = text;
    at("link").select();
  }
}

function share() {
  const link = new URL(fragmentOf(turns), location.href);
  history.replaceState(null, "", link);
  return copy(link.href, say.linkCopied);
}

function readFragment() {
  const linked = turnsFromFragment(location.hash);
  if (linked) load(linked);
  else if (linked === null) notice(say.brokenLink);
  return Boolean(linked);
}

function usePasted(event) {
  if (event.submitter?.value !== "use") return;
  const pasted = turnsFromJson(at("pasted").value);
  const wrong = pasted === null ? say.notMessages : pasted.length ? "" : say.noTurns;
  at("paste-problem").hidden = !wrong;
  at("paste-problem").textContent = wrong;
  if (wrong) {
    event.preventDefault();
    return;
  }
  load(pasted);
}

// --- the page's own language, and its start

function speak() {
  say = STRINGS[language] ?? STRINGS.en;
  document.documentElement.lang = language;
  for (const each of document.querySelectorAll("[data-say]")) each.textContent = say[each.dataset.say];
  for (const each of document.querySelectorAll("[data-say-label]")) each.setAttribute("aria-label", say[each.dataset.sayLabel]);
  at("language").textContent = language === "en" ? "中文" : "English";
  at("language").lang = language === "en" ? "zh" : "en";
  const names = EXAMPLES.map(({ name }, i) => new Option(name, i));
  at("example").replaceChildren(new Option(say.examplePrompt, ""), ...names);
}

async function listModels() {
  try {
    const response = await fetch("v1/models", { headers: headers() });
    if (!response.ok) return;
    const { models } = await response.json();
    at("model").append(...models.map(({ name }) => new Option(name, name)));
  } catch { /* the rewrite will say that the server is away */ }
}

function start() {
  speak();
  at("add").addEventListener("click", () => insert(turns.length));
  at("clear").addEventListener("click", () => { turns = [""]; drawTurns(0); notice(""); changed(0); });
  at("copy").addEventListener("click", () => copy(answer.text, say.copied));
  at("share").addEventListener("click", share);
  at("paste").addEventListener("click", () => { at("paste-problem").hidden = true; at("paste-dialog").showModal(); });
  at("paste-dialog").querySelector("form").addEventListener("submit", usePasted);
  at("example").addEventListener("change", ({ target }) => { if (target.value) load(EXAMPLES[target.value].turns); });
  at("model").addEventListener("change", () => changed(0));
  at("least").addEventListener("input", () => { at("least-shown").textContent = `${at("least").value} %`; changed(); });
  at("language").addEventListener("click", () => {
    language = language === "en" ? "zh" : "en";
    keep(localStorage, "language", language);
    speak();
    drawTurns();
    changed(0);
  });
  at("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keep(sessionStorage, "key", at("key").value);
    listModels();
    changed(0);
  });
  addEventListener("hashchange", readFragment);
  drawTurns();
  show({});
  listModels();
  if (!readFragment()) changed(0);
}

start();
