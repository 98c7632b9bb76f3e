// The page: edit a dialogue and see its last turn rewritten as you type. Everything is sent to this server only.

import { at } from "./elements.js";
import { EXAMPLES } from "./examples.js";
import { fragmentOf, turnsFromFragment } from "./links.js";
import { alternating, turnsFromPasted } from "./messages.js";
import { drawAnswer, drawEmpty, drawProblem, forget, startSnippets } from "./result.js";
import { LEAST_CONFIDENCE } from "./snippets.js";
import { say, speak } from "./strings.js";
import { drawTurns, insert, load, startTurns, turns, undo } from "./turns.js";

const WAIT = 120; // milliseconds after the last key
const kept = (store, key) => { try { return store.getItem(key); } catch { return null; } };
const keep = (store, key, value) => { try { store.setItem(key, value); } catch { /* not stored */ } };

let language = kept(localStorage, "language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");
let nBest = 8; // 1 if the server allows fewer
let preset = null; // until one is chosen, the model's own threshold counts
let timer = 0;
let asking = null;
let drawSnippet = () => {};

// --- requests

function changed(wait = WAIT) {
  forget();
  clearTimeout(timer);
  asking?.abort();
  timer = setTimeout(ask, wait);
}

async function ask() {
  drawSnippet();
  if (!turns.at(-1).text.trim()) return drawEmpty();
  asking = new AbortController();
  const { signal } = asking;
  const began = performance.now();
  let response, said;
  try {
    response = await fetch("v1/rewrite", { method: "POST", headers: headers(), body: body(), signal });
    said = await response.json();
  } catch {
    if (!signal.aborted) drawProblem(say.unreachable, turns.at(-1).text, false);
    return;
  }
  if (signal.aborted) return;
  if (response.status === 422 && nBest > 1 && said.detail.startsWith("n_best")) {
    nBest = 1;
    return ask();
  }
  if (!response.ok) return drawProblem(said.detail ?? said.title, turns.at(-1).text, response.status === 401);
  drawAnswer(said, performance.now() - began, serverTime(response));
}

function headers() {
  const key = kept(sessionStorage, "key");
  return { "Content-Type": "application/json", ...(key ? { "X-API-Key": key } : {}) };
}

/** The chosen settings. */
function chosen() {
  return { model: at("model").value, options: preset ? { preset } : {} };
}

function body() {
  const { model, options } = chosen();
  const asked = { turns: turns.map(({ text }) => text), n_best: nBest, ...options };
  return JSON.stringify(model ? { ...asked, model } : asked);
}

function serverTime(response) {
  return /dur=([\d.]+)/.exec(response.headers.get("Server-Timing") ?? "")?.[1] ?? "?";
}

// --- copying, links, pasting

function notice(text) { at("notice").textContent = text; }

async function copy(text, button, done = say.copied) {
  at("link-field").hidden = true;
  try {
    await navigator.clipboard.writeText(text);
    notice(done);
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), 1500);
  } catch {
    notice(say.notCopied);
    at("link-field").hidden = false;
    at("link").value = text;
    at("link").select();
  }
}

function share() {
  const fragment = fragmentOf(turns);
  if (!fragment) return notice(say.longLink);
  const link = new URL(fragment, location.href);
  history.replaceState(null, "", link);
  return copy(link.href, at("share"), say.linkCopied);
}

function use(loaded) {
  load(loaded);
  notice(say.loaded(loaded.length));
  changed(0);
}

function readFragment() {
  const linked = turnsFromFragment(location.hash);
  if (linked) use(linked);
  else if (linked === null) notice(say.brokenLink);
  return Boolean(linked);
}

function usePasted(event) {
  if (event.submitter?.value !== "use") return;
  const pasted = turnsFromPasted(at("pasted").value);
  const wrong = pasted === null ? say.notMessages : pasted.length ? "" : say.noTurns;
  at("paste-problem").hidden = !wrong;
  at("paste-problem").textContent = wrong;
  if (wrong) event.preventDefault();
  else use(pasted);
}

/** A chat pasted into an empty dialogue becomes its turns. */
function pastedInto(event) {
  if (turns.some(({ text }) => text)) return;
  const pasted = turnsFromPasted(event.clipboardData.getData("text/plain"));
  if (!(pasted?.length > 1)) return;
  event.preventDefault();
  use(pasted);
}

// --- the page's language, and startup

function speakIn(chosenLanguage) {
  language = speak(chosenLanguage);
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
    const [byText] = at("model").options;
    at("model").replaceChildren(byText, ...models.map(({ name }) => new Option(name, name)));
    if (!preset) showPresetOf(models);
  } catch { /* the rewrite will report that the server is unreachable */ }
}

/** Check the preset whose threshold is that of all models, if there is one. */
function showPresetOf(models) {
  for (const each of document.querySelectorAll("[name=preset]")) {
    each.checked = models.every((model) => model.min_confidence === LEAST_CONFIDENCE[each.value]);
  }
}

function start() {
  speakIn(language);
  startTurns({ changed, notice, pasted: pastedInto });
  drawSnippet = startSnippets(() => ({ turns, ...chosen(), needsKey: Boolean(kept(sessionStorage, "key")) }), copy);
  at("add").addEventListener("click", () => insert(turns.length));
  at("clear").addEventListener("click", () => { load(alternating([""])); drawTurns(0); notice(""); changed(0); });
  at("undo").addEventListener("click", () => { undo(); notice(""); changed(0); });
  at("copy").addEventListener("click", () => copy(at("text").textContent, at("copy")));
  at("share").addEventListener("click", share);
  at("paste").addEventListener("click", () => { at("paste-problem").hidden = true; at("paste-dialog").showModal(); });
  at("paste-dialog").querySelector("form").addEventListener("submit", usePasted);
  at("example").addEventListener("change", ({ target }) => {
    use(alternating(EXAMPLES[target.value].turns));
    target.value = ""; // to allow loading the same one again
  });
  at("model").addEventListener("change", () => changed(0));
  at("presets").addEventListener("change", ({ target }) => { preset = target.value; changed(0); });
  at("language").addEventListener("click", () => {
    speakIn(language === "en" ? "zh" : "en");
    keep(localStorage, "language", language);
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
  drawEmpty();
  listModels();
  if (readFragment()) return;
  load(alternating(EXAMPLES[0].turns));
  changed(0);
}

start();
