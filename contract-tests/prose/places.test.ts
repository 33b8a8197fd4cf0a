import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { releasesOf } from "../../server/http/docs/changes.ts";
import { OPERATOR_ROLES, ROLES } from "../../server/people/person.ts";
import { errorAnswersOf } from "../../spec/tools/error-table.ts";
import { follow, type Json } from "../../spec/tools/follow.ts";
import { INTERFACES } from "../contract.ts";
import { operationsOf, shownIn } from "../meaning/shown-values.ts";
import { unknownNames } from "./names.ts";
import { codesIn } from "./tables.ts";

// What a text says is compared with the place where it stands: the operations that have the parameter, the headers of the
// answer, the order of the examples; and nothing stands there that belongs to somebody or to a developer's own machine.

const root = resolve(import.meta.dirname, "../..");
const documents = INTERFACES.map((name) => ({
  name,
  document: JSON.parse(read(`generated/${name}/openapi.json`)) as Json,
}));
const texts = INTERFACES.flatMap((name) =>
  globSync(`spec/${name}/**/*.{yaml,md,sh,ts,py}`, { cwd: root }).map((file) => ({ file, text: read(file) })),
);

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

test.each(documents)("a status and code that $name says of an operation are among its answers", (subject) => {
  const { document } = subject;
  const answers = errorAnswersOf(document);
  const faults = operationsOf(document).flatMap(({ place, operation }) => {
    const parameters: Json[] = (operation.parameters ?? []).map((it: Json) => follow(document, it));
    const own = answers
      .filter((answer) => answer.place === `${place} ${answer.status}`)
      .flatMap(({ status, codes }) => codes.map((code) => `${status} ${code}`));
    const said = [
      { what: place, description: operation.description ?? "" },
      ...parameters.map(({ name, description }) => ({
        what: `the parameter ${name} of ${place}`,
        description,
      })),
    ];
    return said.flatMap(({ what, description }) =>
      [...description.matchAll(/\b([45]\d\d)\s+`([a-z]+(?:_[a-z]+)*)`/g)]
        .map(([, status, code]) => `${status} ${code}`)
        .filter((pair) => !own.includes(pair))
        .map((pair) => `${what} says ${pair}, and the operation has only ${own.join(", ")}`),
    );
  });
  expect(faults).toEqual([]);
});

test.each(documents)(
  "the description of an answer of $name names only headers that it has",
  ({ document }) => {
    const places = operationsOf(document).flatMap(({ place, operation }) =>
      Object.entries<Json>(operation.responses).map(([status, response]) => ({
        place: `${place} ${status}`,
        response: follow(document, response),
      })),
    );
    const namesOf = ({ headers = {} }: Json) => Object.keys(headers).map((name) => name.toLowerCase());
    const known = new Set(places.flatMap(({ response }) => namesOf(response)));
    const faults = places.flatMap(({ place, response }) =>
      codesIn(response.description)
        .filter((name) => known.has(name.toLowerCase()) && !namesOf(response).includes(name.toLowerCase()))
        .map((name) => `${place} speaks of the header ${name}, which it does not have`),
    );
    expect(faults).toEqual([]);
  },
);

/** The examples of an operation's errors. */
function errorsShownIn(document: Json): { place: string; status: string; description: string; body: Json }[] {
  return operationsOf(document).flatMap(({ place, operation }) =>
    Object.entries<Json>(operation.responses)
      .filter(([status]) => status >= "400")
      .flatMap(([status, reference]) => {
        const { description, content = {} } = follow(document, reference);
        return Object.values<Json>(content["application/json"]?.examples ?? {}).map((example) => ({
          ...{ place: `${place} ${status}`, status, description },
          body: follow(document, example).value,
        }));
      }),
  );
}

