import fc from "fast-check";
import { headersWith } from "../contract.ts";
import { callersWith } from "./callers.ts";
import { type FaultKind, type Refusal, refusalOf } from "./expectations.ts";
import type { FuzzedInterface } from "./fuzzed-interface.ts";
import type { FuzzRequest, RequestParts } from "./request.ts";
import type { Spec, SpecOperation, SpecParameter } from "./spec.ts";
import { bodyOptions, parameterOptions, toRequest, validParts, writtenType } from "./valid-requests.ts";
import { texts, type ValueOptions } from "./values.ts";
import { violationsOf } from "./violations.ts";

/** A request that is wrong in one place, and how it has to be refused. */
export interface BrokenRequest {
  /** What is wrong, such as `body/qty: below the minimum`. */
  readonly fault: string;
  /** What the message for people has to name; "" when nothing. */
  readonly names: string;
  readonly refusal: Refusal;
  /** Another refusal that is as good; null when there is none. */
  readonly otherwise: Refusal | null;
  readonly request: FuzzRequest;
}

/** A way to break the parts of a request. */
interface Breakage {
  readonly kind: FaultKind;
  readonly fault: string;
  readonly names?: string;
  readonly parts: fc.Arbitrary<RequestParts>;
}

/** Requests that are broken in exactly one place; null when there is no way to break one. */
export function brokenRequests(
  spec: Spec,
  operation: SpecOperation,
  known: FuzzedInterface,
): fc.Arbitrary<BrokenRequest> | null {
  const valid = validParts(spec, operation, known);
  const ways = [
    ...brokenKeys(operation, known, valid),
    ...brokenPaths(spec, operation, known, valid),
    ...brokenQueries(spec, operation, known, valid),
    ...brokenHeaders(spec, operation, known, valid),
    ...brokenBodies(spec, operation, known, valid),
  ].flatMap(({ kind, fault, names = "", parts }) => {
    const refusal = refusalOf(known.refusals, operation, kind);
    if (refusal === null) return [];
    // What is refused as the id of nothing is not said to be wrong.
    const named = refusal === known.refusals[kind] ? names : "";
    const isFoundFirst = kind === "invalid path" && known.findsPathsFirst === true;
    const otherwise = isFoundFirst ? refusalOf(known.refusals, operation, "no such path") : null;
    return [
      parts.map((broken) => ({
        ...{ fault, names: named, refusal, otherwise },
        request: toRequest(operation, broken),
      })),
    ];
  });
  return ways.length === 0 ? null : fc.oneof(...ways);
}

type Valid = fc.Arbitrary<RequestParts>;

function brokenKeys(
  { admissions }: SpecOperation,
  { callers, revoked }: FuzzedInterface,
  valid: Valid,
): Breakage[] {
  if (admissions.length === 0) return [];
  const withoutKey = valid.map((parts) => ({
    ...parts,
    headers: Object.fromEntries(
      Object.entries(parts.headers).filter(([name]) => admissions.every(({ header }) => header !== name)),
    ),
  }));
  const withKey = (keys: fc.Arbitrary<string>) =>
    fc.tuple(withoutKey, fc.constantFrom(...admissions), keys).map(([parts, admission, key]) => ({
      ...parts,
      headers: { ...parts.headers, ...headersWith(admission, key) },
    }));
  const good = callersWith(callers, admissions[0]?.scopes ?? [])[0]?.credential ?? "";
  const wrongKinds = admissions.flatMap((admission) => {
    const able = callersWith(callers, admission.scopes);
    const unable = callers.filter((caller) => !able.includes(caller));
    return unable.map(({ credential }) => headersWith(admission, credential));
  });
  const garbled = fc.oneof(
    fc.constantFrom("", "svc_sk_", `${good}x`, `x${good}`, `${good} ${good}`, "null", "undefined"),
    texts("plain", 1, 100).map((text) => text.replaceAll(/[^\x21-\x7e]/g, "_")),
  );
  return [
    { kind: "no key", fault: "no key", parts: withoutKey },
    { kind: "no key", fault: "a key that no account has", parts: withKey(garbled) },
    { kind: "no key", fault: "a revoked key", parts: withKey(fc.constant(revoked)) },
    {
      kind: "no key",
      fault: "a key in a way that is not known",
      parts: withoutKey.map((parts) => ({
        ...parts,
        headers: { ...parts.headers, authorization: `Basic ${good}`, "api-key": good, cookie: good },
      })),
    },
    ...wrongKinds.map((headers) => ({
      kind: "wrong kind of key" as const,
      fault: "a key of another kind",
      parts: withoutKey.map((parts) => ({ ...parts, headers: { ...parts.headers, ...headers } })),
    })),
  ];
}

