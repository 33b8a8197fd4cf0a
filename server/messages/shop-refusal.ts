import type { ShopRefusal, UpstreamWords } from "./errors.ts";

/** The vendor's stable names for what is wrong with an organization, a key or a contract. */
const CODES: Readonly<Record<string, ShopRefusal>> = {
  claude_code_key_creator_not_member: "key",
  cmek_key_disabled: "organization",
  cmek_key_network_blocked: "organization",
  contract_spend_limit_reached: "spend_limit",
  enforced_spend_limit_reached: "spend_limit",
  linked_organization_billing_unavailable: "credit",
  linked_organization_spend_limit_reached: "spend_limit",
  organization_on_hold: "organization",
  organization_type_not_supported: "organization",
  parent_organization_required: "organization",
  sandbox_egress_restricted: "organization",
};

/**
 * The vendor's words for it, as those report them who got them. Most refusals of an account come as a plain 400 or 429
 * without a code. Each is looked for at the beginning, so that no text that a buyer has sent, and that the vendor quotes,
 * looks like one.
 */
const WORDS: readonly (readonly [RegExp, ShopRefusal])[] = [
  [/^(?:your )?credit balance is too low/i, "credit"],
  [/^(?:extra usage is|usage credits are) required/i, "credit"],
  [
    /^you(?:'ve| have) (?:reached|hit|exceeded) your (?:\S+ ){0,4}(?:usage|spend(?:ing)?) limit/i,
    "spend_limit",
  ],
  [/^this request would exceed your \S+ (?:\S+ )?spend limit/i, "spend_limit"],
  [
    /^(?:this|your|the) (?:organization|workspace|account) (?:has been|is|was) (?:currently )?(?:disabled|suspended|deactivated|archived|deleted|banned|blocked|locked|closed|on hold)/i,
    "organization",
  ],
  [/^(?:this|your) organization does not have access/i, "organization"],
  [/^request not allowed/i, "organization"],
  [
    /^(?:this|your|the) (?:api key|credential|oauth token) (?:has been |has |is |was )(?:revoked|disabled|expired|deleted|archived|inactive|invalid|not valid|only authorized)/i,
    "key",
  ],
  [/^(?:invalid (?:x-)?api[ -]key|oauth (?:token|authentication) )/i, "key"],
];

/** What a refusal has against the shop's own account; null when it is about the request. */
export function shopRefusalIn(words: UpstreamWords): ShopRefusal | null {
  const code = (words.details as { error_code?: unknown } | null | undefined)?.error_code;
  if (typeof code === "string" && Object.hasOwn(CODES, code)) return CODES[code] ?? null;
  return WORDS.find(([pattern]) => pattern.test(words.message))?.[1] ?? null;
}