test.each(documents)(
  "the details that $name says of an error are those that its examples have",
  (subject) => {
    const { document } = subject;
    const { description = "", type } = document.components.schemas.ErrorDetails;
    const said = [...description.replaceAll(/\s+/g, " ").matchAll(/- `(\w+)`[^:`]*: (.*?)\.(?= - |\s*$)/g)];
    if (type === undefined) expect(said.length).toBeGreaterThan(0);
    const shown = errorsShownIn(document);
    const wrong = said.flatMap(([, code = "", words = ""]) => {
      const names = codesIn(words.replace(/, (?:an object|the) .*/, "")).filter(
        (name) => name !== "Retry-After",
      );
      const bodies = shown.filter(({ body }) => body.error === code && body.details !== undefined);
      const missing = names.filter(
        (name) => bodies.length === 0 || bodies.some(({ body }) => !Object.hasOwn(body.details, name)),
      );
      return missing.map((name) => `${code} is said to have ${name} in its details, which no example shows`);
    });
    expect(wrong).toEqual([]);
  },
);

/** What a path is of, such as `order` of `/orders/{id}`. */
function thingsIn(path: string): string[] {
  return [...path.matchAll(/\/([a-z-]+)s\/\{/g)].map(([, thing = ""]) => thing);
}

test.each(documents)(
  "an answer of $name that says what is not there says it of what was asked for",
  (subject) => {
    const { document } = subject;
    const things = new Set(operationsOf(document).flatMap(({ place }) => thingsIn(place)));
    const wrong = operationsOf(document).flatMap(({ place, operation }) => {
      const missing = operation.responses[404];
      if (missing === undefined) return [];
      const body = follow(document, operation.requestBody)?.content?.["application/json"]?.schema;
      const fields = Object.keys(follow(document, body)?.properties ?? {});
      const own = [...thingsIn(place), ...fields.map((field) => field.replace(/Id$/, ""))];
      const [, about = ""] = /^(?:No such|No) (\w+)/.exec(follow(document, missing).description) ?? [];
      return things.has(about) && !own.includes(about)
        ? [`${place} 404 says that there is no ${about}, and the request names ${own.join(", ")}`]
        : [];
    });
    expect(wrong).toEqual([]);
  },
);

test.each(documents)(
  "what $name says is meant where a parameter is left out is its default",
  ({ document }) => {
    const wrong = Object.values<Json>(document.components.parameters ?? {}).flatMap(
      ({ name, description = "", schema }) => {
        const [, said] = /([\w/-]+) where it is left out/.exec(description) ?? [];
        return said === undefined || schema.default === undefined || said === String(schema.default)
          ? []
          : [`${name} says "${said} where it is left out", and its default is ${schema.default}`];
      },
    );
    expect(wrong).toEqual([]);
  },
);

test("which answers a text has callers send again are those that the service says so of", () => {
  const [, retried = ""] =
    /RETRIED: ReadonlySet<number> = new Set\(\[([\d, ]+)\]\)/.exec(
      read("server/interfaces/proxy/errors.ts"),
    ) ?? [];
  const numbers = (words: string) => (words.match(/\b\d{3}\b/g) ?? []).sort();
  expect(
    numbers(retried).length,
    "server/interfaces/proxy/errors.ts has no RETRIED any more",
  ).toBeGreaterThan(0);
  const said = texts.flatMap(({ file, text }) =>
    [
      ...text
        .replaceAll(/\s+/g, " ")
        .matchAll(/After ([^.;]*) wait `Retry-After` seconds; after ([^.;]*) back off/g),
    ].map(([, waits = "", backsOff = ""]) => ({ file, statuses: numbers(`${waits} ${backsOff}`) })),
  );
  expect(said.length).toBeGreaterThan(0);
  for (const { file, statuses } of said) expect(statuses, file).toEqual(numbers(retried));
});

const TIME = /(?:At|_at|since)$/;

/** The lists of a schema whose order is told, by the field or, where there is one list, by the schema. */
function orderedLists({
  description = "",
  properties = {},
}: Json): { field: string; isNewestFirst: boolean }[] {
  const lists = Object.entries<Json>(properties).filter(([, { type }]) => type === "array");
  return lists.flatMap(([field, own]) => {
    const words = `${own.description ?? ""} ${lists.length === 1 ? description : ""}`;
    const [, which] = /\b(newest|oldest)(?: \w+)? first\b/.exec(words) ?? [];
    return which === undefined ? [] : [{ field, isNewestFirst: which === "newest" }];
  });
}

test.each(documents)(
  "lists that examples of $name show are in the order that their descriptions say",
  (subject) => {
    const { document } = subject;
    const lists = shownIn(document).flatMap(({ name, value, place }) =>
      orderedLists(document.components.schemas[name]).map(({ field, isNewestFirst }) => ({
        ...{ what: `${name}.${field}`, place, isNewestFirst },
        times: timesOf(value[field] ?? []),
      })),
    );
    const wrong = lists.filter(({ times, isNewestFirst }) => {
      const ascending = times.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
      return JSON.stringify(isNewestFirst ? ascending.toReversed() : ascending) !== JSON.stringify(times);
    });
    expect(wrong.map(({ what, place, times }) => `${what} in ${place}: ${times.join(", ")}`)).toEqual([]);
  },
);

function timesOf(rows: readonly Json[]): (string | number)[] {
  return rows.flatMap((row) =>
    Object.entries<Json>(Object(row))
      .filter(([field, value]) => TIME.test(field) && value !== null)
      .slice(0, 1)
      .map(([, value]) => value),
  );
}

/** Schemas whose values may grow, so that they are told in words alone, and what they are today. */
const OPEN_VALUES: Readonly<Record<string, readonly string[]>> = {
  "account Role": ROLES,
  "operator Role": OPERATOR_ROLES,
  "account LedgerEntryType": valuesOf("proxy", "LedgerEntryType"),
  "account Order.status": valuesOf("ordering", "OrderStatus"),
  "account Key.status": [...valuesOf("proxy", "Key.status"), "expired"],
  "account ActivityEntry.action": actions(),
};

/** What the service records of what people do. */
function actions(): readonly string[] {
  const [, type = ""] = /export type Action =([^;]+);/.exec(read("server/activity/activity-entry.ts")) ?? [];
  const found = [...type.matchAll(/"(\w+)"/g)].map(([, action = ""]) => action);
  if (found.length === 0) throw new Error("server/activity/activity-entry.ts has no type Action any more.");
  return found;
}

/** The values of an enum. @param schema with a field behind a dot */
function valuesOf(interfaceName: string, schema: string): readonly string[] {
  return schemaAt(interfaceName, schema).enum;
}

function schemaAt(interfaceName: string, schema: string): Json {
  const [name = "", field] = schema.split(".");
  const found = documents.find((it) => it.name === interfaceName)?.document.components.schemas[name];
  return field === undefined ? found : found.properties[field];
}

test.each(Object.entries(OPEN_VALUES))(
  "the description of %s tells of all values of today",
  (place, values) => {
    const [interfaceName = "", schema = ""] = place.split(" ");
    const told = codesIn(schemaAt(interfaceName, schema).description);
    expect(
      values.filter((value) => !told.includes(value)),
      `${place} does not tell of these`,
    ).toEqual([]);
  },
);

/** Whom an operation is for, in words, by the narrowest scope that it needs. */
const FOR_WHOM: Readonly<Record<string, RegExp>> = {
  member: /\bFor every member\b/,
  developer: /\bFor owners and developers\b/,
  billing: /\bFor owners and billing\b/,
  owner: /\bFor owners(?! and)\b/,
  viewer: /\bFor every operator\b/,
  support: /\bFor admins and support\b/,
  finance: /\bFor admins and finance\b/,
  admin: /\bFor admins(?! and)\b/,
};

test.each(documents)("operations of $name say which role they are for", ({ document }) => {
  const wrong = operationsOf(document).flatMap(({ place, operation }) => {
    const scopes = (operation.security ?? []).flatMap((way: Json) => Object.values<string[]>(way).flat());
    const role = scopes.findLast((scope: string) => scope in FOR_WHOM);
    const words = String(operation.description).replaceAll(/\s+/g, " ");
    const said = Object.keys(FOR_WHOM).filter((each) => FOR_WHOM[each]?.test(words));
    const expected = role === undefined ? [] : [role];
    return JSON.stringify(said) === JSON.stringify(expected)
      ? []
      : [`${place} is said to be for ${said.join(" and ") || "nobody"}, and needs ${role ?? "no role"}`];
  });
  expect(wrong).toEqual([]);
});

test("what a role may do, as it is told, is what operations let it do", () => {
  const { description } = schemaAt("account", "Role");
  const { document } = documents.find(({ name }) => name === "account") ?? {};
  const words = `${description} ${document.info.description}`.replaceAll(/\s+/g, " ");
  const told = [...words.matchAll(/`(\w+)` (?:sees )?(?:to )?((?:\w+, )*\w+ and \w+)/g)].map(
    ([, role, list = ""]) => ({ role, tags: list.split(/, | and /) }),
  );
  expect(new Set(told.map(({ role }) => role))).toEqual(new Set(ROLES.filter((role) => role !== "owner")));
  const tagsOf = (role = "") =>
    operationsOf(document)
      .filter(({ operation }) =>
        operation.security.some((way: Json) => Object.values<string[]>(way).flat().includes(role)),
      )
      .map(({ operation }) => operation.tags[0].toLowerCase());
  const known = new Set(operationsOf(document).map(({ operation }) => operation.tags[0].toLowerCase()));
  const wrong = told.flatMap(({ role, tags }) =>
    tags
      .filter((tag) => known.has(tag) && !tagsOf(role).includes(tag))
      .map(
        (tag) => `a text of spec/account says that ${role} sees to ${tag}, of which it may call no operation`,
      ),
  );
  expect(wrong).toEqual([]);
});

/** Words for units of time, by what they are said of. */
const AS_NUMBER = /\b(?:in |whole )?(?:milli)?seconds\b/i;
const AS_TEXT = /\b(?:ISO 8601|RFC 3339)\b/;

test.each(documents)(
  "no description of $name says another unit of a time than its type is",
  ({ document }) => {
    const wrong = valuesIn(document, "").flatMap(({ place, schema, description }) => {
      const { format, type } = schema;
      const words = description.replaceAll(/\s+/g, " ");
      if (format === "date-time" && AS_NUMBER.test(words))
        return [`${place} is a text with format date-time, and its description says "${words}"`];
      if ([type].flat().includes("integer") && AS_TEXT.test(words))
        return [`${place} is a whole number, and its description says "${words}"`];
      return [];
    });
    expect(wrong).toEqual([]);
  },
);

/** Every header, parameter and schema of a document that is described, with its place. */
function valuesIn(part: Json, place: string): { place: string; schema: Json; description: string }[] {
  if (typeof part !== "object" || part === null) return [];
  const inside = Object.entries<Json>(part)
    .filter(([name]) => name !== "example" && name !== "examples")
    .flatMap(([name, inner]) => valuesIn(inner, `${place}/${name}`));
  if (typeof part.description !== "string") return inside;
  return [{ place, schema: part.schema ?? part, description: part.description }, ...inside];
}

test("examples that a manual asks a mock for are there", () => {
  const known = documents.flatMap(({ document }) =>
    operationsOf(document).flatMap(({ operation }) =>
      Object.entries<Json>(operation.responses).flatMap(([status, response]) =>
        Object.values<Json>(follow(document, response).content ?? {}).flatMap(({ examples = {} }) =>
          Object.keys(examples).map((example) => `code=${status}, example=${example}`),
        ),
      ),
    ),
  );
  const asked = globSync("spec/**/*.md", { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/Prefer: (code=\d+, example=\w+)/g)].map(([, prefer = ""]) => ({ file, prefer })),
  );
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.filter(({ prefer }) => !known.includes(prefer))).toEqual([]);
});

test.each(documents)(
  "what $name gives as examples of a parameter's value fits the parameter",
  ({ document }) => {
    const parameters = Object.values<Json>(document.components.parameters ?? {}).filter(
      ({ schema }) => schema.pattern !== undefined,
    );
    const wrong = Object.entries<Json>(document.components.schemas).flatMap(([schema, { properties = {} }]) =>
      parameters.flatMap(({ name, schema: { pattern } }) =>
        (properties[name]?.examples ?? [])
          .filter((example: unknown) => !new RegExp(pattern).test(String(example)))
          .map((example: unknown) => `${schema}.${name} shows ${example}, and the parameter is ${pattern}`),
      ),
    );
    expect(wrong).toEqual([]);
  },
);

/** How ids begin, by what they are of. */
const PREFIXES: Readonly<Record<string, string>> = {
  ...{ account: "acc_", key: "key_", order: "ord_", user: "usr_", session: "ses_", invitation: "inv_" },
  ...{ call: "call_", usagerecord: "call_", entry: "led_", ledgerentry: "led_", activityentry: "act_" },
};

test.each(documents)("ids in examples of $name begin as those of their kind do", ({ document }) => {
  const shown = shownIn(document).flatMap(({ name, value, place }) =>
    Object.keys(document.components.schemas[name].properties ?? {}).map((field) => ({
      ...{ id: value?.[field], place: `${place}: ${name}.${field}` },
      kind: field === "id" || field === "entryId" ? name : field.replace(/(?:Id|_id)$/, ""),
      isId: /^id$|(?:Id|_id)$/.test(field),
    })),
  );
  const asked = Object.entries<Json>(document.components.parameters ?? {}).map(([name, parameter]) => ({
    ...{ id: parameter.example, place: `the parameter ${name}` },
    ...{ kind: name.replace(/Id$/, ""), isId: parameter.in === "path" && name.endsWith("Id") },
  }));
  const wrong = [...shown, ...asked].filter(({ id, kind, isId }) => {
    const prefix = PREFIXES[kind.toLowerCase()];
    return isId && prefix !== undefined && typeof id === "string" && !id.startsWith(prefix);
  });
  expect(wrong.map(({ place, id, kind }) => `${place} is ${id}, which is no id of ${kind}`)).toEqual([]);
});

/** Names that are kept free for examples; manuals also name the machine that their reader sits at. */
const FREE_HOST = /(?:^|\.)(?:example|test|invalid|example\.com)(?::\d+)?$/;
const OWN_HOST = /^127\.0\.0\.1(?::\d+)?$/;

test("addresses in documents, examples and samples are of nobody", () => {
  const hosts = texts.flatMap(({ file, text }) =>
    [...text.matchAll(/https?:\/\/([^/\s"'`)|,;]+)|[\w.+-]+@((?:[\w-]+\.)+\w+)/g)].map(
      ([, host, domain = ""]) => ({ file, host: (host ?? domain).replace(/\.$/, "") }),
    ),
  );
  const defaults = documents.flatMap(({ name, document }) =>
    document.servers.map(({ variables }: Json) => ({
      file: `spec/${name}/openapi.yaml`,
      host: variables.host.default as string,
    })),
  );
  const wrong = [...hosts, ...defaults].filter(
    ({ file, host }) =>
      !/^\{\w+\}$|^[\w.-]*\$/.test(host) &&
      !FREE_HOST.test(host) &&
      !(file.endsWith(".md") && OWN_HOST.test(host)),
  );
  expect(wrong, "use shop.example.com, or another name under .example or .test").toEqual([]);
});