function brokenPaths(spec: Spec, operation: SpecOperation, known: FuzzedInterface, valid: Valid): Breakage[] {
  const breakages: Breakage[] = [];
  for (const parameter of operation.allParameters.filter((each) => each.in === "path")) {
    const { name } = parameter;
    const put = (values: fc.Arbitrary<string>) =>
      fc.tuple(valid, values).map(([parts, value]) => ({ ...parts, path: { ...parts.path, [name]: value } }));
    for (const { what, values, bySchema } of writtenViolations(
      spec,
      parameter,
      parameterOptions(spec, known),
    )) {
      const filled = values.filter((text) => text !== "" && text.isWellFormed());
      if (what !== "too short")
        breakages.push({
          kind: "invalid path",
          fault: `path ${name}: ${what}`,
          ...(bySchema && { names: name }),
          parts: put(filled.map(encodeURIComponent)),
        });
    }
    breakages.push({ kind: "invalid path", fault: `path ${name}: undecodable`, parts: put(undecodable()) });
    if (!known.ignoresSlashes)
      breakages.push({ kind: "no such path", fault: `path ${name}: missing`, parts: put(fc.constant("")) });
  }
  return breakages;
}

function brokenQueries(
  spec: Spec,
  operation: SpecOperation,
  known: FuzzedInterface,
  valid: Valid,
): Breakage[] {
  const parameters = operation.allParameters.filter((parameter) => parameter.in === "query");
  const names = parameters.map(({ name }) => name);
  const replaced = (name: string, values: fc.Arbitrary<string[]>) =>
    fc.tuple(valid, values).map(([parts, given]) => ({
      ...parts,
      query: [
        ...parts.query.filter(([other]) => other !== name),
        ...given.map((value) => [name, value] as const),
      ],
    }));
  const breakages = parameters.flatMap(({ name, ...parameter }): Breakage[] => [
    ...writtenViolations(spec, { name, ...parameter }, parameterOptions(spec, known)).map(
      ({ what, values }): Breakage => ({
        kind: "invalid input",
        fault: `query ${name}: ${what}`,
        names: name,
        parts: replaced(
          name,
          values.filter((text) => text.isWellFormed()).map((text) => [encodeURIComponent(text)]),
        ),
      }),
    ),
    {
      kind: "invalid input",
      fault: `query ${name}: undecodable`,
      parts: replaced(
        name,
        undecodable().map((text) => [text]),
      ),
    },
    {
      kind: "invalid input",
      fault: `query ${name}: there twice`,
      parts: replaced(name, fc.constantFrom(["1", "1"], ["1", "2"], ["a", "b", "c"])),
    },
  ]);
  const near = names.flatMap((name) => [`${name}[]`, name.toUpperCase(), `${name}%20`, `${name}[a]`]);
  const unknown = fc
    .oneof(
      fc.constantFrom("__proto__", "constructor", "hasOwnProperty", ...near),
      texts("plain", 1, 12).map(encodeURIComponent),
    )
    .filter((name) => !names.includes(decodeURIComponent(name)));
  if (operation.ignoresUnknownQuery) return breakages;
  breakages.push({
    kind: "invalid input",
    fault: "query: an unknown parameter",
    parts: fc
      .tuple(valid, unknown, fc.constantFrom("", "1", "x"))
      .map(([parts, name, value]) => ({ ...parts, query: [...parts.query, [name, value] as const] })),
  });
  return breakages;
}

function brokenHeaders(
  spec: Spec,
  { allParameters }: SpecOperation,
  known: FuzzedInterface,
  valid: Valid,
): Breakage[] {
  return allParameters
    .filter((parameter) => parameter.in === "header")
    .flatMap((parameter) => {
      const name = parameter.name.toLowerCase();
      const breakage = (what: string, parts: Breakage["parts"]): Breakage => {
        return { kind: "invalid input", fault: `header ${name}: ${what}`, names: parameter.name, parts };
      };
      const broken = writtenViolations(spec, parameter, parameterOptions(spec, known))
        .filter(({ bySchema }) => bySchema)
        .map(({ what, values }) => {
          const given = fc.tuple(valid, values.filter(isHeaderValue));
          return breakage(
            what,
            given.map(([parts, value]) => ({ ...parts, headers: { ...parts.headers, [name]: value } })),
          );
        });
      if (!parameter.required) return broken;
      return [
        ...broken,
        breakage(
          "missing",
          valid.map((parts) => ({ ...parts, headers: without(parts.headers, name) })),
        ),
      ];
    });
}

/** Whether a header can carry a text as it is. */
function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e\xa0-\xff]*$/.test(text) && text === text.trim();
}

function without(headers: RequestParts["headers"], name: string): RequestParts["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
}

