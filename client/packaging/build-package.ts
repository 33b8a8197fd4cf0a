import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "../..");
const configFile = join(import.meta.dirname, "tsconfig.json");

/** The only packages that the client may need. */
const DEPENDENCIES = ["decimal.js", "eventsource-parser", "openapi-fetch"];

/**
 * Makes the package that buyers install: ES modules, their declarations, README and licence.
 * @param folder is made, and must be empty.
 * @throws when the client does not compile.
 */
export async function buildPackage(folder: string): Promise<void> {
  const files = compile();
  for (const [path, text] of files) {
    const target = join(folder, "dist", path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  await copyFile(join(root, "client/README.md"), join(folder, "README.md"));
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
  const own = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest(own), null, 2)}\n`);
}

interface OwnManifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

function manifest({ version, license, dependencies }: OwnManifest): object {
  return {
    name: "prepaid-code-shop-client",
    version,
    description: "Buys redemption codes and calls models, safely repeated and typed by the contract.",
    license,
    type: "module",
    engines: { node: ">=20.3" },
    sideEffects: false,
    exports: {
      ".": { types: "./dist/client/index.d.ts", default: "./dist/client/index.js" },
      "./package.json": "./package.json",
    },
    files: ["dist"],
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, dependencies[name]])),
  };
}

/** The compiled files by their paths below `dist`: programs without comments, declarations with them. */
function compile(): Map<string, string> {
  const { fileNames, options, errors } = readConfig();
  const files = new Map<string, string>();
  const write: ts.WriteFileCallback = (path, text) => {
    files.set(relative(root, path), path.endsWith(".d.ts") ? withCompiledImports(text) : text);
  };
  const program = ts.createProgram(fileNames, options);
  const faults = [...errors, ...ts.getPreEmitDiagnostics(program)];
  if (faults.length > 0) throw new Error(ts.formatDiagnostics(faults, ts.createCompilerHost(options)));
  program.emit(undefined, write, undefined, true);
  const bare = { ...options, declaration: false, removeComments: true };
  ts.createProgram(fileNames, bare, undefined, program).emit(undefined, write);
  return files;
}

function readConfig(): ts.ParsedCommandLine {
  const { config, error } = ts.readConfigFile(configFile, ts.sys.readFile);
  if (error !== undefined) throw new Error(String(error.messageText));
  return ts.parseJsonConfigFileContent(config, ts.sys, import.meta.dirname);
}

/** The compiler rewrites imports in programs alone. */
function withCompiledImports(declarations: string): string {
  return declarations.replaceAll(/(from|import\() ?"(\.{1,2}\/[^"]+)\.ts"/g, (_, keyword, path) =>
    keyword === "from" ? `from "${path}.js"` : `import("${path}.js"`,
  );
}
