import { describe, expect, test } from "vitest";
import { INTERFACES } from "../contract.ts";
import { findChanges } from "./find-changes.ts";
import {
  changesOf,
  expectPlants,
  type PlantableDocument,
  readDocument,
  readExample,
} from "./planted-changes.ts";

const ordering = readExample("ordering");
const { schemas } = (ordering as PlantableDocument).components;
const MOST_ORDERED = schemas.OrderRequest.properties.qty.maximum;
const MOST_ASKED = schemas.Availability.properties.qty.maximum;
const { Limit, Quantity } = (ordering as PlantableDocument).components.parameters;
const { maximum: MOST_LISTED } = Limit.schema;
const { default: USUAL_QTY } = Quantity.schema;
const without = (list: unknown[], value: unknown) => list.splice(list.indexOf(value), 1);

test.each(INTERFACES)("the document of %s has no changes against itself", (name) => {
  expect(findChanges(readDocument(name), readDocument(name))).toEqual([]);
});

test("what a document says to tools alone is no change", () => {
  const changed = { ...ordering, "x-mock-port": 4999, "x-something": {} };
  expect(findChanges(ordering, changed)).toEqual([]);
});

test("what reads differently and allows the same is no break: widths of integers, null beside an enum", () => {
  const before = structuredClone(ordering) as PlantableDocument;
  const { Product, StockMode, UnixSeconds, OrderRequest } = before.components.schemas;
  Product.properties.stockMode = { ...StockMode, type: ["string", "null"], enum: [...StockMode.enum, null] };
  delete UnixSeconds.format;
  delete OrderRequest.properties.qty.format;
  const changes = findChanges(before, ordering).filter(({ effect }) => effect !== "wording");
  expect(changes).toMatchObject([
    { effect: "compatible", text: '`UnixSeconds`: format "int64" is new' },
    { effect: "compatible", text: '`OrderRequest.qty`: format "int32" is new' },
  ]);
});

test("a width that takes values away from requests breaks", () => {
  const before = structuredClone(ordering) as PlantableDocument;
  before.components.schemas.OrderRequest.properties.weight = { type: "integer" };
  const [change] = changesOf(before, ({ components: { schemas } }) => {
    schemas.OrderRequest.properties.weight.format = "int32";
  });
  expect(change).toMatchObject({ effect: "breaking", text: '`OrderRequest.weight`: format "int32" is new' });
});

test("a change of a shared schema is one change, with every place where it is met", () => {
  const [change, ...others] = changesOf(ordering, ({ components }) =>
    components.schemas.OrderStatus.enum.push("lost"),
  );
  expect(others).toEqual([]);
  expect(change).toEqual({
    effect: "breaking",
    side: "answer",
    text: "`OrderStatus` has the new value `lost`",
    places: ["GET /orders 200", "GET /orders/{id} 200", "POST /orders 200"],
  });
});

describe("what is deprecated is said, and breaks nobody:", () => {
  expectPlants(ordering, [
    [
      "an operation",
      "compatible",
      "The operation is deprecated",
      ({ paths }) => {
        paths["/balance"].get.deprecated = true;
      },
    ],
    [
      "a parameter",
      "compatible",
      "The query parameter `limit` is deprecated",
      ({ components: { parameters } }) => {
        parameters.Limit.deprecated = true;
      },
    ],
    [
      "a field",
      "compatible",
      "`Product.slug` is deprecated",
      ({ components: { schemas } }) => {
        schemas.Product.properties.slug.deprecated = true;
      },
    ],
  ]);
});

