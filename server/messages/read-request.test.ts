import { describe, expect, test } from "vitest";
import { readRequest } from "./read-request.ts";
import type { RequestFacts } from "./request-facts.ts";

function read(json: object): RequestFacts {
  return readRequest(Buffer.from(JSON.stringify(json)), json);
}

const bytesOf = (json: object) => Buffer.byteLength(JSON.stringify(json));
const says = (...content: unknown[]) => ({ messages: [{ role: "user", content }] });
const picture = (data: string, of: object = {}) => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data, ...of },
});
const tool = (of: object) => ({ tools: [{ name: "t", ...of }] });

/** Tokens beyond the bytes of the body. */
function addedTo(json: object): number {
  return read(json).inputTokens - bytesOf(json);
}

describe("the input", () => {
  test("is reckoned with a token for each byte", () => {
    expect(readRequest(Buffer.alloc(1_001), {}).inputTokens).toBe(1_001);
    expect(addedTo({ ...says({ type: "text", text: "ä€😀" }), system: "be brief", max_tokens: 10 })).toBe(0);
  });

  test("is reckoned with what a tokenizer makes of it that normalizes texts first", () => {
    const growing = "\ufdfa".repeat(1_000);
    expect(addedTo(says({ type: "text", text: growing }))).toBe(30_000);
    expect(addedTo({ system: growing })).toBe(30_000);
    const inputOf = (most: number) =>
      readRequest(Buffer.alloc(10_000), { system: growing }, most).inputTokens;
    // Longer than the model takes, it need not be known how much longer.
    expect([inputOf(10_001), inputOf(10_000)]).toEqual([40_000, 10_000]);
    expect(addedTo(tool({ input_schema: { properties: { [growing]: {} } } }))).toBe(500 + 30_000);
    expect(addedTo(says({ type: "tool_use", id: "t", name: "t", input: { a: [growing] } }))).toBe(30_000);
  });

  test.each([
    ["in a message", (image: object) => says(image)],
    [
      "in a tool's result",
      (image: object) => says({ type: "tool_result", tool_use_id: "t", content: [image] }),
    ],
    [
      "in a document",
      (image: object) => says({ type: "document", source: { type: "content", content: [image] } }),
    ],
  ])("counts a picture %s the same whatever its size", (_where, around) => {
    expect(addedTo(around(picture("x")))).toBe(4_999);
    expect(addedTo(around(picture("x".repeat(100_000))))).toBe(5_000 - 100_000);
    expect(addedTo(around({ type: "image", source: { type: "url", url: "https://a.example" } }))).toBe(5_000);
  });

  const data = "x".repeat(100_000);
  test.each([
    ["a tool's input", says({ type: "tool_use", id: "t", name: "t", input: picture(data) })],
    [
      "the input of a server's tool",
      says({ type: "server_tool_use", id: "t", name: "t", input: picture(data) }),
    ],
    ["a tool's schema", tool({ input_schema: picture(data) })],
    ["a tool's example", tool({ input_examples: [picture(data)] })],
    ["a picture of no type that is documented", says(picture(data, { media_type: "image/tiff" }))],
  ])("counts what looks like a picture as text in %s", (_where, json) => {
    expect(addedTo(json)).toBeGreaterThanOrEqual(0);
  });

  test.each([
    [
      "messages.0.content.0.content",
      says({ type: "tool_use", id: "t", name: "t", content: [picture(data)] }),
    ],
    [
      "messages.0.content.0.content.of",
      says({ type: "tool_result", tool_use_id: "t", content: { type: "text", of: picture(data) } }),
    ],
    ["messages.0.content.0.source", says({ type: "text", text: "a", source: picture(data).source })],
    ["messages.0.content.0.text.type", says({ type: "text", text: picture(data) })],
    ["system.0", { system: [picture(data)] }],
    ["messages.0.content.0.content.0", says({ type: "search_result", content: [picture(data)] })],
    [
      "messages.0.content.0.content.0",
      says({ type: "mcp_tool_result", tool_use_id: "t", content: [picture(data)] }),
    ],
    ["messages.0.content.0.source", says(picture(data, { type: "raw" }))],
    ["metadata.type", { metadata: picture(data) }],
  ])("has no picture where the vendor takes none: %s", (field, json) => {
    expect(() => read(json)).toThrow(new RegExp(`^${field}: (?:Extra inputs|Input tag)`));
  });

  test("has what the upstream adds for tools and output formats only where they are asked for", () => {
    expect(addedTo({ ...says(), tools: [] })).toBe(0);
    expect(addedTo(tool({ input_schema: {} }))).toBe(500);
    expect(addedTo(tool({ type: "custom" }))).toBe(500);
    expect(addedTo(tool({ type: "bash_20250124" }))).toBe(1_500);
    expect(addedTo({ tools: [{ type: "computer_toolset_20260801" }] })).toBe(10_500);
    expect(addedTo({ output_config: { effort: "low", format: null } })).toBe(0);
    expect(addedTo({ output_config: { format: { type: "json_schema", schema: {} } } })).toBe(500);
    expect(addedTo({ output_format: { type: "json_schema", schema: {} } })).toBe(500);
  });

  test("of a document is not told by its bytes, except of plain text and blocks", () => {
    const document = (source: object) => read(says({ type: "document", source })).hasDocuments;
    expect(document({ type: "base64", media_type: "application/pdf", data: "x" })).toBe(true);
    expect(document({ type: "url", url: "https://a.example/a.pdf" })).toBe(true);
    expect(document({ type: "text", media_type: "text/plain", data: "x" })).toBe(false);
    expect(document({ type: "content", content: [{ type: "text", text: "x" }] })).toBe(false);
    const fetched = {
      type: "web_fetch_result",
      url: "u",
      content: { type: "document", source: { type: "base64", data: "x" } },
    };
    expect(
      read(says({ type: "web_fetch_tool_result", tool_use_id: "t", content: fetched })).hasDocuments,
    ).toBe(true);
  });

  test("at an address may change", () => {
    expect(
      read(says({ type: "image", source: { type: "url", url: "https://a.example" } })).hasAddresses,
    ).toBe(true);
    expect(read(says(picture("x"))).hasAddresses).toBe(false);
  });
});

