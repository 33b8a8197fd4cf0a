import { describe, expect, test } from "vitest";
import { compareContract } from "./compare-contract.ts";
import type { Json } from "./differences.ts";
import { type PlantableDocument, readExample } from "./planted-changes.ts";
import { writeReport } from "./report.ts";

const before = changed("nothing", "1.0.0");

/** The contract with a product's slug removed or a colour added, under a version. */
function changed(what: "breaking" | "compatible" | "nothing", version: string): ReadonlyMap<string, Json> {
  const document = readExample("ordering") as PlantableDocument;
  const { Product } = document.components.schemas;
  document.info.version = version;
  if (what === "compatible") Product.properties.colour = { type: "string" };
  if (what === "breaking") {
    delete Product.properties.slug;
    Product.required.splice(Product.required.indexOf("slug"), 1);
  }
  return new Map([["ordering", document]]);
}

const lastUnder = () => undefined;
const faultsOf = (after: ReadonlyMap<string, Json>, changelog: string) =>
  compareContract({ before, after, changelog, lastUnder }).flatMap(({ faults }) => faults);

const TOLD =
  "# Changelog\n\n## ordering 2.0.0\n\n- `slug` is gone.\n\n## ordering 1.0.0\n\n- First version.\n";
const SET_VERSION = expect.stringContaining("Set `info.version` in spec/ordering/openapi.yaml to 2.0.0");
const SAY_SO = expect.stringContaining("below `## ordering 2.0.0`");

describe("a breaking change", () => {
  test.each([
    ["without a version and an entry", "1.0.0", "", [SET_VERSION, SAY_SO]],
    ["with a minor version", "1.1.0", TOLD, [SET_VERSION]],
    ["with a version and no entry", "2.0.0", "# Changelog\n\n## ordering 1.0.0\n\n- First.\n", [SAY_SO]],
    [
      "with an entry that says nothing",
      "2.0.0",
      "## ordering 2.0.0\n\n## ordering 1.0.0\n\n- First.\n",
      [SAY_SO],
    ],
    ["with the entry of another interface", "2.0.0", TOLD.replaceAll("ordering", "another"), [SAY_SO]],
  ])("%s is refused", (_, version, changelog, faults) => {
    expect(faultsOf(changed("breaking", version), changelog)).toEqual(faults);
  });

  test("with a new major version and its entry may be merged", () => {
    expect(faultsOf(changed("breaking", "2.0.0"), TOLD)).toEqual([]);
  });

  test("may have a date in the heading of its entry", () => {
    const dated = TOLD.replace("2.0.0", "2.0.0 (2026-11-21)");
    expect(faultsOf(changed("breaking", "2.0.0"), dated)).toEqual([]);
    expect(faultsOf(changed("breaking", "2.0.0"), TOLD.replace("2.0.0", "2.0.0 (soon)"))).toEqual([SAY_SO]);
  });

  test("is also an interface that goes", () => {
    expect(faultsOf(new Map(), "")).toEqual([SAY_SO]);
    expect(faultsOf(new Map(), TOLD)).toEqual([]);
  });
});

test("a change that breaks nobody needs no version, and may have a higher one, of which the changelog tells", () => {
  expect(faultsOf(changed("compatible", "1.0.0"), "")).toEqual([]);
  for (const [what, version] of [
    ["compatible", "1.1.0"],
    ["nothing", "2.0.0"],
  ] as const) {
    expect(faultsOf(changed(what, version), `## ordering ${version}\n\n- More.\n`)).toEqual([]);
    const after = changed(what, version);
    const comparisons = compareContract({ before, after, changelog: "", lastUnder });
    expect(comparisons).toMatchObject([
      {
        faults: [`Say in CHANGELOG.md, below \`## ordering ${version}\`, what is new for buyers.`],
      },
    ]);
    expect(writeReport(comparisons, { base: "main", markdown: false })).toContain(
      "A version is new, and the changelog does not say what it brings: this must not be merged.",
    );
  }
});

