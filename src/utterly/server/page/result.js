// The result: the rewrite, its edits, its confidence, the alternatives, and code to use it.

import { drawn } from "./drawing.js";
import { at, directionOf, element } from "./elements.js";
import { shortened, SNIPPETS } from "./snippets.js";
import { say } from "./strings.js";
import { lightTurn, markCopied, selectIn } from "./turns.js";

const LEAST_SHARE = 0.02; // for an alternative to be worth reading
const MOST_ALTERNATIVES = 3;
const MOST_SHOWN = 300; // characters of a turn that could not be rewritten

let answer = null; // for the current turns, or null
let snippet = ""; // the one shown, in full

/** The turns are about to change, or an answer is pending. */
export function forget() {
  answer = null;
  markCopied([]);
}

export function drawAnswer(said, milliseconds, server) {
  answer = said;
  show({ details: true });
  for (const id of ["text", "drawn"]) Object.assign(at(id), { lang: said.language, dir: directionOf(said.text) });
  at("text").textContent = said.text;
  at("note").hidden = said.changed;
  at("note").textContent = whyUnchanged(said);
  at("edits").hidden = !said.changed;
  at("drawn").replaceChildren(...drawn(said.segments, say, linkSpan));
  drawFacts(said, milliseconds, server);
  drawAlternatives(said);
  at("announced").textContent = said.text;
  markCopied(said.segments);
}

export function drawProblem(text, source, wantsKey) {
  show({ problem: true, key: wantsKey });
  at("problem").textContent = text;
  at("text").textContent = source.length > MOST_SHOWN ? `${source.slice(0, MOST_SHOWN)} …` : source;
}

export function drawEmpty() {
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

function whyUnchanged({ reason, model, language }) {
  if (!reason) return say.unchanged;
  return model ? say.because(reason) : say.unknownLanguage(languageName(language));
}

/** The name of a language, in the page's language; if it is unknown, the name of its script. */
function languageName(code) {
  const [type, part] = code.startsWith("und-") ? ["script", code.slice(4)] : ["language", code];
  try { return new Intl.DisplayNames(document.documentElement.lang, { type }).of(part); } catch { return code; }
}

const percent = (share) => `${Math.round(share * 100)} %`;

function drawFacts(said, milliseconds, server) {
  const isJudged = !said.reason || said.abstained; // otherwise no model ran
  for (const id of ["confidence", "confidence-about"]) at(id).hidden = !isJudged;
  const share = Math.round(said.confidence * 100);
  at("meter").setAttribute("aria-valuenow", share);
  at("meter").setAttribute("aria-valuetext", percent(said.confidence));
  at("bar").setAttribute("width", share);
  at("percent").textContent = percent(said.confidence);
  at("time").textContent = say.took(Math.round(milliseconds), server);
  at("by").textContent = said.model === said.language ? "" : said.model; // obvious
  at("tongue").textContent = languageName(said.language);
  for (const id of ["by", "tongue"]) at(id).parentElement.hidden = !at(id).textContent;
}

/** The rewrite that was held back, and other plausible ones, most probable first. */
function drawAlternatives(said) {
  const heldBack = said.abstained ? said.alternatives[0] : null;
  const isWorthIt = (way) => way === heldBack || way.confidence >= LEAST_SHARE;
  const seen = new Set([bare(said.text)]);
  const ways = said.alternatives
    .toSorted((left, right) => (right === heldBack) - (left === heldBack) || right.confidence - left.confidence)
    .filter((way) => isWorthIt(way) && !seen.has(bare(way.text)) && seen.add(bare(way.text)))
    .slice(0, MOST_ALTERNATIVES);
  at("alternatives").replaceChildren(...ways.map((way) => {
    const row = element("li");
    row.append(element("span", "way", way.text), element("span", "share", percent(way.confidence)));
    return row;
  }));
  at("others").hidden = !ways.length;
}

const bare = (text) => text.toLowerCase().replace(/[\p{P}\s]/gu, "");

// --- copied spans: hover or focus highlights one and its place in the dialogue; a click goes there

function linkSpan(button, number) {
  for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) {
    button.addEventListener(event, () => lightUp(number, on));
  }
  button.addEventListener("click", () => {
    if (!answer) return; // the turns changed, and their answer is pending
    const { turn, characters } = answer.segments[number];
    selectIn(turn, characters);
  });
}

function lightUp(number, on) {
  if (!answer) return;
  const { turn, characters } = answer.segments[number];
  answer.segments.forEach((segment, i) => {
    const isSame = segment.kind === "copied" && segment.turn === turn && String(segment.characters) === String(characters);
    if (isSame) for (const each of document.querySelectorAll(`[data-span="${i}"]`)) each.classList.toggle("lit", on);
  });
  lightTurn(turn, on);
}

// --- code to use it

const tabs = () => [...at("tabs").children];

/** `present()` returns the values for the snippets. */
export function startSnippets(present, copy) {
  const draw = () => {
    const chosen = tabs().find((tab) => tab.getAttribute("aria-selected") === "true");
    if (!at("use").open) return;
    snippet = SNIPPETS[chosen.dataset.snippet](present());
    at("code").textContent = shortened(snippet);
    at("snippet").setAttribute("aria-labelledby", chosen.id);
  };
  const choose = (tab) => {
    for (const each of tabs()) {
      each.setAttribute("aria-selected", each === tab);
      each.tabIndex = each === tab ? 0 : -1;
    }
    draw();
  };
  for (const tab of tabs()) tab.addEventListener("click", () => choose(tab));
  at("tabs").addEventListener("keydown", ({ key, target }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = tabs().at((tabs().indexOf(target) + step) % tabs().length);
    next.focus();
    choose(next);
  });
  at("use").addEventListener("toggle", draw);
  at("copy-code").addEventListener("click", () => copy(snippet, at("copy-code")));
  return draw;
}
