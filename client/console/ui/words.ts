// What the contract calls things, in words for people. What it may have later is told as it is.

function wordsFor(words: Readonly<Record<string, string>>): (value: string) => string {
  return (value) => words[value] ?? value.replaceAll("_", " ");
}

/** What somebody becomes or is in an account. */
export const roleWords = wordsFor({
  owner: "an owner",
  developer: "a developer",
  billing: "a member for billing",
});

export const kindWords = wordsFor({
  general: "Models and catalog",
  product_ordering: "Orders",
  ai_proxy: "Models",
});

export const keyStatusWords = wordsFor({ active: "Works", revoked: "Revoked", expired: "Expired" });

export const holdWords = wordsFor({ order: "An order", call: "A call of a model" });

export const orderStatusWords = wordsFor({
  processing: "Under way",
  retryable: "May be sent again",
  delivered: "Delivered",
  failed: "Failed",
  refunded: "Refunded",
});

export const entryTypeWords = wordsFor({
  top_up: "Payment",
  order: "Order",
  call: "Call of a model",
  refund: "Refund",
  adjustment: "Correction",
});