describe("a version that falls", () => {
  /** What was 1.0.0, from where the contract came to be what it is `before`. */
  const compare = (released: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>) =>
    compareContract({
      before: released,
      after,
      changelog: "",
      lastUnder: (name, version) => (version === "1.0.0" ? before.get(name) : undefined),
    });

  test.each([
    ["minor", changed("compatible", "1.1.0")],
    ["major", changed("breaking", "2.0.0")],
    ["without any change", changed("nothing", "1.0.1")],
  ])("takes back a release: %s", (_, released) => {
    const comparisons = compare(released, before);
    expect(comparisons).toMatchObject([{ falls: true, faults: [] }]);
    const report = writeReport(comparisons, { base: "main", markdown: false });
    expect(report).toContain("A release is taken back: who relies on it breaks.");
  });

  test("may come back with what breaks nobody", () => {
    expect(compare(changed("breaking", "2.0.0"), changed("compatible", "1.0.0"))).toMatchObject([
      { faults: [] },
    ]);
  });

  test("is refused where the contract is not what it was then", () => {
    const comparisons = compare(changed("breaking", "2.0.0"), changed("breaking", "1.0.0"));
    expect(comparisons).toMatchObject([
      {
        faults: [
          "`info.version` in spec/ordering/openapi.yaml falls from 2.0.0 to 1.0.0, and the contract is not what it was " +
            "then: `Product.slug` is gone, in answers of `GET /products 200`. Take all of it back, or raise the version.",
        ],
      },
    ]);
    const report = writeReport(comparisons, { base: "main", markdown: false });
    expect(report).toContain(
      "A version falls, and the contract is not what it was then: this must not be merged.",
    );
  });

  test("is refused where there never was that version", () => {
    expect(faultsOf(changed("nothing", "0.9.9"), "")).toEqual([
      "`info.version` in spec/ordering/openapi.yaml falls from 1.0.0 to 0.9.9, which there never was: raise it instead.",
    ]);
  });
});

test("a new interface may be merged", () => {
  const after = new Map([...before, ["desk", readExample("ordering")]]);
  const [desk] = compareContract({ before, after, changelog: "", lastUnder });
  expect(desk).toMatchObject({ name: "desk", versionBefore: null, faults: [] });
});

describe("the report", () => {
  const report = (what: Parameters<typeof changed>[0], markdown: boolean) =>
    writeReport(compareContract({ before, after: changed(what, "1.0.0"), changelog: "", lastUnder }), {
      base: "the tag v1",
      markdown,
    });

  test("says in Markdown what broke, for whom, and what is to be done", () => {
    expect(report("breaking", true)).toBe(
      [
        "## The contract, compared with the tag v1",
        "### ordering 1.0.0",
        "**Breaks buyers**, answers: programs may miss something, or meet something that they were not told of:\n" +
          "- `Product.slug` is gone, in answers of `GET /products 200`.",
        "Reads differently, nothing else: descriptions, examples and the like (1).",
        "To merge this:\n" +
          "- [ ] Set `info.version` in spec/ordering/openapi.yaml to 2.0.0 (it is 1.0.0), or take the change back.\n" +
          "- [ ] Say in CHANGELOG.md, below `## ordering 2.0.0`, what buyers have to change.",
        "**Buyers break, and the version or the changelog does not say so: this must not be merged.**",
      ].join("\n\n"),
    );
  });

  test("says that nobody breaks, plainly for a terminal", () => {
    expect(report("compatible", false)).toBe(
      [
        "The contract, compared with the tag v1",
        "ordering 1.0.0",
        "Does not break buyers:\n- Product.colour is new and may be missing, in answers of GET /products 200.",
        "No buyer breaks.",
      ].join("\n\n"),
    );
    expect(report("nothing", false)).toContain("Nothing has changed.");
  });
});