test("amounts are told in the currency of the interfaces", () => {
  const wrong = texts.flatMap(({ file, text }) =>
    (/\b(?:EUR|GBP|CHF|JPY|CNY)\b|[€£¥]/.exec(text) ?? []).map((words) => `${file} says ${words}`),
  );
  expect(wrong, "all amounts are in USD").toEqual([]);
});

test.each(documents)(
  "times of $name are told to be UTC by the schema that has its name from them",
  ({ document }) => {
    const named = Object.entries<Json>(document.components.schemas).filter(
      ([name, { format, maximum }]) =>
        format === "date-time" || (maximum === 253402300799 && /Seconds$/.test(name)),
    );
    expect(named.filter(([, { description }]) => !/\bUTC\b/.test(description)).map(([name]) => name)).toEqual(
      [],
    );
  },
);

/** What keys and tokens look like, of this service and of others. */
const SECRETS = [
  /svc_sk_[A-Za-z0-9]{5,}(?![A-Za-z0-9…])/,
  /sk-[A-Za-z0-9-]{16,}/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
];

test("no document, example or manual holds what may be a key", () => {
  const manuals = ["README.md", "CHANGELOG.md", "client/README.md", "server/operator/README.md"];
  const all = [...texts, ...manuals.map((file) => ({ file, text: read(file) }))];
  const found = all.flatMap(({ file, text }) =>
    SECRETS.flatMap((secret) => (secret.exec(text) ?? []).slice(0, 1).map((words) => `${file}: ${words}`)),
  );
  expect(found, "show a key with all but its ends left out, as svc_sk_ab12…wxyz").toEqual([]);
});

