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
        "distinct-descriptions": DistinctDescriptions,
        "fields-are-told": FieldsAreTold,
        "names-and-units-agree": NamesAndUnitsAgree,
        "opposites-are-not-told": OppositesAreNotTold,
        "enums-are-told-whole": EnumsAreToldWhole,
        "anchored-patterns": AnchoredPatterns,
        "known-formats": KnownFormats,
        "required-has-no-default": RequiredHasNoDefault,
        "one-tag-for-a-path": OneTagForAPath,
        "samples-in-their-language": SamplesInTheirLanguage,
        "words-and-limits-agree": WordsAndLimitsAgree,
        "tags-are-used": TagsAreUsed,
        "summaries-fit-methods": SummariesFitMethods,
        "distinct-example-summaries": DistinctExampleSummaries,
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

/**
 * A description says what this is and no other: one that stands at two fields of a schema, at two parameters, or at answers with
 * other bodies was copied, and is wrong at one of them.
 */
function DistinctDescriptions() {
  const parameters = new Map();
  const answers = new Map();
  const look = (known, description, what, report, location) => {
    const words = wordsOf(description);
    if (words === "" || words === "…") return;
    const other = known.get(words);
    if (other === undefined) known.set(words, what);
    else if (other !== what)
      report({
        message: `The description of ${what} is that of ${other}.`,
        location: location.child("description"),
      });
  };
  return {
    Schema({ properties = {} }, { report, location }) {
      const fields = new Map();
      for (const [name, { description }] of Object.entries(properties))
        look(fields, description, `\`${name}\``, report, location.child(["properties", name]));
    },
    Parameter({ name, description, schema = {} }, { report, location }) {
      const what = `the parameter \`${name}\` (${Object.values(schema)
        .join(", ")
        .replaceAll(/[^ ]*\//g, "")})`;
      look(parameters, description, what, report, location);
    },
    Response({ description, content = {} }, { report, location }) {
      const bodies = Object.values(content).map(({ schema }) => schema?.$ref?.replace(/.*\/|\..*/g, ""));
      if (bodies.length > 0)
        look(answers, description, `answers with ${bodies.join(" and ")}`, report, location);
    },
  };
}

const NOT_WRITTEN = /\b(?:TODO|FIXME|TBD|XXX|lorem ipsum)\b/i;

/** Every field says what it is: by the schema that it refers to, or in its own words; and no description was left to be written. */
function FieldsAreTold() {
  const look = ({ description = "" }, { report, location }) => {
    if (NOT_WRITTEN.test(description))
      report({ message: "A description is still to be written.", location: location.child("description") });
  };
  return {
    Schema(schema, context) {
      look(schema, context);
      for (const [name, field] of Object.entries(schema.properties ?? {}))
        if (field.$ref === undefined && !field.description)
          context.report({
            message: `The field \`${name}\` needs a description.`,
            location: context.location.child(["properties", name]).key(),
          });
    },
    ...{ Operation: look, Parameter: look, Header: look, Response: look, Tag: look, Info: look },
  };
}

/** What a name says of its unit, as its description has to say it as well. */
const UNITS = [
  { name: /microcents$/i, words: /microcents/ },
  { name: /tokens$/i, words: /token/i },
  { name: /rpm|-requests-limit/, words: /(?:\ba|per) minute\b/ },
  {
    name: /(?:Seconds|_seconds|^Retry-After)$/,
    words: /\bseconds\b/i,
    others: /\bmilliseconds\b|\bminutes\b/i,
  },
];

/** An amount in microcents is in a field whose name says so, and the other way about; so are tokens, and seconds to wait. */
function NamesAndUnitsAgree() {
  const look = (name, description, report, location) => {
    for (const { name: pattern, words, others } of UNITS)
      if (pattern.test(name) && (!words.test(description) || others?.test(description)))
        report({ message: `The description of \`${name}\` says another unit than its name.`, location });
    if (/\bin microcents\b/.test(description) && !/microcents$/i.test(name))
      report({ message: `\`${name}\` is in microcents, and its name does not say so.`, location });
  };
  return {
    Schema({ properties = {} }, { report, resolve, location }) {
      for (const [name, field] of Object.entries(properties)) {
        const { description = "", type } = field.description ? field : (resolve(field).node ?? {});
        if (type !== undefined && typesOf({ type }).includes("string")) continue;
        look(name, description, report, location.child(["properties", name]).key());
      }
    },
    Response({ headers = {} }, { report, resolve, location }) {
      for (const [name, header] of Object.entries(headers)) {
        const { node, location: place = location.child(["headers", name]) } = resolve(header);
        look(name, node?.description ?? "", report, place.child("description"));
      }
    },
  };
}

