import { env } from "node:process";

const response = await fetch(`${env.PROXY_URL}/v1/models`, {
  headers: { "x-api-key": `${env.SHOP_API_KEY}` },
});
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);

const { data } = (await response.json()) as { data: { id: string }[] };
for (const { id } of data) console.log(id);
