/** How a product's codes come: from imported stock, or bought from a supplier when ordered. */
export type StockMode = "inventory" | "on_demand";
