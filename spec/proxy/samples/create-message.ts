import { env } from "node:process";

const response = await fetch(`${env.PROXY_URL}/v1/messages`, {
  method: "POST",
  headers: {
    "x-api-key": `${env.SHOP_API_KEY}`,
    "anthropic-version": "2023-06-01",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    model: env.MODEL,
    max_tokens: 100,
    messages: [{ role: "user", content: "Say hello." }],
  }),
});
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);

const message = (await response.json()) as {
  content: { type: string; text?: string }[];
  usage: { input_tokens: number; output_tokens: number };
};
for (const block of message.content) if (block.type === "text") console.log(block.text);
console.log(`${message.usage.input_tokens} tokens in, ${message.usage.output_tokens} out`);
