/** An error as the vendor words it. */
export interface VendorRefusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Refusals by the names of models. Statuses, types and codes are those of the vendor's SDK; the words are those that users
 * of the vendor report, or the SDK's where nobody does.
 */
export const VENDOR_REFUSALS = {
  "sim-thread-continued": {
    status: 400,
    type: "invalid_request_error",
    message: "The thread was continued by another request already.",
    details: { error_code: "thread_already_continued" },
  },
  "sim-not-allowed": {
    status: 403,
    type: "permission_error",
    message: "Your API key does not have permission to use the specified resource.",
  },
  "sim-thread-not-found": {
    status: 404,
    type: "not_found_error",
    message: "The thread was not found.",
    details: { error_code: "thread_not_found" },
  },
  "sim-body-timeout": {
    status: 408,
    type: "timeout_error",
    message: "The request body was not received in time.",
    details: { error_code: "request_body_timeout" },
  },
  "sim-conflict": { status: 409, type: "conflict_error", message: "Another request changes the same thing." },
  "sim-too-large": { status: 413, type: "request_too_large", message: "Request exceeds the maximum size" },
  "sim-credit": {
    status: 400,
    type: "invalid_request_error",
    message:
      "Your credit balance is too low to access the API. Please go to Plans & Billing to upgrade or purchase credits.",
  },
  "sim-usage-limit": {
    status: 400,
    type: "invalid_request_error",
    message:
      "You have reached your specified API usage limits. You will regain access on 2030-01-01 at 00:00 UTC.",
  },
  "sim-workspace-limit": {
    status: 400,
    type: "invalid_request_error",
    message:
      "You have reached your specified workspace API usage limits. You will regain access on 2030-01-01 at 00:00 UTC.",
  },
  "sim-spend-limit": {
    status: 429,
    type: "rate_limit_error",
    message: "This request would exceed your account's monthly spend limit. Please try again later.",
  },
  "sim-contract-limit": {
    status: 429,
    type: "rate_limit_error",
    message: "The organization has reached the spend limit of its contract.",
    details: { error_code: "contract_spend_limit_reached" },
  },
  "sim-disabled": {
    status: 400,
    type: "invalid_request_error",
    message: "This organization has been disabled.",
  },
  "sim-on-hold": {
    status: 400,
    type: "invalid_request_error",
    message: "Access to the API is on hold.",
    details: { error_code: "organization_on_hold", appeal_url: "https://appeal.example" },
  },
  "sim-revoked": {
    status: 403,
    type: "permission_error",
    message: "OAuth token has been revoked. Please obtain a new token.",
  },
  "sim-billing": { status: 402, type: "billing_error", message: "Your account cannot be billed." },
  "sim-forbidden": { status: 403, type: "forbidden", message: "Request not allowed" },
  "sim-organization-rate": {
    status: 429,
    type: "rate_limit_error",
    message:
      "This request would exceed your organization's (00000000-0000-4000-8000-000000000000) rate limit of 50,000 input tokens per minute.",
  },
} as const satisfies Record<string, VendorRefusal>;

export type RefusalName = keyof typeof VENDOR_REFUSALS;

/** The refusal that a name asks for; undefined when it is none's. */
export function vendorRefusal(name: string): VendorRefusal | undefined {
  return Object.hasOwn(VENDOR_REFUSALS, name) ? VENDOR_REFUSALS[name as RefusalName] : undefined;
}
