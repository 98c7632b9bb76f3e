// The API's documentation, drawn from openapi.json.

import { at, element } from "./elements.js";

/** Paragraphs, with `words` as code. */
function prose(text) {
  return text.trim().split(/\n\n+/).map((paragraph) => {
    const made = element("p");
    paragraph.split(/(`[^`]+`)/).forEach((part) => {
      made.append(part.startsWith("`") ? element("code", "", part.slice(1, -1)) : part);
    });
    return made;
  });
}

function table(heads, rows) {
  const made = element("table");
  const line = (cells, kind) => {
    const row = element("tr");
    row.append(...cells.map((cell) => {
      const box = element(kind);
      box.append(...(Array.isArray(cell) ? cell : [cell]));
      return box;
    }));
    return row;
  };
  const [head, body] = [element("thead"), element("tbody")];
  head.append(line(heads, "th"));
  body.append(...rows.map((row) => line(row, "td")));
  made.append(head, body);
  const wrap = element("div", "table");
  wrap.tabIndex = 0;
  wrap.setAttribute("role", "group");
  wrap.setAttribute("aria-label", heads.join(", "));
  wrap.append(made);
  return wrap;
}

const named = (schema) => schema.$ref?.split("/").at(-1);

function typeName(schema) {
  if (named(schema)) return named(schema);
  if (schema.anyOf) return schema.anyOf.map(typeName).join(" or ");
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(", ");
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeName).join(", ")}]`;
  if (schema.type === "array") return `list of ${schema.items.title ?? typeName(schema.items)}`;
  return schema.const ?? schema.type ?? "anything";
}

function limits(schema) {
  const said = [];
  if ("minimum" in schema || "maximum" in schema) said.push(`${schema.minimum ?? "…"} to ${schema.maximum ?? "…"}`);
  if ("maxItems" in schema) said.push(`${schema.minItems ?? 0} to ${schema.maxItems} entries`);
  if (schema.default !== undefined && schema.default !== null) said.push(`default ${schema.default}`);
  return said.length ? ` (${said.join(", ")})` : "";
}

function fields(schema, schemas, seen = new Set(), heading = "h4") {
  const parts = [];
  const name = named(schema);
  const whole = name ? schemas[name] : schema;
  if (!whole?.properties || seen.has(name)) return parts;
  seen.add(name);
  parts.push(element(heading, "", name ?? "Body"));
  if (whole.description) parts.push(...prose(whole.description));
  const rows = Object.entries(whole.properties).map(([field, each]) => [
    element("code", "", field), typeName(each), [...prose((each.description ?? "") + limits(each))],
  ]);
  parts.push(table(["field", "type", "meaning"], rows));
  for (const each of Object.values(whole.properties)) {
    for (const inner of [each, each.items, ...(each.anyOf ?? [])]) {
      if (inner && named(inner)) parts.push(...fields(inner, schemas, seen, heading));
    }
  }
  return parts;
}

function exampleOf(schema, schemas) {
  const whole = schemas[named(schema)];
  if (whole.examples) return whole.examples[0];
  return Object.fromEntries(Object.entries(whole.properties).filter(([, each]) => each.examples).map(([field, each]) => [field, each.examples[0]]));
}

function operation(path, method, said, schemas) {
  const made = element("section", "operation");
  const title = element("h3");
  title.append(element("span", "method", method.toUpperCase()), path);
  made.append(title, ...prose(`${said.description ?? said.summary}`));
  const body = said.requestBody?.content["application/json"]?.schema;
  if (body) {
    const quoted = JSON.stringify(exampleOf(body, schemas), null, 1);
    const sample = element("pre", "", `curl ${location.origin}${path} \\\n  -H 'Content-Type: application/json' \\\n  -d '${quoted.replaceAll("'", "'\\''")}'`);
    sample.tabIndex = 0;
    made.append(sample, ...fields(body, schemas));
  }
  for (const [status, answer] of Object.entries(said.responses)) {
    const [kind, content] = Object.entries(answer.content ?? {})[0] ?? [];
    made.append(element("h4", "", `Answer ${status}${kind ? `, ${kind}` : ""}`));
    if (Number(status) >= 400) made.append(...prose(answer.description));
    else if (content?.schema && named(content.schema)) made.append(...fields(content.schema, schemas));
  }
  return made;
}

function problems(described, schemas) {
  const rows = Object.entries(described).map(([code, { status, title, meaning }]) => {
    const name = element("code", "", code);
    name.id = code;
    return [name, String(status), [...prose(`${title}. ${meaning}`)]];
  });
  return [element("h2", "", "Problems"), table(["code", "status", "meaning"], rows), ...fields({ $ref: "/ProblemResponse" }, schemas, new Set(), "h3")];
}

async function start() {
  const described = await (await fetch("openapi.json")).json();
  const { schemas } = described.components;
  at("summary").textContent = `${described.info.summary} Version ${described.info.version}.`;
  const parts = [...prose(described.info.description)];
  let tag = "";
  for (const [path, operations] of Object.entries(described.paths)) {
    for (const [method, said] of Object.entries(operations)) {
      if (said.tags?.[0] !== tag) {
        tag = said.tags?.[0];
        parts.push(element("h2", "", { rewrite: "Rewriting", operation: "Operation" }[tag] ?? tag));
      }
      parts.push(operation(path, method, said, schemas));
    }
  }
  parts.push(...problems(described["x-problems"], schemas));
  at("reference").replaceChildren(...parts);
  if (location.hash) at(location.hash.slice(1))?.scrollIntoView();
}

start();
