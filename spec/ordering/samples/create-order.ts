import { randomUUID } from "node:crypto";
import { env } from "node:process";
import { setTimeout as pause } from "node:timers/promises";

// Yours: store it before you send. The same order, sent again, is charged once.
const order = { externalOrderId: randomUUID(), productId: env.PRODUCT_ID, qty: 1 };
console.log(`Buying as ${order.externalOrderId}`);

for (let attempt = 1; attempt <= 5; attempt += 1) {
  const response = await fetch(`${env.SHOP_URL}/orders`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${env.SHOP_API_KEY}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(order),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => null); // No answer: it may have been bought.

  if (response?.ok) {
    const { codes, redeemUrl } = (await response.json()) as { codes: string[]; redeemUrl: string };
    for (const code of codes) console.log(`Redeem ${code} at ${redeemUrl}`);
    break;
  }
  // Refused: the answer says why. After no answer or a 5xx the same order is sent again.
  if (response && response.status < 500) throw new Error(await response.text());
  await pause(1_000 * 2 ** attempt);
}
