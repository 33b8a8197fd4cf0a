import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "../http/document.ts";

/** The contract of an interface, as `npm run generate` has made it of its folder in `spec/`. */
export function readDocument(name: string): OpenApiDocument {
  const file = new URL(`../../generated/${name}/openapi-strict.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}
