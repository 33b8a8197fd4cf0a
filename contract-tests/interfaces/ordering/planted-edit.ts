import { type PlantedEdit, removeField } from "../../planted-edit.ts";

export const plantedEdit: PlantedEdit = {
  edit({ components: { schemas }, paths }) {
    removeField(schemas, "Order", "codes");
    removeField(schemas, "OrderRequest", "expectedUnitPrice");
    removeField(schemas, "Product", "slug");
    removeField(schemas, "Availability", "checkedAt");
    schemas.Balance.properties.debt = { type: "string" };
    schemas.Balance.required.push("debt");
    schemas.OrderRequest.properties.note = { type: "string" };
    schemas.OrderRequest.required.push("note");
    schemas.ErrorCode.enum = schemas.ErrorCode.enum.filter((code: string) => code !== "price_changed");
    paths["/top-ups"] = { get: { ...paths["/balance"].get, operationId: "listTopUps" } };
  },
  errors: [
    [
      "a field of orders that goes",
      "server/interfaces/ordering/convert-[a-z-]+[.]ts",
      "'codes' does not exist",
    ],
    ["the same, in the client", "client/[a-z/-]+([.]test)?[.]ts", "'codes'"],
    [
      "a field of requests that goes",
      "server/interfaces/ordering/convert-[a-z-]+[.]ts",
      "'expectedUnitPrice' does not exist",
    ],
    ["a required field of requests that comes", "client/[a-z/-]+([.]test)?[.]ts", "'note' is missing"],
    [
      "a field of products that goes",
      "server/interfaces/ordering/convert-[a-z-]+[.]ts",
      "'slug' does not exist",
    ],
    [
      "a field of availability that goes",
      "server/interfaces/ordering/convert-[a-z-]+[.]ts",
      "'checkedAt' does not exist",
    ],
    ["a required field that comes", "server/[a-z/-]+[.]ts", "'debt' is missing"],
    ["an error code that goes", "server/suppliers/purchase-reply[.]ts", "'price_changed' does not exist"],
    ["an operation that comes without a handler", "server/[a-z/-]+[.]ts", "listTopUps"],
  ],
};