describe("answers", () => {
  expectPlants(ordering, [
    [
      "a field goes",
      "breaking",
      "`Product.slug` is gone",
      ({ components: { schemas } }) => {
        delete schemas.Product.properties.slug;
        without(schemas.Product.required, "slug");
      },
    ],
    [
      "an optional field comes",
      "compatible",
      "`Product.colour` is new and may be missing",
      (d) => {
        d.components.schemas.Product.properties.colour = { type: "string" };
      },
    ],
    [
      "a required field comes",
      "compatible",
      "`Product.colour` is new and required",
      ({ components: { schemas } }) => {
        schemas.Product.properties.colour = { type: "string" };
        schemas.Product.required.push("colour");
      },
    ],
    [
      "a field may be missing",
      "breaking",
      "`Product.slug` may be missing now",
      (d) => {
        without(d.components.schemas.Product.required, "slug");
      },
    ],
    [
      "a field changes its type",
      "breaking",
      "`UnixSeconds` was integer, is string now",
      (d) => {
        d.components.schemas.UnixSeconds.type = "string";
      },
    ],
    [
      "a field may be null",
      "breaking",
      "`Product.name` was string, is string or null now",
      (d) => {
        d.components.schemas.Product.properties.name.type = ["string", "null"];
      },
    ],
    [
      "a field is never null",
      "compatible",
      "`Product.slug` was string or null, is string now",
      (d) => {
        d.components.schemas.Product.properties.slug.type = "string";
      },
    ],
    [
      "a referenced field may be null",
      "breaking",
      "`Order.unitPrice` has one more alternative",
      (d) => {
        const { properties } = d.components.schemas.Order;
        properties.unitPrice = { oneOf: [properties.unitPrice, { type: "null" }] };
      },
    ],
    [
      "items change their type",
      "breaking",
      "`Order.codes[]` was string, is integer now",
      (d) => {
        d.components.schemas.Order.properties.codes.items.type = "integer";
      },
    ],
    [
      "an enum loses a value",
      "compatible",
      "`OrderStatus` no longer has `retryable`",
      (d) => {
        without(d.components.schemas.OrderStatus.enum, "retryable");
      },
    ],
    [
      "an enum's value is renamed",
      "breaking",
      /no longer has `retryable` and has the new value `again`/,
      (d) => {
        const { enum: statuses } = d.components.schemas.OrderStatus;
        statuses[statuses.indexOf("retryable")] = "again";
      },
    ],
    [
      "a bound is widened",
      "breaking",
      `\`Availability.qty\`: maximum was ${MOST_ASKED}, is ${MOST_ASKED + 1} now`,
      (d) => {
        d.components.schemas.Availability.properties.qty.maximum += 1;
      },
    ],
    [
      "unknown fields come no more",
      "compatible",
      "`Order` has no fields that the contract does not name",
      (d) => {
        d.components.schemas.Order.additionalProperties = false;
      },
    ],
    [
      "a keyword comes that is not understood",
      "breaking",
      "`Balance`: not",
      (d) => {
        d.components.schemas.Balance.not = { required: ["debt"] };
      },
    ],
    [
      "an error status comes",
      "compatible",
      "The status 418 is new",
      (d) => {
        d.paths["/balance"].get.responses["418"] = { description: "A teapot." };
      },
    ],
    [
      "a success status comes",
      "breaking",
      "The status 202 is new",
      (d) => {
        d.paths["/orders"].post.responses["202"] = { description: "Later." };
      },
    ],
    [
      "an error status goes",
      "compatible",
      "The status 409 is gone",
      (d) => {
        delete d.paths["/orders"].post.responses["409"];
      },
    ],
    [
      "a success status goes",
      "breaking",
      "The status 200 is gone",
      (d) => {
        delete d.paths["/orders"].post.responses["200"];
      },
    ],
    [
      "a header goes",
      "breaking",
      "The header `X-Request-Id` is gone",
      (d) => {
        delete d.paths["/balance"].get.responses["200"].headers["X-Request-Id"];
      },
    ],
    [
      "a header changes its type",
      "breaking",
      "`Retry-After` was integer, is string now",
      (d) => {
        d.components.headers["Retry-After"].schema.type = "string";
      },
    ],
  ]);
});