/** Words of names that are easily taken for each other. */
const OPPOSITES = [
  ["first", "last"],
  ["input", "output"],
  ["before", "after"],
  ["previous", "next"],
  ["oldest", "newest"],
];

/** A description that says the opposite of a name, and not what the name says, was written for its neighbour. */
function OppositesAreNotTold() {
  const look = (name, description, report, location) => {
    const words = name.split(/[^A-Za-z]|(?=[A-Z])/).map((word) => word.toLowerCase());
    const says = (word) => new RegExp(`\\b${word}\\b`, "i").test(description.replaceAll(/`[^`]*`/g, ""));
    for (const [own, other] of OPPOSITES.flatMap(([one, two]) => [
      [one, two],
      [two, one],
    ]))
      if (words.includes(own) && !words.includes(other) && says(other) && !says(own))
        report({ message: `The description of \`${name}\` says "${other}" and not "${own}".`, location });
  };
  return {
    Schema({ properties = {} }, { report, location }) {
      for (const [name, { description = "" }] of Object.entries(properties))
        look(name, description, report, location.child(["properties", name]).key());
    },
    Parameter({ name, description = "" }, { report, location }) {
      look(name, description, report, location.child("description"));
    },
  };
}

/** A description that says what a value of an enum means says it of all. */
function EnumsAreToldWhole() {
  return {
    Schema({ enum: values = [], description = "" }, { report, location }) {
      const isTold = (value) => description.includes(`\`${value}\``);
      const missing = values.filter((value) => !isTold(value));
      if (missing.length > 0 && missing.length < values.length)
        report({
          message: `The description tells of other values of the enum, and not of ${missing.map((value) => `\`${value}\``).join(", ")}.`,
          location: location.child("description"),
        });
    },
  };
}

/** A pattern says what the whole text is like: without its ends, any text passes that has such a part. */
function AnchoredPatterns() {
  return {
    Schema({ pattern }, { report, location }) {
      if (pattern !== undefined && !/^\^.*\$$/.test(pattern))
        report({
          message: "A pattern begins with `^` and ends with `$`.",
          location: location.child("pattern"),
        });
    },
  };
}

const FORMATS = ["date-time", "date", "uri", "uuid", "email", "binary"];

/** A format that validators and generators do not know is checked by nobody. */
function KnownFormats() {
  return {
    Schema({ type, format }, { report, location }) {
      if (format !== undefined && typesOf({ type }).includes("string") && !FORMATS.includes(format))
        report({
          message: `Nobody checks the format \`${format}\`.`,
          location: location.child("format"),
        });
    },
  };
}

/** What has to be there has no default: one of both is not meant. */
function RequiredHasNoDefault() {
  return {
    Schema({ properties = {}, required = [] }, { report, resolve, location }) {
      for (const name of required)
        if (resolve(properties[name] ?? {}).node?.default !== undefined)
          report({
            message: `The field \`${name}\` is required, and has a default.`,
            location: location.child(["properties", name]).key(),
          });
    },
    Parameter({ name, required, schema = {} }, { report, resolve, location }) {
      if (required && resolve(schema).node?.default !== undefined)
        report({
          message: `The parameter \`${name}\` is required, and has a default.`,
          location: location.child("required"),
        });
    },
  };
}

/** Operations of one resource stand together in the documentation. */
function OneTagForAPath() {
  const known = new Map();
  return {
    PathItem(item, { key, report, resolve, location }) {
      const { node = item, location: place = location } = resolve(item);
      const [resource = ""] = String(key)
        .split("/")
        .filter((part) => !/^(?:|v\d+|accounts|\{.*\})$/.test(part));
      for (const [method, { tags: [tag] = [] }] of Object.entries(node)) {
        const other = known.get(resource);
        if (tag === undefined) continue;
        if (other === undefined) known.set(resource, tag);
        else if (other !== tag)
          report({
            message: `The operations of \`/${resource}\` have the tags \`${other}\` and \`${tag}\`.`,
            location: place.child([method, "tags"]).key(),
          });
      }
    },
  };
}

const ENDINGS = { Shell: ".sh", TypeScript: ".ts", Python: ".py" };