describe("the prompt cache", () => {
  const cache_control = { type: "ephemeral" };
  const hour = { type: "ephemeral", ttl: "1h" };
  const places: [string, (control: object) => object][] = [
    ["cache_control", (control) => ({ cache_control: control })],
    [
      "system.0.cache_control",
      (control) => ({ system: [{ type: "text", text: "a", cache_control: control }] }),
    ],
    ["tools.0.cache_control", (control) => tool({ cache_control: control })],
    [
      "messages.0.content.0.cache_control",
      (control) => says({ type: "text", text: "a", cache_control: control }),
    ],
    [
      "messages.0.content.0.content.0.cache_control",
      (control) =>
        says({
          type: "tool_result",
          tool_use_id: "t",
          content: [{ type: "text", text: "a", cache_control: control }],
        }),
    ],
    [
      "messages.0.content.0.source.content.0.cache_control",
      (control) =>
        says({
          type: "document",
          source: { type: "content", content: [{ ...picture("x"), cache_control: control }] },
        }),
    ],
  ];

  test.each(places)("is written for five minutes or an hour where %s says so", (field, around) => {
    expect(read(around(cache_control))).toMatchObject({ cacheWrite: "5m", hourField: null });
    expect(read(around(hour))).toMatchObject({ cacheWrite: "1h", hourField: `${field}.ttl` });
    expect(() => read(around({ type: "ephemeral", ttl: "2h" }))).toThrow(
      `${field}.ttl: Input should be '5m' or '1h'`,
    );
  });

  test("is not written where nothing or a text says so", () => {
    expect(read({ cache_control: null }).cacheWrite).toBe(null);
    expect(read(says({ type: "text", text: '"cache_control": {}' })).cacheWrite).toBe(null);
    expect(read(says({ type: "tool_use", id: "t", name: "t", input: { cache_control } })).cacheWrite).toBe(
      null,
    );
  });
});

