// The current dialogue as code to use: Python, curl, LangChain.

const MOST_SHOWN = 4_000; // characters

export const LEAST_CONFIDENCE = { eager: 0, balanced: 0.4, careful: 0.7 }; // of the presets

const indented = (lines) => lines.map((line) => `    ${line},\n`).join("");
const quoted = (text) => JSON.stringify(text); // a JSON string is also a Python string

/** Python keyword arguments, with a comma before each. */
const keywords = (options) => Object.entries(options).map(([name, value]) => `, ${name}=${quoted(value)}`).join("");

function python({ turns, model, options }) {
  return `from utterly import Rewriter  # pip install utterly

rewriter = Rewriter.load(${model ? quoted(model) : ""})
result = rewriter.rewrite([
${indented(turns.map(({ text }) => quoted(text)))}]${keywords(options)})
print(result.text)
`;
}

function curl({ turns, model, options, needsKey }) {
  const asked = { turns: turns.map(({ text }) => text), ...(model ? { model } : {}), ...options };
  const key = needsKey ? `  -H "X-API-Key: $UTTERLY_API_KEY" \\\n` : "";
  return `curl ${new URL("v1/rewrite", location.href).href} \\
  -H 'Content-Type: application/json' \\
${key}  -d @- <<'JSON'
${JSON.stringify(asked, null, 2)}
JSON
`;
}

function langchain({ turns, model, options }) {
  const history = turns.slice(0, -1).map(({ role, text }) => `${role === "user" ? "HumanMessage" : "AIMessage"}(${quoted(text)})`);
  const least = options.preset ? { min_confidence: LEAST_CONFIDENCE[options.preset] } : {}; // it has no `preset`
  const settings = keywords({ ...(model ? { model } : {}), ...least }).slice(2);
  return `# pip install 'utterly[langchain]'
from langchain_core.messages import AIMessage, HumanMessage
from utterly.integrations.langchain import QuestionRewriter

rewriter = QuestionRewriter(${settings})  # then: rewriter | retriever
history = [
${indented(history)}]
question = ${quoted(turns.at(-1).text)}
print(rewriter.invoke({"input": question, "chat_history": history}))
`;
}

export const SNIPPETS = { python, curl, langchain };

/** The part of very long code that is shown; the copy is complete. */
export const shortened = (code) => (code.length > MOST_SHOWN ? `${code.slice(0, MOST_SHOWN)} …` : code);
