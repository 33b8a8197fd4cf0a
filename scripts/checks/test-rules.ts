import ts from "typescript";

// Rules about tests, and about what takes code out of what is looked at.

/** What may not stand in a file of the project, in comments that turn the compiler or the linter off. */
const TURNED_OFF = /^\s*\/[/*]+\s*(@ts-nocheck|@ts-ignore|biome-ignore-all)\b/;
/** What compares, or waits for what has to come. */
const ASSERTS = /^(?:expect|assert|until|waitUntil|waitFor|eventually|runBoth|check$)/i;
const ASSERTS_SOMEWHERE = /\b(?:expect|assert)\w*\(/;
/** What does not compile is compared by the compiler. */
const BY_COMPILER = "@ts-expect-error";

/** A place that breaks a rule. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

/** The text of a module that a file imports by a relative path; null where there is none. */
export type ReadImport = (path: string) => string | null;

/** Comments that take a whole file out of what the compiler or the linter looks at. */
export function turnedOff(text: string): Fault[] {
  return text.split("\n").flatMap((line, index) => {
    const [, comment] = TURNED_OFF.exec(line) ?? [];
    if (comment === undefined) return [];
    return [
      { line: index + 1, message: `${comment} hides whatever else becomes wrong: mend the one place.` },
    ];
  });
}

/**
 * Tests that nothing can fail but an exception: neither they nor what they call compares anything.
 * @param text of a test file
 */
export function testsWithoutAssertion(text: string, readImport: ReadImport): Fault[] {
  const source = ts.createSourceFile("a.test.ts", text, ts.ScriptTarget.Latest, true);
  const asserting = new Set<string>();
  for (const [name, path] of importsOf(source))
    if (ASSERTS_SOMEWHERE.test(readImport(path) ?? "")) asserting.add(name);
  const declared = declarationsIn(source);
  // What calls something that asserts, asserts.
  for (let known = -1; known !== asserting.size; ) {
    known = asserting.size;
    for (const [name, body] of declared) if (doesAssert(body, asserting)) asserting.add(name);
  }
  return testsIn(source)
    .filter(({ body }) => !doesAssert(body, asserting))
    .map(({ line, name }) => ({
      line,
      message: `the test ${name} expects nothing: compare what comes of it.`,
    }));
}

function doesAssert(node: ts.Node, asserting: ReadonlySet<string>): boolean {
  let found = node.getFullText().includes(BY_COMPILER);
  const visit = (inner: ts.Node): void => {
    if (ts.isIdentifier(inner) && (ASSERTS.test(inner.text) || asserting.has(inner.text))) found = true;
    if (!found) ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

function importsOf(source: ts.SourceFile): [name: string, path: string][] {
  return source.statements.flatMap((statement): [string, string][] => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const { text: path } = statement.moduleSpecifier;
    const bindings = statement.importClause?.namedBindings;
    if (!path.startsWith(".") || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map(({ name }) => [name.text, path]);
  });
}

/** Functions and values of a file, by name, wherever they stand. */
function declarationsIn(source: ts.SourceFile): [name: string, body: ts.Node][] {
  const found: [string, ts.Node][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name && node.body) found.push([node.name.text, node.body]);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      found.push([node.name.text, node.initializer]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Every test of a file, also one of a table, with the function that it runs. */
function testsIn(source: ts.SourceFile): { line: number; name: string; body: ts.Node }[] {
  const found: { line: number; name: string; body: ts.Node }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [name] = node.arguments;
      const body = node.arguments.find((it) => ts.isArrowFunction(it) || ts.isFunctionExpression(it));
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (name && body) found.push({ line: line + 1, name: name.getText(source), body });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether a test is what is called, as in `test(…)`, `test.concurrent(…)` and `test.each(…)(…)`. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === "test";
  if (ts.isPropertyAccessExpression(callee))
    return !/^(?:each|for|todo)$/.test(callee.name.text) && isTest(callee.expression);
  if (!ts.isCallExpression(callee) || !ts.isPropertyAccessExpression(callee.expression)) return false;
  const { name, expression } = callee.expression;
  return /^(?:each|for)$/.test(name.text) && isTest(expression);
}
