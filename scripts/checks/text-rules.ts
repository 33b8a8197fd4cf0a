// Rules about what text may stand in which file. Run as a program, it prints what breaks them as file:line and fails.
import { globSync, readFileSync } from "node:fs";
import { matchesGlob, resolve } from "node:path";
import ts from "typescript";

/** A rule about the string and template literals of some files. */
export interface TextRule {
  readonly name: string;
  /** What the reader of a message is told. */
  readonly message: string;
  /** The globs of the files that it is about. */
  readonly files: readonly string[];
  /** Those of them in which the text may stand; each says why. */
  readonly allowed: Readonly<Record<string, string>>;
  /** Text that breaks the rule; whatever a template puts in stands there as {@link PUT_IN}. */
  readonly pattern: RegExp;
}

/** A place that breaks a rule. */
export interface Breach {
  readonly rule: TextRule;
  readonly line: number;
}

const SERVER = ["server/**/*.ts"];
const TESTS = {
  "server/**/*.test.ts": "a test looks at the tables themselves",
  "server/testing/**": "test equipment",
};

const PUT_IN = "…";
const MONEY_COLUMN = String.raw`\b(?:(?:balance|reserved|score)_microcents|ledger_sequence)`;

/** The rules of this project. */
export const TEXT_RULES: readonly TextRule[] = [
  {
    name: "sql-only-in-stores",
    message: "SQL stands in stores (*-store.ts) and in server/database alone.",
    files: SERVER,
    allowed: {
      ...TESTS,
      "server/**/*-store.ts": "a store",
      "server/database/**": "what stores stand on, and the migrations",
      "server/embedded-database/**": "sets the database itself up",
      "server/audit/checks.ts": "each check of the books is one SELECT over the tables of several stores",
    },
    pattern:
      /\bSELECT\s|\b(?:INSERT|REPLACE)\s+(?:IGNORE\s+)?INTO\s|\bUPDATE\s+\S+(?:\s+\w+)?\s+SET\s|\bDELETE\s+FROM\s/,
  },
  {
    name: "one-door-to-the-money",
    message: "Only server/ledger/funds-store.ts changes what accounts have, or adds ledger entries.",
    files: SERVER,
    allowed: {
      ...TESTS,
      "server/ledger/funds-store.ts": "the one door to the money",
      "server/database/migrations/**": "bring amounts to a new schema",
    },
    pattern: new RegExp(
      String.raw`\b(?:INTO|UPDATE|DELETE\s+FROM)\s+ledger_entries\b` +
        String.raw`|\bUPDATE\s+accounts\b[^]*\bSET\s[^]*(?:${MONEY_COLUMN}\s*=|${PUT_IN})`,
    ),
  },
  {
    name: "accounts-begin-with-nothing",
    message: "Only server/accounts/account-store.ts opens accounts, with zeros in the statement itself.",
    files: SERVER,
    allowed: { ...TESTS, "server/accounts/account-store.ts": "opens them" },
    pattern: /\bINTO\s+accounts\b/,
  },
];

/** The places in a file's text that break one of the rules which are about the file. */
export function findBreaches(
  path: string,
  text: string,
  rules: readonly TextRule[] = TEXT_RULES,
): readonly Breach[] {
  const applying = rules.filter(
    ({ files, allowed }) => isIn(path, files) && !isIn(path, Object.keys(allowed)),
  );
  if (applying.length === 0) return [];
  return literalsOf(path, text).flatMap((literal) =>
    applying
      .filter(({ pattern }) => pattern.test(literal.text))
      .map((rule) => ({ rule, line: literal.line })),
  );
}

function isIn(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesGlob(path, glob));
}

/** The string and template literals of a file, and the line where each begins. */
function literalsOf(path: string, text: string): { text: string; line: number }[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: { text: string; line: number }[] = [];
  const visit = (node: ts.Node) => {
    const literal = textOf(node);
    if (literal !== null) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ text: literal, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(PUT_IN);
}

function main(): void {
  const cwd = resolve(import.meta.dirname, "../..");
  const paths = new Set(TEXT_RULES.flatMap(({ files }) => files).flatMap((glob) => globSync(glob, { cwd })));
  for (const path of [...paths].toSorted()) {
    for (const { rule, line } of findBreaches(path, readFileSync(resolve(cwd, path), "utf8"))) {
      console.error(`${path}:${line} ${rule.name}: ${rule.message}`);
      process.exitCode = 1;
    }
  }
}

if (import.meta.main) main();
