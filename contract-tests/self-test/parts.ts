/** Runs test files as `npm test` does, with whatever it looks at beside the tests themselves. */
function tests(title: string, ...args: string[]): Part {
  return { title, command: ["scripts/test.ts", "--only-tests", ...args] };
}

/** A part of the gate. */
interface Part {
  readonly title: string;
  /** The program that fails when it finds a fault. */
  readonly command: readonly string[];
  /** What has to be run first, where a fault is one of the spec. */
  readonly prepare?: readonly string[];
}

const GENERATE = ["scripts/generate.ts"];

/** The parts of the gate, each a program that fails when it finds a fault. */
export const PARTS = {
  // The faults that it stops are of one interface: the other takes as long again.
  dredd: tests("Dredd", "contract-tests/dredd/dredd", "--testNamePattern=of ordering"),
  prism: {
    title: "npm run test:proxied",
    command: ["scripts/test.ts", "--proxied", "server/interfaces/ordering/behaviour"],
  },
  drift: { title: "the check of generated files", command: ["scripts/checks/drift.ts"] },
  lint: { title: "npm run spec:check", command: ["scripts/lint-spec.ts"] },
  change: { title: "npm run contract:diff", command: ["scripts/contract-diff.ts"] },
  codes: tests("the test of error codes", "contract-tests/error-codes"),
  codesOfSpec: { ...tests("the test of error codes", "contract-tests/error-codes"), prepare: GENERATE },
  fields: tests("the test of fields", "contract-tests/fields"),
  boundaries: tests("the test of limits, lists and times", "contract-tests/boundaries"),
  prose: tests("the test of manuals", "contract-tests/prose"),
  proseOfSpec: { ...tests("the test of manuals", "contract-tests/prose"), prepare: GENERATE },
  places: tests("the test of places", "contract-tests/prose/places"),
  placesOfSpec: { ...tests("the test of places", "contract-tests/prose/places"), prepare: GENERATE },
  tests: tests("the test of tests", "scripts/checks/test-rules"),
  types: { ...tests("the test of types", "contract-tests/types.test"), prepare: GENERATE },
  examples: { ...tests("the test of examples", "contract-tests/examples.test"), prepare: GENERATE },
  sequences: tests("the fuzzer", "contract-tests/fuzz/fuzz.test"),
  client: tests("the client's tests", "client/look-up"),
  clientRequests: tests(
    "the test of what the client sends, tells and waits for",
    ...["parameters", "limits", "ends"].map((name) => `contract-tests/client/${name}`),
  ),
  fieldsOfSpec: { ...tests("the test of fields", "contract-tests/fields"), prepare: GENERATE },
  shownOfSpec: {
    ...tests("the test of what examples show", "contract-tests/meaning/shown-values"),
    prepare: GENERATE,
  },
  filesOfSpec: {
    ...tests("the test of files", "contract-tests/boundaries", "--testNamePattern=files have the columns"),
    prepare: GENERATE,
  },
  sentences: tests("the test of sentences", "contract-tests/meaning/sentences"),
  limits: tests("the test of what is to be waited for", "server/interfaces/admission-errors"),
  service: tests("the service's tests", "server/interfaces/ordering/orders.http"),
  people: tests(
    "the tests of the account center",
    ...["session", "keys"].map((name) => `server/interfaces/account/${name}.http`),
  ),
  samples: tests("the test of samples", "contract-tests/samples"),
  streams: tests("the client's tests of streams", "client/proxy-client"),
  keys: tests("the service's tests of requests", "server/interfaces/ordering/behaviour"),
  paths: tests("the test of paths", "server/interfaces/proxy/paths"),
  docs: tests("the test of the documentation", "server/http/docs/docs"),
  calls: { ...tests("the test of refused calls", "server/interfaces/proxy/refusals"), prepare: GENERATE },
  checks: {
    ...tests("the test of the order of checks", "server/interfaces/ordering/errors.http"),
    prepare: GENERATE,
  },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

/** A part by its name. */
export function partOf(name: PartName): Part {
  return PARTS[name];
}