/** A sample is of its operation and in the language that stands above it. */
function SamplesInTheirLanguage() {
  return {
    Operation({ operationId, "x-codeSamples": samples = [] }, { report, location }) {
      for (const [index, { lang, source }] of samples.entries()) {
        const file = source?.$ref?.replace(/.*\//, "");
        const name = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
        if (file !== undefined && file !== `${name}${ENDINGS[lang]}`)
          report({
            message: `The sample of \`${operationId}\` in ${lang} is ${name}${ENDINGS[lang]}, and not ${file}.`,
            location: location.child(["x-codeSamples", index]),
          });
      }
    },
  };
}

/** A number of its own: behind the words, and not of seconds, days or decimals. */
const AT_MOST = /\b(?:at most|up to|no more than) (\d[\d,]*)(?= ?[.;,)]| ?$)/g;
const LEFT_OUT = /\b(\d+|[A-Z]\w*) (?:where|when|if) it is left out\b/;

/** A limit, a default and what has to be there are said as the schema has them, or not at all. */
function WordsAndLimitsAgree() {
  const look = (name, words, schema, isRequired, report, location) => {
    const { maximum, maxItems, maxLength, default: usual } = schema;
    const limits = [maximum, maxItems, maxLength].filter((limit) => limit !== undefined);
    for (const [, number] of words.matchAll(AT_MOST))
      if (limits.length > 0 && !limits.includes(Number(number.replaceAll(",", ""))))
        report({
          message: `\`${name}\` is told to be at most ${number}, and may be ${limits[0]}.`,
          location,
        });
    const [, told] = LEFT_OUT.exec(words) ?? [];
    if (told !== undefined && told !== String(usual))
      report({ message: `The default of \`${name}\` is told as ${told}, and is ${usual}.`, location });
    if (!isRequired && /^Required\b/.test(words))
      report({ message: `\`${name}\` is told to be required, and may be left out.`, location });
  };
  return {
    Schema({ properties = {}, required = [] }, { report, resolve, location }) {
      for (const [name, field] of Object.entries(properties)) {
        const { node = {} } = resolve(field);
        const words = wordsOf(field.description ?? node.description);
        look(name, words, node, required.includes(name), report, location.child(["properties", name]).key());
      }
    },
    Parameter({ name, description, required, schema = {} }, { report, resolve, location }) {
      const { node = {} } = resolve(schema);
      look(name, wordsOf(description), node, required, report, location.child("description"));
    },
  };
}

const READS = /^(?:Read|List|Check|Get|Count|Show|Find|Search|Download|Export|Watch)\b/;
const WRITES = /^(?:Make|Create|Add|Change|Remove|Delete|Revoke|Buy|Send)\b/;

/** What reads is not told to make something, and what deletes not to read it. */
function SummariesFitMethods() {
  return {
    Operation({ summary = "" }, { key, report, location }) {
      if ((key === "get" && WRITES.test(summary)) || (key === "delete" && READS.test(summary)))
        report({
          message: `"${summary}" is not what ${String(key).toUpperCase()} does.`,
          location: location.child("summary"),
        });
    },
  };
}

/** Readers choose an example by its summary. */
function DistinctExampleSummaries() {
  return {
    MediaType({ examples = {} }, { report, resolve, location }) {
      const known = new Map();
      for (const [name, example] of Object.entries(examples)) {
        const { summary } = resolve(example).node ?? {};
        const other = known.get(summary);
        if (summary && other && !(example.$ref && example.$ref === other.$ref))
          report({
            message: `The summary of the example \`${name}\` is that of \`${other.name}\`.`,
            location: location.child(["examples", name]).key(),
          });
        known.set(summary, { name, $ref: example.$ref });
      }
    },
  };
}

/** A tag that no operation has is left of something that is gone, or not there yet. */
function TagsAreUsed() {
  const used = new Set();
  return {
    Operation({ tags = [] }) {
      for (const tag of tags) used.add(tag);
    },
    Root: {
      leave({ tags = [] }, { report, location }) {
        for (const [index, { name }] of tags.entries())
          if (!used.has(name))
            report({
              message: `No operation has the tag \`${name}\`.`,
              location: location.child(["tags", index]),
            });
      },
    },
  };
}

function wordsOf(text = "") {
  return text.replaceAll(/\s+/g, " ").trim();
}

function typesOf({ type }) {
  return [type].flat();
}

/** Whether a schema has several alternatives; one of them and null is no union. */
function isUnion({ anyOf, oneOf }) {
  const alternatives = [...(anyOf ?? []), ...(oneOf ?? [])];
  return alternatives.filter(({ type }) => type !== "null").length > 1;
}
