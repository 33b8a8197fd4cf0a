import { type ApiKey, effectiveCaps, standingOf } from "../keys/api-key.ts";
import { formatUsd, type Microcents } from "../money/microcents.ts";
import { details, isoTime, optionalUsd, type Report, table } from "./report.ts";

/** A key that was made, or got a new secret. @param nowMs what it is compared with. */
export function secretReport(key: ApiKey & { key: string }, nowMs: number): Report {
  const text = [
    details({ Key: key.key }),
    keyReport(key, nowMs).text,
    "",
    "Keep the key now: only its hash is stored, and it cannot be shown again.",
  ];
  return { json: { ...keyJson(key, nowMs), key: key.key }, text: text.join("\n") };
}

/** One key. */
export function keyReport(key: ApiKey, nowMs: number): Report {
  const json = keyJson(key, nowMs);
  const former = json.formerSecrets.map(({ preview, worksUntil }) => `${preview} until ${worksUntil}`);
  const text = details({
    "Key id": json.keyId,
    Name: json.name,
    Preview: json.preview,
    Account: json.accountId,
    Kind: json.kind,
    Status: json.status,
    "Order cap USD": capText(json.orderCap, json.effectiveOrderCap),
    "Daily cap USD": capText(json.dailyCap, json.effectiveDailyCap),
    Created: json.createdAt,
    "Last used": json.lastUsedAt ?? "never",
    Expires: json.expiresAt ?? "never",
    "Former secrets": former.length === 0 ? "none" : former.join(", "),
  });
  return { json, text };
}

/** An account's keys with what they spent today. */
export function keyList(
  keys: readonly { readonly key: ApiKey; readonly spentToday: Microcents }[],
  nowMs: number,
): Report {
  const json = keys.map(({ key, spentToday }) => ({
    ...keyJson(key, nowMs),
    spentToday: formatUsd(spentToday, "up"),
  }));
  const rows = json.map((key) => [
    key.keyId,
    key.name,
    key.preview,
    key.kind,
    key.status,
    capText(key.orderCap, key.effectiveOrderCap),
    capText(key.dailyCap, key.effectiveDailyCap),
    key.spentToday,
    key.lastUsedAt ?? "never",
    key.expiresAt ?? "never",
    key.createdAt,
  ]);
  return { json, text: table(HEADINGS, rows, "The account has no keys yet.") };
}

const HEADINGS = [
  "Key id",
  "Name",
  "Preview",
  "Kind",
  "Status",
  ">Order cap USD",
  ">Daily cap USD",
  ">Spent today USD",
  "Last used",
  "Expires",
  "Created",
];

/** The cap that holds, with a word where it is not the one that was set. */
function capText(cap: string | null, effective: string | null): string {
  return cap === effective ? (cap ?? "none") : `${effective} (ceiling)`;
}

function keyJson(key: ApiKey, nowMs: number) {
  const effective = effectiveCaps(key);
  return {
    keyId: key.keyId,
    accountId: key.accountId,
    name: key.name,
    kind: key.kind,
    status: standingOf(key, nowMs),
    preview: key.preview,
    orderCap: optionalUsd(key.orderCapMicrocents),
    dailyCap: optionalUsd(key.dailyCapMicrocents),
    orderCapCeiling: optionalUsd(key.orderCapCeilingMicrocents),
    dailyCapCeiling: optionalUsd(key.dailyCapCeilingMicrocents),
    effectiveOrderCap: optionalUsd(effective.orderCapMicrocents),
    effectiveDailyCap: optionalUsd(effective.dailyCapMicrocents),
    createdAt: isoTime(key.createdAtMs),
    lastUsedAt: isoTime(key.lastUsedAtMs),
    expiresAt: isoTime(key.expiresAtMs),
    formerSecrets: key.formerSecrets.map(({ preview, replacedAtMs, worksUntilMs }) => ({
      preview,
      replacedAt: isoTime(replacedAtMs),
      worksUntil: isoTime(worksUntilMs),
    })),
  };
}