describe("what is kept at the upstream is refused by name", () => {
  const file = { type: "file", file_id: "file_1" };
  test.each([
    ["thread", { thread: { type: "create" } }],
    ["thread", { thread: { type: "continue", previous_message_id: "msg_1" } }],
    ["container", { container: "container_1" }],
    ["container", { container: { skills: [{ type: "custom", skill_id: "skill_1" }] } }],
    ["diagnostics.previous_message_id", { diagnostics: { previous_message_id: "msg_1" } }],
    ["fallback_credit_token", { fallback_credit_token: "token" }],
    ["mcp_servers", { mcp_servers: [{ type: "url", url: "https://a.example", name: "a" }] }],
    ["previous_message_id", { previous_message_id: "msg_1" }],
    ["messages.0.content.0.source.file_id", says({ type: "image", source: file })],
    ["messages.0.content.0.source.file_id", says({ type: "document", source: file })],
    [
      "messages.0.content.0.source.file_id",
      says({ type: "document", source: { type: "file", file_id: "f" } }),
    ],
    [
      "messages.0.content.0.content.0.source.file_id",
      says({ type: "tool_result", content: [{ type: "image", source: file }] }),
    ],
    [
      "messages.0.content.0.citations.0.file_id",
      says({ type: "text", text: "a", citations: [{ type: "char_location", file_id: "file_1" }] }),
    ],
    ["messages.0.content.0.file_id", says({ type: "container_upload", file_id: "file_1" })],
    [
      "messages.0.content.0.content.content.0.file_id",
      says({
        type: "code_execution_tool_result",
        content: {
          type: "code_execution_result",
          content: [{ type: "code_execution_output", file_id: "file_1" }],
        },
      }),
    ],
  ])("%s", (field, json) => {
    expect(() => read(json)).toThrow(new RegExp(`^${field}: `));
  });

  test("but not where it is null or a tool's own", () => {
    const nothing = {
      thread: null,
      container: null,
      diagnostics: { previous_message_id: null },
      fallbacks: null,
      mcp_servers: [],
      context_management: { edits: [{ type: "clear_thinking_20251015" }] },
    };
    expect(read(nothing).compactionField).toBe(null);
    expect(
      read(says({ type: "tool_use", id: "t", name: "t", input: { file_id: "file_1" } })).hasDocuments,
    ).toBe(false);
  });
});

describe("what is not known is refused as the vendor does", () => {
  test.each([
    ["fallbacks: Not offered", { fallbacks: [{ model: "m" }] }],
    ["response_format: Extra inputs are not permitted", { response_format: {} }],
    ["__proto__: Extra inputs are not permitted", JSON.parse('{"__proto__":{}}')],
    ["constructor: Extra inputs are not permitted", { constructor: {} }],
    ["messages.0.content.0: Input tag 'video' found", says({ type: "video", source: {} })],
    ["messages.0.content.1: Unable to extract tag", says({ type: "text", text: "a" }, { text: "b" })],
    ["messages.0.content.0: Input should be a valid dictionary", says("a")],
    ["messages.0.content.0: Input should be a valid dictionary", says(null)],
    ["messages.0.content.0: Unable to extract tag", says({ type: 1 })],
    [
      "messages.0.name: Extra inputs are not permitted",
      { messages: [{ role: "user", content: "a", name: "b" }] },
    ],
    [
      "messages.0.content.0.audio: Extra inputs are not permitted",
      says({ type: "text", text: "a", audio: null }),
    ],
    [
      "messages.0.content.0.thread: Extra inputs",
      says({ type: "text", text: "a", thread: { type: "create" } }),
    ],
    ["messages.0.content.0.container: Extra inputs", says({ type: "tool_use", input: {}, container: "c" })],
    ["messages.0.container: Extra inputs", { messages: [{ role: "user", content: "a", container: "c" }] }],
    ["messages.0.content.0.source.skill: Extra inputs", says(picture("x", { skill: "s" }))],
    ["tools.0.model: Extra inputs are not permitted", tool({ model: "m" })],
    ["tools.0.model: Extra inputs are not permitted", tool({ type: "web_search_20250305", model: "m" })],
    ["tools.0.name.a: Extra inputs are not permitted", tool({ name: { a: 1 } })],
    [
      "tools.0.cache_control.scope: Extra inputs",
      tool({ cache_control: { type: "ephemeral", scope: "all" } }),
    ],
    ["tools.0: Input tag 'web_search_20991231' found", tool({ type: "web_search_20991231" })],
    ["tools.0: Input tag 'bash_20991231' found", tool({ type: "bash_20991231" })],
    ["output_config.thread: Extra inputs are not permitted", { output_config: { thread: "t" } }],
    [
      "output_config.format.model: Extra inputs",
      { output_config: { format: { type: "json_schema", model: "m" } } },
    ],
    ["thinking.model: Extra inputs are not permitted", { thinking: { type: "adaptive", model: "m" } }],
    ["thinking: Input tag 'elsewhere' found", { thinking: { type: "elsewhere" } }],
    ["tool_choice.model: Extra inputs are not permitted", { tool_choice: { type: "auto", model: "m" } }],
    ["cache_control.id: Extra inputs are not permitted", { cache_control: { type: "ephemeral", id: "c" } }],
    ["metadata.billing: Extra inputs are not permitted", { metadata: { user_id: "u", billing: "b" } }],
    [
      "context_management.edits.0.model: Extra inputs",
      { context_management: { edits: [{ type: "clear_thinking_20251015", model: "m" }] } },
    ],
    ["tools.0: Input tag 'dream_20270101' found", tool({ type: "dream_20270101" })],
    ["tools.0: Input should be a valid dictionary", { tools: [[]] }],
    [
      "context_management.edits.0: Input tag 'grow_20270101' found",
      { context_management: { edits: [{ type: "grow_20270101" }] } },
    ],
  ])("%s", (message, json) => {
    expect(() => read(json)).toThrow(message);
  });

  test("at any depth", () => {
    let json: unknown = {};
    for (let depth = 0; depth < 100_000; depth += 1) json = { type: "tool_result", content: [json] };
    const request = says(json);
    expect(() => readRequest(Buffer.alloc(10), request)).toThrow(
      "messages.0.content.0.content.0: Input tag 'tool_result' found",
    );
  });
});