function brokenBodies(
  spec: Spec,
  { body: wanted }: SpecOperation,
  known: FuzzedInterface,
  valid: Valid,
): Breakage[] {
  if (wanted === null) return [];
  const { schema, mediaType } = wanted;
  const isJson = mediaType === "application/json";
  const unreadable = (
    fault: string,
    change: fc.Arbitrary<(parts: RequestParts) => RequestParts>,
  ): Breakage => ({
    kind: "unreadable body",
    fault: `body: ${fault}`,
    parts: fc.tuple(valid, change).map(([parts, apply]) => apply(parts)),
  });
  const withBody = (bodies: fc.Arbitrary<NonNullable<FuzzRequest["body"]>>) =>
    bodies.map((body) => (parts: RequestParts) => ({ ...parts, body }));
  const withType = (types: fc.Arbitrary<string>) =>
    types.map((type) => (parts: RequestParts) => ({
      ...parts,
      headers: { ...parts.headers, "content-type": type },
    }));
  return [
    ...violationsOf(schema, bodyOptions(spec, known))
      .filter(({ place, what }) => place !== "" || what !== "another type")
      .map(
        ({ place, what, values, bySchema }): Breakage => ({
          kind: "invalid input",
          fault: `body${place}: ${what}`,
          names: place.split("/").findLast((name) => name !== "*") ?? "",
          parts: fc
            .tuple(valid, bySchema ? values.filter((body) => !spec.fits(schema, body)) : values)
            .map(([parts, body]) => ({ ...parts, body: isJson ? JSON.stringify(body) : String(body) })),
        }),
      ),
    unreadable("not UTF-8", withBody(fc.constantFrom(...NOT_UTF8.map((base64) => ({ base64 }))))),
    unreadable(
      "of another media type",
      withType(fc.constantFrom(...OTHER_TYPES.filter((it) => it !== mediaType))),
    ),
    ...(isJson
      ? [
          unreadable("absent", fc.constant(withoutBody)),
          unreadable("no JSON", fc.constantFrom(...DAMAGES).map(damageWith)),
          unreadable("no object", withBody(fc.constantFrom(...NO_OBJECTS))),
        ]
      : []),
  ];
}

const NO_OBJECTS = ["null", "[]", "[{}]", "0", "true", '"text"', " \n"];
const OTHER_TYPES = [
  "",
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/problem+json",
  "application/json-seq",
  "application/json; charset=utf-16",
  "application/json; charset=latin1",
  "multipart/form-data; boundary=x",
  "*/*",
  "json",
];
/** `{"a":"é"}` in Latin-1, a lone continuation byte, an encoded surrogate, and `{}` in UTF-16. */
const NOT_UTF8 = ["eyJhIjoi6SJ9", "eyJhIjoigCJ9", "eyJhIjoi7aCAIn0=", "//57AH0A"];

const DAMAGES: readonly ((json: string) => string)[] = [
  (json) => json.slice(0, -1),
  (json) => `${json}}`,
  (json) => `${json.slice(0, -1)},}`,
  (json) => json.replaceAll('"', "'"),
  (json) => `${json}${json}`,
  (json) => `/**/${json}`,
  (json) => json.replace("{", "{NaN:NaN,"),
  (json) => json.replace('"', '"\t\n'),
  () => "undefined",
  () => "a=1&b=2",
];

const damageWith = (damage: (json: string) => string) => (parts: RequestParts) => ({
  ...parts,
  body: damage(typeof parts.body === "string" ? parts.body.trim() : "{}"),
});

function withoutBody({ body: _, ...parts }: RequestParts): RequestParts {
  return parts;
}

/** Violations of a parameter's schema as they are written in a URL. */
function writtenViolations(spec: Spec, parameter: SpecParameter, options: ValueOptions) {
  const type = writtenType(spec, parameter);
  const found = violationsOf(parameter.schema, options)
    .filter(({ what }) => what !== "another type")
    .map((violation) => ({ ...violation, values: violation.values.map(String) }));
  if (type === "string") return found;
  const others = type === "boolean" ? NO_BOOLEANS : NO_PLAIN_NUMBERS;
  return [...found, { place: "", what: `no ${type}`, values: fc.constantFrom(...others), bySchema: true }];
}

const NO_BOOLEANS = ["", " ", "yes", "True", "TRUE", "2", "null", "true,false"];
const NO_PLAIN_NUMBERS = [
  ...["", " ", "a", "1a", "0x10", "1e1", "+1", "01", "1.0", "-0", "true", "null", "NaN", "1,2", "１"],
  "9".repeat(400),
];

function undecodable(): fc.Arbitrary<string> {
  return fc.constantFrom("%", "%z", "%zz", "%ff", "%c3%28", "a%00", "%E0%A4%A", "%ed%a0%80", "%u0041");
}
