import { exampleQuery, headersWith, type Operation, usualHeaders } from "../contract.ts";

const JSON_TYPE = "application/json";

/** Sends the request that the examples of the document make up, or with other headers, another query or body. */
export function askMock(
  baseUrl: string,
  operation: Operation,
  headers: Record<string, string | undefined> = {},
  { query = `?${exampleQuery(operation)}`, body: text }: { query?: string; body?: string } = {},
): Promise<Response> {
  const { method, path, parameters, admissions, requestBody } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    String(parameters.find((it) => it.name === name)?.example),
  );
  const [[mediaType, media] = [JSON_TYPE, undefined]] = Object.entries(requestBody?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const body = text ?? (example && textOf(example.value));
  const [admission] = admissions;
  const all = {
    accept: JSON_TYPE,
    ...(admission && headersWith(admission, "svc_sk_any")),
    ...usualHeaders(operation),
    ...(body !== undefined && { "content-type": mediaType }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  return fetch(`${baseUrl}${filled}${query}`, {
    method,
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: body ?? null,
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
