import fc from "fast-check";

const text = fc.string({ unit: "binary", maxLength: 60 });
/** What the simulated upstream takes for a wish to use a tool, among other words. */
const words = fc.array(fc.constantFrom("web_search", "web_fetch", "hello", "go"), { maxLength: 8 });
// Small requests leave no slack for what is beside their text.
const data = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 30_000 })).map((bytes) => "A".repeat(bytes));
const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const some = <Value>(values: fc.Arbitrary<Value>) => fc.array(values, { maxLength: 3 });
const cacheControl = optional(
  fc.record({ type: fc.constant("ephemeral"), ttl: fc.constantFrom("5m", "1h") }),
);

const typed = <Fields extends object>(
  type: string,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => fc.record({ type: fc.constant(type), ...fields });

const picture = typed("image", {
  source: fc.oneof(
    typed("base64", { media_type: fc.constantFrom("image/png", "image/tiff"), data }),
    typed("url", { url: fc.constant("https://a.example") }),
  ),
});
const textBlock = typed("text", { text, cache_control: cacheControl });
const searchResult = typed("search_result", { source: text, title: text, content: some(textBlock) });
const plainDocument = typed("document", {
  source: fc.oneof(
    typed("base64", { media_type: fc.constant("application/pdf"), data }),
    typed("text", { media_type: fc.constant("text/plain"), data: text }),
    typed("content", { content: some(fc.oneof(textBlock, picture)) }),
  ),
});
const toolUse = (type: string) =>
  typed(type, {
    id: fc.constant("t"),
    name: fc.constant("t"),
    // What looks like a picture in it is text.
    input: fc.oneof(fc.jsonValue(), picture),
  });
const resultOf = <Value>(type: string, content: fc.Arbitrary<Value>) =>
  typed(type, { tool_use_id: fc.constant("t"), content, cache_control: cacheControl });
const found = typed("web_search_result", { url: text, title: text, encrypted_content: data });

/** A block of every kind that a message may have and that is not refused. */
const block = fc.oneof(
  textBlock,
  picture,
  searchResult,
  plainDocument,
  ...["tool_use", "server_tool_use", "mcp_tool_use"].map(toolUse),
  resultOf("tool_result", some(fc.oneof(textBlock, picture, plainDocument, searchResult))),
  resultOf("mcp_tool_result", some(textBlock)),
  resultOf("web_search_tool_result", some(found)),
  resultOf("web_fetch_tool_result", typed("web_fetch_result", { url: text, content: plainDocument })),
  typed("thinking", { thinking: text, signature: data }),
  typed("redacted_thinking", { data }),
  typed("compaction", { content: text, encrypted_content: data }),
  typed("fallback", { from: fc.record({ model: text }), to: fc.record({ model: text }) }),
);
const tool = fc.oneof(
  fc.record({
    name: fc.constant("hello"),
    description: text,
    input_schema: fc.record({ default: picture }),
    cache_control: cacheControl,
  }),
  typed("bash_20250124", { name: fc.constant("bash") }),
  typed("text_editor_20250728", {
    name: fc.constant("str_replace_based_edit_tool"),
    max_characters: fc.nat(),
  }),
  fc.constantFrom("web_search", "web_fetch").chain((name) =>
    typed(name === "web_search" ? "web_search_20250305" : "web_fetch_20250910", {
      name: fc.constant(name),
      max_uses: fc.nat({ max: 4 }),
    }),
  ),
);

/** Message requests with blocks and tools of every kind, and every field that bears on the price. */
export function anyMessageRequest(modelIds: readonly string[]) {
  return fc.record({
    model: fc.constantFrom(...modelIds),
    max_tokens: fc.nat({ max: 300 }),
    messages: fc
      .tuple(fc.oneof(fc.constant([]), fc.array(block, { maxLength: 5 })), words)
      .map(([content, said]) => [
        { role: "user", content },
        { role: "user", content: said.join(" ") },
      ]),
    system: optional(fc.oneof(text, fc.array(textBlock, { maxLength: 2 }))),
    tools: optional(some(tool)),
    cache_control: cacheControl,
    speed: optional(fc.constantFrom("standard", "fast")),
    inference_geo: optional(fc.constantFrom("global", "us")),
    service_tier: optional(fc.constantFrom("auto", "standard_only")),
    thinking: optional(typed("enabled", { budget_tokens: fc.nat({ max: 300 }) })),
    context_management: optional(
      fc.constant({ edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 500 } }] }),
    ),
  });
}
