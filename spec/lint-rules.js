/** Rules that Redocly's configuration alone cannot express; each has a failing example in tools/lint-rules.test.ts. */
export default function shopRules() {
  return {
    id: "shop",
    rules: {
      oas3: {
        "closed-objects": ClosedObjects,
        "integers-have-width": IntegersHaveWidth,
        "named-schemas": NamedSchemas,
        "times-have-bounds": TimesHaveBounds,
        "enums-without-null": EnumsWithoutNull,
        "paired-examples": PairedExamples,
        "guide-steps": GuideSteps,
        "input-may-be-refused": InputMayBeRefused,
        "distinct-summaries": DistinctSummaries,
        "deprecations-are-told": DeprecationsAreTold,
      },
    },
  };
}

/** Every object schema says that it is one and refuses unknown fields. */
function ClosedObjects() {
  return {
    Schema(schema, { report, location }) {
      const isObject = typesOf(schema).includes("object");
      if (isObject && schema.additionalProperties !== false) {
        report({
          message: "An object schema needs `additionalProperties: false`.",
          location: location.key(),
        });
      } else if (schema.properties && !isObject) {
        report({ message: "A schema with `properties` needs `type: object`.", location: location.key() });
      }
    },
  };
}

const WORDING = ["type", "description", "default", "examples"];

/** What an operation takes can be wrong, and only a documented 400 can say so. */
function InputMayBeRefused() {
  return {
    Operation({ parameters = [], requestBody, responses = {} }, { report, resolve, location }) {
      if ("400" in responses) return;
      const taken = parameters.flatMap((parameter) => {
        const { node: { name, in: place, schema = {} } = {}, location: from } = resolve(parameter);
        const { node: { type, ...limits } = {} } = resolve(schema, from?.source.absoluteRef);
        const isAnyText = type === "string" && Object.keys(limits).every((key) => WORDING.includes(key));
        return place === "path" || isAnyText ? [] : [`\`${name}\``];
      });
      const inputs = requestBody ? [...taken, "a body"] : taken;
      if (inputs.length > 0)
        report({
          message: `An operation that takes ${inputs.join(", ")} documents a 400.`,
          location: location.child("responses").key(),
        });
    },
  };
}

const LARGEST_INT32 = 2 ** 31 - 1;

/** Every integer says how wide it is: generators of typed languages make 32-bit ones of those that do not. */
function IntegersHaveWidth() {
  return {
    Schema(schema, { report, location }) {
      if (!typesOf(schema).includes("integer")) return;
      const { format, minimum = -Infinity, maximum = Infinity } = schema;
      if (format !== "int32" && format !== "int64")
        report({ message: "An integer needs `format: int64`, or `int32`.", location: location.key() });
      else if (format === "int32" && !(minimum >= -LARGEST_INT32 && maximum <= LARGEST_INT32))
        report({
          message: "Only limits within 32 bits make an integer `int32`.",
          location: location.child("format"),
        });
    },
  };
}

/** A time in seconds has a maximum below all that the same moment is in milliseconds, so that the one is no other. */
function TimesHaveBounds() {
  return {
    Schema({ properties = {} }, { report, resolve, location }) {
      for (const [name, field] of Object.entries(properties)) {
        const { node } = resolve(field);
        if (/(At|_at)$/.test(name) && typesOf(node ?? {}).includes("integer") && node.maximum === undefined)
          report({
            message: `The time \`${name}\` needs \`maximum: 253402300799\`, the end of the year 9999 in seconds.`,
            location: location.child(["properties", name]).key(),
          });
      }
    },
  };
}

/** Every body, object and union has a name of its own: generators make one up, and another with the next answer. */
function NamedSchemas() {
  return {
    MediaType({ schema }, { report, location }) {
      if (schema && schema.$ref === undefined)
        report({ message: "The schema of a body needs a name.", location: location.child("schema").key() });
    },
    Schema(schema, { report, location }) {
      const isNamed = /^#\/(components\/schemas\/[^/]+)?$/.test(location.pointer);
      const isBody = location.pointer.endsWith("/schema");
      if (isNamed || isBody) return;
      if (typesOf(schema).includes("object") || schema.properties)
        report({ message: "An object schema needs a name.", location: location.key() });
      else if (isUnion(schema)) report({ message: "A union needs a name.", location: location.key() });
    },
  };
}

/** An enum lists values alone; a property that may be null says so beside the reference to it. */
function EnumsWithoutNull() {
  return {
    Schema(schema, { report, location }) {
      if (schema.enum?.includes(null))
        report({ message: "An enum lists no `null`.", location: location.child("enum") });
    },
  };
}

/** Examples of request and answer that belong together bear one name. */
function PairedExamples() {
  return {
    Operation(operation, { report, resolve, location }) {
      if (operation.requestBody === undefined) return;
      const namesIn = (part) =>
        Object.values(resolve(part).node?.content ?? {}).flatMap(({ examples }) =>
          Object.keys(examples ?? {}),
        );
      const answers = Object.entries(operation.responses ?? {});
      const sent = namesIn(operation.requestBody);
      const answered = answers.flatMap(([, response]) => namesIn(response));
      const succeeded = answers.flatMap(([status, response]) =>
        status.startsWith("2") ? namesIn(response) : [],
      );
      for (const name of sent.filter((it) => !answered.includes(it)))
        report({
          message: `No answer has an example of the name \`${name}\`, as the request has.`,
          location: location.child("requestBody").key(),
        });
      for (const name of succeeded.filter((it) => !sent.includes(it)))
        report({
          message: `The request has no example of the name \`${name}\`, as the answer has.`,
          location: location.child("responses").key(),
        });
    },
  };
}

/** The guide's first requests are operations that have samples; the page would leave out any other without a word. */
function GuideSteps() {
  const sampled = new Set();
  return {
    Operation(operation) {
      if (operation["x-codeSamples"]?.length > 0) sampled.add(operation.operationId);
    },
    Root: {
      leave(root, { report, location }) {
        for (const [index, step] of (root["x-guide"]?.steps ?? []).entries()) {
          if (sampled.has(step)) continue;
          report({
            message: `The guide's step \`${step}\` is no operation with \`x-codeSamples\`.`,
            location: location.child(["x-guide", "steps", index]),
          });
        }
      },
    },
  };
}

/** Lists of operations show summaries alone: two that are the same were copied, and one of them is wrong. */
function DistinctSummaries() {
  const known = new Map();
  return {
    Operation({ operationId, summary }, { report, location }) {
      const other = known.get(summary);
      if (other !== undefined && other !== operationId)
        report({
          message: `The summary of \`${operationId}\` is that of \`${other}\`.`,
          location: location.child("summary"),
        });
      else known.set(summary, operationId);
    },
  };
}

/** What buyers should not use any more says so in words, for who reads the page: what to use instead, and until when it is there. */
function DeprecationsAreTold() {
  const look = ({ deprecated, description = "" }, { report, location }) => {
    if (deprecated && !/deprecated/i.test(description))
      report({
        message: "What is `deprecated` says so in its description, with what to use instead.",
        location: location.child("deprecated").key(),
      });
  };
  return { Operation: look, Parameter: look, Header: look, Schema: look };
}

function typesOf({ type }) {
  return [type].flat();
}

/** Whether a schema has several alternatives; one of them and null is no union. */
function isUnion({ anyOf, oneOf }) {
  const alternatives = [...(anyOf ?? []), ...(oneOf ?? [])];
  return alternatives.filter(({ type }) => type !== "null").length > 1;
}
