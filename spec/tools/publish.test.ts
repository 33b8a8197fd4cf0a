import { expect, test } from "vitest";
import { nullsAsIn30, openAnswers } from "./publish.ts";

const closed = (properties: object = {}) => ({ type: "object", additionalProperties: false, properties });
const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: object) => ({ content: { "application/json": { schema } } });

/** A document of one operation. */
function documentOf(sent: object, answered: object, schemas: object = {}) {
  const post = { requestBody: body(sent), responses: { 200: body(answered) } };
  return { paths: { "/notes": { post } }, components: { schemas } };
}

test("answers are published open, down to what they hold, and requests as they are", () => {
  const schemas = {
    Sent: closed(),
    Answered: closed({ notes: { type: "array", items: refer("Note") } }),
    Note: closed(),
    Free: { type: "object", additionalProperties: true },
    ApiError: closed(),
  };
  const { components } = openAnswers(documentOf(refer("Sent"), refer("Answered"), schemas));
  expect(components.schemas).toEqual({
    Sent: closed(),
    Answered: { type: "object", properties: { notes: { type: "array", items: refer("Note") } } },
    Note: { type: "object", properties: {} },
    Free: { type: "object", additionalProperties: true },
    ApiError: { type: "object", properties: {} },
  });
});

test("what looks like a schema in an example stays as it is", () => {
  const example = { additionalProperties: false };
  const { components } = openAnswers(
    documentOf({}, refer("Answered"), { Answered: { type: "object", examples: [example] } }),
  );
  expect(components.schemas.Answered.examples).toEqual([example]);
});

test("a schema that is sent and answered cannot be published", () => {
  expect(() => openAnswers(documentOf(refer("Note"), refer("Note"), { Note: closed() }))).toThrow(
    "Note is part of a request and of an answer: give each a schema of its own.",
  );
});

test("an enum or null is a text or null in 3.0, with what the enum says of itself", () => {
  const State = { type: "string", enum: ["new", "done"], description: "Where it stands." };
  const state = { description: "Null at first.", anyOf: [refer("State"), { type: "null" }] };
  const { paths } = nullsAsIn30(documentOf({}, state, { State }));
  expect(paths["/notes"].post.responses[200].content["application/json"].schema).toEqual({
    type: ["string", "null"],
    description: "Null at first.\n\nWhere it stands.",
  });
});

test("an object or null has to be written in another way", () => {
  const answered = { anyOf: [refer("Note"), { type: "null" }] };
  expect(() => nullsAsIn30(documentOf({}, answered, { Note: closed() }))).toThrow(
    "write the type as a list, such as [object, 'null']",
  );
});