test.each(documents)(
  "the changelog names only what $name has, or the client for it",
  ({ name, document }) => {
    const releases = releasesOf(name, read("CHANGELOG.md")).map(({ version, text }) => ({
      file: `CHANGELOG.md, ${name} ${version},`,
      text: withoutOwn(text, document),
    }));
    expect(unknownNames(document, releases)).toEqual([]);
  },
);

const client = globSync("client/*.ts", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts"))
  .map(read)
  .join("\n");

/** A text without the names that are parts of paths, or of the client. */
function withoutOwn(text: string, document: Json): string {
  const parts = new Set(Object.keys(document.paths).flatMap((path) => path.split("/")));
  return text.replaceAll(/`(\w+)`/g, (token, word) =>
    parts.has(word) || new RegExp(`\\b${word}\\b`).test(client) ? "" : token,
  );
}

test("the releases of the changelog are dated, and no release before the one that it follows", () => {
  for (const { name } of documents) {
    const dates = releasesOf(name, read("CHANGELOG.md")).map(({ date }) => date);
    expect(dates, `dates of ${name}, such as (2030-01-31)`).toEqual(
      dates.toSorted((one, other) => (String(one) < String(other) ? 1 : -1)),
    );
    for (const date of dates) expect(date).toBe(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10));
  }
});
