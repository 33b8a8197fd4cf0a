import { env } from "node:process";

interface Product {
  id: string;
  name: string;
  price: string; // a decimal string, such as "12.50"
  inStock: boolean;
}

const response = await fetch(`${env.SHOP_URL}/products`, {
  headers: { Authorization: `Bearer ${env.SHOP_API_KEY}` },
});
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);

const { products } = (await response.json()) as { products: Product[] };
for (const { id, name, price, inStock } of products) {
  console.log(`${id}: ${name}, ${price} USD, ${inStock ? "in stock" : "not in stock"}`);
}
