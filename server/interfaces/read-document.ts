import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "../http/document.ts";

const documents = new Map<string, OpenApiDocument>();

/**
 * The contract of an interface, as `npm run generate` has made it of its folder in `spec/`: read once, so that services of
 * one process share what is made of it.
 */
export function readDocument(name: string): OpenApiDocument {
  const document = documents.get(name) ?? parseDocument(name);
  documents.set(name, document);
  return document;
}

function parseDocument(name: string): OpenApiDocument {
  const file = new URL(`../../generated/${name}/openapi-strict.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}
