import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import type { OpenAPI3 } from "openapi-typescript";
import { generate as generateWithOrval } from "orval";
import { typesOf } from "../../spec/tools/generate.ts";

/** The generators of the gate, by the names of the folders that they write into. */
export const GENERATORS = ["hey-api", "orval", "openapi-typescript"] as const;

/**
 * Generates a client with each of the {@link GENERATORS}, as buyers do and the manual for buyers says.
 * @param sender the file of the function that orval's client sends its requests with
 */
export async function generateClients(document: object, folder: string, sender: string): Promise<void> {
  const input = join(folder, "openapi.json");
  await mkdir(join(folder, "openapi-typescript"), { recursive: true });
  await writeFile(input, JSON.stringify(document));
  await createClient({
    input,
    output: { path: join(folder, "hey-api"), importFileExtension: ".ts" },
    plugins: [
      "@hey-api/client-fetch",
      "@hey-api/typescript",
      "zod",
      { name: "@hey-api/sdk", validator: true },
    ],
    logs: { level: "silent" },
  });
  await generateWithOrval({
    input: { target: input },
    output: {
      target: join(folder, "orval/shop.ts"),
      client: "fetch",
      mode: "single",
      override: { mutator: { path: sender, name: "send", extension: ".ts" } },
    },
  });
  const types = await typesOf(document as OpenAPI3);
  await writeFile(join(folder, "openapi-typescript/shop.ts"), types);
}
