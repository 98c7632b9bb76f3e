// Finds and makes elements of the page. Text is always set as text, never as HTML.

export const at = (id) => document.getElementById(id);

export function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The direction of a text, by its first letters: `dir="auto"` would reread a megabyte again and again. */
export function directionOf(text) {
  return /^\P{L}*[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u.test(text.slice(0, 200)) ? "rtl" : "ltr";
}

/** A button with a symbol, and a label that says what it does. */
export function button(className, sign, label, act) {
  const made = element("button", className, sign);
  Object.assign(made, { type: "button", title: label });
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}
