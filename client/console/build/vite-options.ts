import { join, resolve } from "node:path";
import type { InlineConfig } from "vite";

/** Where the pages are. */
export const consoleFolder = resolve(import.meta.dirname, "..");

/** The pages by their names; each is served at `/NAME/`, from `NAME/index.html`. */
export const ENTRIES = ["account"] as const;

/** What pages share: packages, and everything of ours that belongs to no page. */
const SHARED = /\/client\/console\/(?:api|session|ui)\//;

/**
 * How the pages are built. Programs and styles of all of them come into `assets/`, named after what they hold, so that they may be
 * kept for ever; each page asks for them below its own path, because each has a listener of its own.
 */
export function viteOptions(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: consoleFolder,
    // No file of the environment has a say in what is built.
    envDir: false,
    publicDir: false,
    logLevel: "error",
    experimental: {
      renderBuiltUrl: (file, { hostId, hostType }) =>
        hostType === "html" ? `/${hostId.split("/").at(-2)}/${file}` : { relative: true },
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2024",
      cssTarget: "chrome130",
      // The pages allow no inline script and no data: URL.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // What pages share comes at once: each file more would be asked for when a page is opened.
        output: { codeSplitting: { groups: [{ name: "shared", test: SHARED }] } },
        input: Object.fromEntries(ENTRIES.map((name) => [name, join(consoleFolder, name, "index.html")])),
      },
    },
  };
}