describe("requests", () => {
  expectPlants(ordering, [
    [
      "a required field comes",
      "breaking",
      "`OrderRequest.note` is new and required",
      ({ components: { schemas } }) => {
        schemas.OrderRequest.properties.note = { type: "string" };
        schemas.OrderRequest.required.push("note");
      },
    ],
    [
      "an optional field comes",
      "compatible",
      "`OrderRequest.note` is new and may be missing",
      (d) => {
        d.components.schemas.OrderRequest.properties.note = { type: "string" };
      },
    ],
    [
      "a field becomes required",
      "breaking",
      "`OrderRequest.expectedUnitPrice` is required now",
      (d) => {
        d.components.schemas.OrderRequest.required.push("expectedUnitPrice");
      },
    ],
    [
      "a field need not be sent",
      "compatible",
      "`OrderRequest.qty` may be missing now",
      (d) => {
        without(d.components.schemas.OrderRequest.required, "qty");
      },
    ],
    [
      "a field goes from a closed body",
      "breaking",
      "`OrderRequest.expectedUnitPrice` is gone",
      (d) => {
        delete d.components.schemas.OrderRequest.properties.expectedUnitPrice;
      },
    ],
    [
      "a bound is narrowed",
      "breaking",
      `\`OrderRequest.qty\`: maximum was ${MOST_ORDERED}, is ${MOST_ORDERED - 1} now`,
      (d) => {
        d.components.schemas.OrderRequest.properties.qty.maximum -= 1;
      },
    ],
    [
      "a bound is widened",
      "compatible",
      `\`OrderRequest.qty\`: maximum was ${MOST_ORDERED}, is ${MOST_ORDERED + 1} now`,
      (d) => {
        d.components.schemas.OrderRequest.properties.qty.maximum += 1;
      },
    ],
    [
      "a pattern changes",
      "breaking",
      "`OrderRequest.expectedUnitPrice`: pattern was",
      (d) => {
        d.components.schemas.OrderRequest.properties.expectedUnitPrice.pattern = "^[0-9]+$";
      },
    ],
    [
      "a pattern goes",
      "compatible",
      /`OrderRequest.expectedUnitPrice`: pattern .* is gone/,
      (d) => {
        delete d.components.schemas.OrderRequest.properties.expectedUnitPrice.pattern;
      },
    ],
    [
      "null is accepted",
      "compatible",
      "`OrderRequest.qty` was integer, is integer or null now",
      (d) => {
        d.components.schemas.OrderRequest.properties.qty.type = ["integer", "null"];
      },
    ],
    [
      "a number of any kind is accepted",
      "compatible",
      "`OrderRequest.qty` was integer, is number now",
      (d) => {
        d.components.schemas.OrderRequest.properties.qty.type = "number";
      },
    ],
    [
      "a body is not needed",
      "compatible",
      "A request may have a body",
      (d) => {
        d.paths["/orders"].post.requestBody.required = false;
      },
    ],
    [
      "a required parameter comes",
      "breaking",
      "The query parameter `at` is new and required",
      (d) => {
        d.paths["/balance"].get.parameters = [
          { name: "at", in: "query", required: true, schema: { type: "string" } },
        ];
      },
    ],
    [
      "an optional parameter comes",
      "compatible",
      "The query parameter `at` is new and may be left out",
      (d) => {
        d.paths["/balance"].parameters = [{ name: "at", in: "query", schema: { type: "string" } }];
      },
    ],
    [
      "a parameter goes",
      "breaking",
      "The query parameter `limit` is gone",
      (d) => {
        d.paths["/orders"].get.parameters.shift();
      },
    ],
    [
      "a parameter becomes required",
      "breaking",
      "The query parameter `qty` is required now",
      (d) => {
        d.components.parameters.Quantity.required = true;
      },
    ],
    [
      "a parameter is narrowed, in another order",
      "breaking",
      `\`limit\`: maximum was ${MOST_LISTED}, is ${MOST_LISTED - 1} now`,
      (d) => {
        d.paths["/orders"].get.parameters.reverse();
        d.components.parameters.Limit.schema.maximum = MOST_LISTED - 1;
      },
    ],
    [
      "a default changes",
      "breaking",
      `\`qty\`: default was ${USUAL_QTY}, is ${USUAL_QTY + 1} now`,
      (d) => {
        d.components.parameters.Quantity.schema.default = USUAL_QTY + 1;
      },
    ],
    [
      "another scope is needed",
      "breaking",
      "Keys that were let in are refused now",
      (d) => {
        d.paths["/balance"].get.security = [{ apiKey: ["shop:order"] }];
      },
    ],
    [
      "a public operation needs a key",
      "breaking",
      "Keys that were let in are refused now",
      (d) => {
        d.paths["/pricing"].get.security = [{ apiKey: ["shop:read"] }];
      },
    ],
    [
      "an operation becomes public",
      "compatible",
      "More keys are let in than before",
      (d) => {
        d.paths["/balance"].get.security = [];
      },
    ],
  ]);
});

