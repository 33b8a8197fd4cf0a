import { readFileSync } from "node:fs";
import type { Contract } from "../http/docs/contract-files.ts";

/** The contract of an interface as it is published, in both of its forms, as `npm run generate` has made them. */
export function readContract(name: string): Contract {
  const read = (file: string) => JSON.parse(readText(`../../generated/${name}/${file}`));
  return { name, document: read("openapi.json"), document30: read("openapi-3.0.json") };
}

/** What has changed from version to version; null where the project's file is not there. */
export function readChangelog(): string | null {
  try {
    return readText("../../CHANGELOG.md");
  } catch {
    return null;
  }
}

function readText(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
