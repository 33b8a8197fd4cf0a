import type { AskedTerms } from "../calls/bill.ts";

const TERM = /^[A-Za-z0-9._-]{1,32}$/;

/** What a request asks for that multiplies prices, as far as it is read; undefined: nothing. */
export function askedTermsOf(json: unknown): AskedTerms | undefined {
  const { speed, inference_geo: inferenceGeo } = json as Readonly<Record<string, unknown>>;
  const asked = { speed: termOf(speed), inferenceGeo: termOf(inferenceGeo) };
  return asked.speed === null && asked.inferenceGeo === null ? undefined : asked;
}

function termOf(asked: unknown): string | null {
  return typeof asked === "string" && TERM.test(asked) ? asked : null;
}