describe("the interface", () => {
  expectPlants(ordering, [
    [
      "an operation goes",
      "breaking",
      "The operation `GET /orders` is gone",
      (d) => {
        delete d.paths["/orders"].get;
      },
    ],
    [
      "a path goes",
      "breaking",
      "The operation `GET /balance` is gone",
      (d) => {
        delete d.paths["/balance"];
      },
    ],
    [
      "an operation comes",
      "compatible",
      "The operation `POST /balance` is new",
      (d) => {
        d.paths["/balance"].post = { operationId: "topUp", responses: { 200: { description: "Done." } } };
      },
    ],
    [
      "the base path changes",
      "breaking",
      "The base path differs: was `/shop/v1`, is `/shop/v2`",
      (d) => {
        d.servers[0].url = "/shop/v2";
      },
    ],
    [
      "the host is written out",
      "breaking",
      "The base path differs: was `/shop/v1`, is `https://elsewhere.example.com/shop/v1`",
      (d) => {
        d.servers[0].url = "https://elsewhere.example.com/shop/v1";
      },
    ],
    [
      "keys are sent in another way",
      "breaking",
      "How a key is sent differs (apiKey scheme)",
      (d) => {
        d.components.securitySchemes.apiKey.scheme = "basic";
      },
    ],
    [
      "a generated client's name for an operation changes",
      "breaking",
      "The operationId of an operation differs",
      (d) => {
        d.paths["/balance"].get.operationId = "readBalance";
      },
    ],
  ]);

  test("what only reads differently is wording", () => {
    const changes = changesOf(ordering, (d) => {
      d.info.version = "1.0.1";
      d.info.description = "Shorter.";
      d.tags[0].description = "Other.";
      d.paths["/balance"].get.summary = "Other.";
      d.paths["/balance"].get.responses["200"].description = "Other.";
      d.components.schemas.Product.description = "Other.";
      d.components.parameters.Limit.description = "Other.";
      d.components.headers["Retry-After"].description = "Other.";
      d.components.securitySchemes.apiKey.description = "Other.";
      d.paths["/balance"].get.responses["200"].content["application/json"].examples = {};
    });
    expect(new Set(changes.map(({ effect }) => effect))).toEqual(new Set(["wording"]));
  });

  test("the name of a path's parameter is wording, also when others change with it", () => {
    const rename = (d: PlantableDocument) => {
      d.paths["/orders/{orderId}"] = d.paths["/orders/{id}"];
      delete d.paths["/orders/{id}"];
      d.components.parameters.OrderId.name = "orderId";
    };
    expect(changesOf(ordering, rename).map(({ effect }) => effect)).toEqual(["wording", "wording"]);
    const changes = changesOf(ordering, (d) => {
      rename(d);
      delete d.paths["/orders/{orderId}"].get.responses["200"].headers["X-Request-Id"];
    });
    expect(changes).toMatchObject([{ effect: "breaking", text: "The header `X-Request-Id` is gone" }]);
  });
});
