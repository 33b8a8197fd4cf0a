import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { adviceFor } from "./advice.ts";
import { interfaceNames } from "./interface-names.ts";
import { readObjects, redocly, specFolder } from "./redocly.ts";

/** Something in spec/ that breaks a rule. */
export interface Problem {
  /** From the project's folder, such as `spec/ordering/schemas/Product.yaml`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  readonly message: string;
  /** What to do about it. */
  readonly advice: string;
}

/** What Redocly's JSON says of a problem; `location` may have places without a line, as when a file cannot be parsed. */
interface Reported {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly {
    source: { ref: string };
    pointer?: string;
    start?: { line: number; col: number };
  }[];
  readonly suggest: readonly string[];
}

/**
 * Checks every interface of spec/ against spec/redocly.yaml, and the 3.0 forms in generated/ against spec/redocly-3.0.yaml.
 * @throws when the tool gives no list of problems, as when spec/redocly.yaml itself is broken
 */
export async function findProblems(): Promise<Problem[]> {
  const documents = interfaceNames().map((name) => `${name}/openapi.yaml`);
  const forms = interfaceNames().map((name) => `../generated/${name}/openapi-3.0.json`);
  const reported = await Promise.all([
    lint(documents, "redocly.yaml"),
    // A form that is not there yet is missed by the comparison of generated/ with spec/.
    lint(
      forms.filter((form) => existsSync(join(specFolder, form))),
      "redocly-3.0.yaml",
    ),
  ]);
  const problems = [
    ...reported.flat().filter(isCause).map(toProblem),
    ...filesWithoutReference(documents),
    ...mockPortProblems(documents),
  ];
  // A schema that is used in many places is reported in each.
  const distinct = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...distinct.values()].sort((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line,
  );
}

/** Says where a problem is, what it is and how to correct it. */
export function describeProblem({ file, line, column, rule, message, advice }: Problem): string {
  return `${file}:${line}:${column}  ${message}  (${rule})\n    ${advice}`;
}

/**
 * What the linter reports of documents.
 * @param documents from spec/, or absolute
 * @param rules the file in spec/ that holds the rules
 */
export async function lint(documents: readonly string[], rules: string): Promise<Reported[]> {
  if (documents.length === 0) return [];
  const options = ["--format=json", "--max-problems=1000", `--config=${rules}`];
  const { output, messages } = await redocly("lint", ...documents, ...options);
  const reports = output.startsWith("{") ? readObjects(output) : [];
  // It stops at a document that it cannot read.
  if (reports.length < documents.length) throw new Error(`spec/ cannot be checked:\n${output}${messages}`);
  return reports.flatMap((report) => JSON.parse(report).problems);
}

/** Every example of a schema with a broken reference is reported beside the reference itself. */
function isCause({ message }: Reported): boolean {
  return !message.startsWith("Example validation errored: can't resolve reference");
}

function toProblem({ ruleId, message, location: [place], suggest }: Reported): Problem {
  // A file that cannot be parsed has its line in the message.
  const [, told] = /\((\d+):\d+\)$/.exec(message) ?? [];
  const file = normalize(`spec/${place?.source.ref ?? ""}`);
  return {
    file,
    line: place?.start?.line ?? Number(told ?? 1),
    column: place?.start?.col ?? 1,
    rule: ruleId,
    message: message.replaceAll(`${specFolder}/`, "spec/"),
    advice: file.startsWith("generated/") ? ADVICE_FOR_FORMS : adviceFor(ruleId, message, suggest),
  };
}

const ADVICE_FOR_FORMS =
  "This file is made of spec/, and 3.0 cannot say it: write it there in another way, then `npm run generate`.";

/** Documents whose mocks cannot be served beside the others. */
function mockPortProblems(documents: string[]): Problem[] {
  const ports = new Map<string, string>();
  return documents.flatMap((file) => {
    const lines = readFileSync(join(specFolder, file), "utf8").split("\n");
    const index = lines.findIndex((line) => line.startsWith("x-mock-port:"));
    const [, port] = /: *([1-9]\d{3,4})\b/.exec(lines[index] ?? "") ?? [];
    const owner = ports.get(port ?? "");
    if (port !== undefined && owner === undefined) {
      ports.set(port, file);
      return [];
    }
    const rule = "mock-port";
    const message = owner
      ? `The mock of spec/${owner} has the port ${port} already.`
      : "The document does not say which port its mock has.";
    return [
      {
        file: `spec/${file}`,
        line: Math.max(index, 0) + 1,
        column: 1,
        rule,
        message,
        advice: adviceFor(rule),
      },
    ];
  });
}

/** Files that neither Redocly nor a reader of the bundled document would ever see. */
function filesWithoutReference(documents: string[]): Problem[] {
  const files = globSync("*/**/*.yaml", { cwd: specFolder });
  const references = files.flatMap((file) => {
    const text = readFileSync(join(specFolder, file), "utf8");
    return [...text.matchAll(/\$ref: ['"]?([^#'"\s]+)/g)].map(([, target = ""]) =>
      normalize(join(dirname(file), target)),
    );
  });
  const known = new Set([...documents, ...references]);
  const rule = "file-without-reference";
  const message = "No file refers to this one, so it belongs to no interface.";
  return files
    .filter((file) => !known.has(file))
    .map((file) => ({ file: `spec/${file}`, line: 1, column: 1, rule, message, advice: adviceFor(rule) }));
}