describe("a count is a whole number", () => {
  const search = (max_uses: unknown) => tool({ type: "web_search_20250305", max_uses });
  test.each([
    ["tools.0.max_uses: Input should be greater than or equal to 0", search(-5)],
    ["tools.0.max_uses: Input should be a valid integer", search(1.5)],
    ["tools.0.max_uses: Input should be a valid integer", search("5")],
    ["tools.0.max_uses: Input should be a valid integer", search([5])],
    [
      "tools.0.max_content_tokens: Input should be greater than or equal to 0",
      tool({ type: "web_fetch_20250910", max_content_tokens: -1 }),
    ],
    [
      "tools.0.display_width_px: Input should be a valid integer",
      tool({ type: "computer_20250124", display_width_px: {} }),
    ],
    [
      "thinking.budget_tokens: Input should be greater than or equal to 0",
      { thinking: { type: "enabled", budget_tokens: -1 } },
    ],
    [
      "output_config.task_budget.total: Input should be a valid integer",
      { output_config: { task_budget: { total: 0.5 } } },
    ],
    [
      "context_management.edits.0.trigger.value: Input should be greater than or equal to 0",
      {
        context_management: {
          edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: -1 } }],
        },
      },
    ],
  ])("%s", (message, json) => {
    expect(() => read(json)).toThrow(message);
  });
});

describe("what multiplies or adds to a price is told by its field", () => {
  test("speed, region, service tier and compaction", () => {
    const facts = read({ speed: "fast", inference_geo: "us", service_tier: "auto" });
    expect(facts).toMatchObject({ speed: "fast", inferenceGeo: "us", serviceTier: "auto" });
    expect(read({ compaction: { type: "summarize" } }).compactionField).toBe("compaction");
    const edits = [{ type: "clear_tool_uses_20250919" }, { type: "compact_20260112" }];
    expect(read({ context_management: { edits } }).compactionField).toBe("context_management.edits.1");
  });

  test.each([
    ["web_search_20260318", "web_search"],
    ["web_fetch_20250910", "web_fetch"],
    ["code_execution_20250825", "code_execution"],
    ["tool_search_tool_bm25_20251119", "tool_search_tool"],
    ["tool_search_tool_regex", "tool_search_tool"],
    ["advisor_20260301", "advisor"],
    ["mcp_toolset", "mcp_toolset"],
  ])("tools of type %s, which the upstream runs", (type, name) => {
    expect(read({ tools: [{ type }] }).serverTools).toEqual([{ field: "tools.0", name, maxUses: null }]);
  });

  test("how often the upstream may run a tool", () => {
    const search = { type: "web_search_20250305", max_uses: 5 };
    expect(read(tool(search)).serverTools).toEqual([{ field: "tools.0", name: "web_search", maxUses: 5 }]);
    expect(read(tool({ ...search, max_uses: null })).serverTools).toMatchObject([{ maxUses: null }]);
  });

  test("also in a tool that a message adds", () => {
    const definition = { type: "advisor_20260301", name: "advisor", model: "m" };
    const added = { type: "tool_addition", tool: { type: "tool_definition", definition } };
    const { serverTools } = read({ messages: [{ role: "system", content: [added] }] });
    expect(serverTools).toMatchObject([{ field: "messages.0.content.0.tool.definition", name: "advisor" }]);
    const compacted = { type: "compaction", content: "a", tool_changes: [added] };
    expect(read(says(compacted)).serverTools).toHaveLength(1);
  });
});
