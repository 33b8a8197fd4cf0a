import { InvalidInputError } from "../errors.ts";
import { ThreadNotOfferedError } from "./errors.ts";

/** What a field may hold; in a list each item does. */
export type Known =
  /** A text, a number or a truth value: an object in its place has no field that is known. */
  | { readonly kind: "value" }
  /** A whole number of zero or more. */
  | { readonly kind: "count" }
  /** The caller's own JSON, which the upstream reads as text: whatever stands in it. */
  | { readonly kind: "anything" }
  /** The vendor documents it, and the shop does not offer it. */
  | { readonly kind: "refused"; readonly why: string; readonly error: typeof InvalidInputError }
  | { readonly kind: "fields"; readonly fields: KnownFields }
  /** Objects whose `type` says what fields they have; `custom` is that of those that need none. */
  | { readonly kind: "tagged"; readonly types: Readonly<Record<string, KnownFields>> };

/** Fields by their names. */
export type KnownFields = Readonly<Record<string, Known>>;

const VALUE: Known = { kind: "value" };
const COUNT: Known = { kind: "count" };
const ANYTHING: Known = { kind: "anything" };
const NO_STATE = "the upstream keeps no state for its buyers";
const STATE = refused(NO_STATE);

const CACHE_CONTROL = fieldsOf(values("type", "ttl"));
const ENABLED = fieldsOf(values("enabled"));

/** Of all citations: what they are of differs, and none of them costs. An answer has `file_id`, of nothing. */
const CITATIONS = fieldsOf({
  ...values("type", "cited_text", "document_index", "document_title", "start_char_index", "end_char_index"),
  ...values("start_page_number", "end_page_number", "start_block_index", "end_block_index"),
  ...values("search_result_index", "source", "title", "url", "encrypted_index"),
  file_id: STATE,
});

const TEXT: KnownFields = { ...values("type", "text"), citations: CITATIONS, cache_control: CACHE_CONTROL };
const IMAGE: KnownFields = {
  type: VALUE,
  source: tagged({
    base64: values("type", "media_type", "data"),
    url: values("type", "url"),
    file: { type: VALUE, file_id: STATE },
  }),
  transformations: fieldsOf(values("oversized_image")),
  cache_control: CACHE_CONTROL,
};
const DOCUMENT: KnownFields = {
  ...values("type", "title", "context"),
  source: tagged({
    base64: values("type", "media_type", "data"),
    text: values("type", "media_type", "data"),
    url: values("type", "url"),
    file: { type: VALUE, file_id: STATE },
    content: { type: VALUE, content: tagged({ text: TEXT, image: IMAGE }) },
  }),
  citations: ENABLED,
  cache_control: CACHE_CONTROL,
};
const SEARCH_RESULT: KnownFields = {
  ...values("type", "source", "title"),
  content: tagged({ text: TEXT }),
  citations: ENABLED,
  cache_control: CACHE_CONTROL,
};
const TOOL_REFERENCE: KnownFields = { ...values("type", "tool_name"), cache_control: CACHE_CONTROL };

/** What a tool of the caller's gave. */
const RESULT_BLOCKS: Readonly<Record<string, KnownFields>> = {
  text: TEXT,
  image: IMAGE,
  document: DOCUMENT,
  search_result: SEARCH_RESULT,
  tool_reference: TOOL_REFERENCE,
  browser_state: {
    type: VALUE,
    tabs: fieldsOf(values("tab_id", "title", "url", "active")),
    state_changes: fieldsOf(values("type", "tab_id", "download_id", "url", "path", "size_bytes", "error")),
    cache_control: CACHE_CONTROL,
  },
};

const TOOL_USE: KnownFields = {
  ...values("type", "id", "name", "toolset_name"),
  input: ANYTHING,
  caller: fieldsOf(values("type", "tool_id")),
  cache_control: CACHE_CONTROL,
};
const MCP_TOOLS = fieldsOf({ ...values("name", "description"), input_schema: ANYTHING });

/** What ran in a container gave, and which files it left there. */
const EXECUTED = fieldsOf({
  ...values("type", "stdout", "stderr", "encrypted_stdout", "return_code", "error_code"),
  content: fieldsOf({ type: VALUE, file_id: STATE }),
});

const TOOL_CHANGES = tagged({
  tool_reference: values("type", "name"),
  mcp_tool_reference: values("type", "name", "server_name"),
  mcp_toolset_reference: values("type", "server_name"),
});

/** Results of tools that the upstream ran in an answer before. */
const SERVER_RESULTS: Readonly<Record<string, KnownFields>> = {
  web_search_tool_result: {
    ...resultOf(values("type", "url", "title", "encrypted_content", "page_age", "error_code")),
    caller: fieldsOf(values("type", "tool_id")),
  },
  web_fetch_tool_result: {
    ...resultOf({
      ...values("type", "url", "retrieved_at", "error_code"),
      content: tagged({ document: DOCUMENT }),
    }),
    caller: fieldsOf(values("type", "tool_id")),
  },
  advisor_tool_result: resultOf(values("type", "text", "encrypted_content", "stop_reason", "error_code")),
  code_execution_tool_result: { ...resultOf({}), content: EXECUTED },
  bash_code_execution_tool_result: { ...resultOf({}), content: EXECUTED },
  text_editor_code_execution_tool_result: resultOf({
    ...values("type", "content", "file_type", "num_lines", "start_line", "total_lines", "is_file_update"),
    ...values("lines", "new_lines", "new_start", "old_lines", "old_start", "error_code", "error_message"),
  }),
  tool_search_tool_result: resultOf({
    ...values("type", "error_code", "error_message"),
    tool_references: tagged({ tool_reference: TOOL_REFERENCE }),
  }),
};

const CACHED_TOOL: KnownFields = { type: VALUE, cache_control: CACHE_CONTROL };
const TOOL: KnownFields = {
  ...CACHED_TOOL,
  ...values("name", "allowed_callers", "defer_loading", "strict"),
};
const TOOL_WITH_EXAMPLES: KnownFields = { ...TOOL, input_examples: ANYTHING };
const COMPUTER: KnownFields = {
  ...TOOL_WITH_EXAMPLES,
  ...counts("display_height_px", "display_width_px", "display_number"),
};
const WEB_SEARCH: KnownFields = {
  ...TOOL,
  ...values("allowed_domains", "blocked_domains"),
  max_uses: COUNT,
  user_location: fieldsOf(values("type", "city", "country", "region", "timezone")),
};
const URL_SOURCES = fieldsOf({ type: VALUE, tools: fieldsOf(values("type", "name")) });
const WEB_FETCH: KnownFields = {
  ...TOOL,
  ...values("allowed_domains", "blocked_domains"),
  ...counts("max_uses", "max_content_tokens"),
  citations: ENABLED,
  url_sources: fieldsOf({
    client_tool_results: URL_SOURCES,
    server_tool_results: URL_SOURCES,
    user_input: URL_SOURCES,
  }),
};

/** Of tools with several parts: each can be switched off. */
const PARTS = fieldsOf(values("enabled", "defer_loading"));
const COMPUTER_PARTS = [
  ...["cursor_position", "double_click", "hold_key", "key", "left_click", "left_click_drag"],
  ...["left_mouse_down", "left_mouse_up", "middle_click", "mouse_move", "right_click", "screenshot"],
  ...["scroll", "triple_click", "type", "wait", "zoom"],
];
const BROWSER_PARTS = [
  ...COMPUTER_PARTS.filter((part) => part !== "cursor_position"),
  ...["close_tab", "file_upload", "find", "form_input", "get_page_text", "hover", "javascript_exec"],
  ...["list_tabs", "navigate", "new_tab", "read_console", "read_network", "read_page", "scroll_to"],
  "switch_tab",
];

/** Tools by their types, with the dates of those versions that are known to be billed as they are here. */
const TOOLS: Readonly<Record<string, KnownFields>> = {
  custom: {
    ...TOOL_WITH_EXAMPLES,
    ...values("description", "eager_input_streaming"),
    input_schema: ANYTHING,
  },
  bash_20241022: TOOL_WITH_EXAMPLES,
  bash_20250124: TOOL_WITH_EXAMPLES,
  text_editor_20241022: TOOL_WITH_EXAMPLES,
  text_editor_20250124: TOOL_WITH_EXAMPLES,
  text_editor_20250429: TOOL_WITH_EXAMPLES,
  text_editor_20250728: { ...TOOL_WITH_EXAMPLES, max_characters: COUNT },
  memory_20250818: TOOL_WITH_EXAMPLES,
  computer_20241022: COMPUTER,
  computer_20250124: COMPUTER,
  computer_20251124: { ...COMPUTER, enable_zoom: VALUE },
  computer_toolset_20260801: { ...CACHED_TOOL, configs: partsOf(COMPUTER_PARTS) },
  browser_toolset_20260801: { ...CACHED_TOOL, configs: partsOf(BROWSER_PARTS) },
  web_search_20250305: WEB_SEARCH,
  web_search_20260209: WEB_SEARCH,
  web_search_20260318: { ...WEB_SEARCH, response_inclusion: VALUE },
  web_fetch_20250910: WEB_FETCH,
  web_fetch_20260209: WEB_FETCH,
  web_fetch_20260309: { ...WEB_FETCH, use_cache: VALUE },
  web_fetch_20260318: { ...WEB_FETCH, use_cache: VALUE, response_inclusion: VALUE },
  code_execution_20250522: TOOL,
  code_execution_20250825: TOOL,
  code_execution_20260120: TOOL,
  code_execution_20260521: TOOL,
  tool_search_tool_bm25: TOOL,
  tool_search_tool_bm25_20251119: TOOL,
  tool_search_tool_regex: TOOL,
  tool_search_tool_regex_20251119: TOOL,
  advisor_20260301: {
    ...TOOL,
    model: VALUE,
    caching: CACHE_CONTROL,
    ...counts("max_uses", "max_tokens"),
  },
  mcp_toolset: {
    ...CACHED_TOOL,
    mcp_server_name: VALUE,
    configs: ANYTHING,
    default_config: PARTS,
    tools: MCP_TOOLS,
  },
};

const TOOL_ADDITION: KnownFields = {
  type: VALUE,
  tool: tagged({ ...TOOL_CHANGES.types, tool_definition: { type: VALUE, definition: tagged(TOOLS) } }),
  cache_control: CACHE_CONTROL,
};
const TOOL_REMOVAL: KnownFields = { type: VALUE, tool: TOOL_CHANGES, cache_control: CACHE_CONTROL };

/** What a message may consist of. */
const MESSAGE_BLOCKS: Readonly<Record<string, KnownFields>> = {
  text: TEXT,
  image: IMAGE,
  document: DOCUMENT,
  search_result: SEARCH_RESULT,
  thinking: values("type", "thinking", "signature"),
  redacted_thinking: values("type", "data"),
  tool_use: TOOL_USE,
  server_tool_use: TOOL_USE,
  tool_result: {
    ...values("type", "tool_use_id", "is_error", "toolset_name"),
    content: tagged(RESULT_BLOCKS),
    cache_control: CACHE_CONTROL,
  },
  ...SERVER_RESULTS,
  mcp_tool_use: {
    ...values("type", "id", "name", "server_name"),
    input: ANYTHING,
    cache_control: CACHE_CONTROL,
  },
  mcp_tool_result: {
    ...values("type", "tool_use_id", "is_error"),
    content: tagged({ text: TEXT }),
    cache_control: CACHE_CONTROL,
  },
  mcp_tool_listing: { ...values("type", "mcp_server_name"), tools: MCP_TOOLS },
  container_upload: { type: VALUE, file_id: STATE, cache_control: CACHE_CONTROL },
  compaction: {
    ...values("type", "content", "encrypted_content", "signature"),
    tool_changes: tagged({ tool_addition: TOOL_ADDITION, tool_removal: TOOL_REMOVAL }),
    cache_control: CACHE_CONTROL,
  },
  fallback: {
    type: VALUE,
    from: fieldsOf(values("model")),
    to: fieldsOf(values("model")),
    trigger: ANYTHING,
  },
  tool_addition: TOOL_ADDITION,
  tool_removal: TOOL_REMOVAL,
};

const AMOUNT = fieldsOf({ type: VALUE, value: COUNT });
const FORMAT = fieldsOf({ type: VALUE, schema: ANYTHING });
const THINKING: KnownFields = {
  ...values("type", "display"),
  block_binding: fieldsOf(values("prefix_mismatch_behavior")),
};

/**
 * Every field that a request may have, at any depth. One that is not here is refused: the vendor refuses what it does not know,
 * and what it has added since may cost what nobody here has a price for, or name what it keeps for another buyer. A test
 * compares this with the types of the vendor's SDK.
 */
export const REQUEST_FIELDS: KnownFields = {
  ...values("model", "max_tokens", "stream", "temperature", "top_p", "top_k", "stop_sequences"),
  ...values("speed", "inference_geo", "service_tier"),
  metadata: fieldsOf(values("user_id")),
  messages: fieldsOf({
    ...values("role", "clear_at"),
    content: tagged(MESSAGE_BLOCKS),
    output_config: fieldsOf(values("effort")),
  }),
  system: tagged({ text: TEXT }),
  tools: tagged(TOOLS),
  tool_choice: tagged({
    auto: values("type", "disable_parallel_tool_use"),
    any: values("type", "disable_parallel_tool_use"),
    tool: values("type", "name", "disable_parallel_tool_use"),
    none: values("type"),
  }),
  thinking: tagged({
    enabled: { ...THINKING, budget_tokens: COUNT },
    adaptive: THINKING,
    between_tools: values("type"),
    disabled: values("type"),
  }),
  output_config: fieldsOf({
    effort: VALUE,
    format: FORMAT,
    task_budget: fieldsOf({ type: VALUE, ...counts("total", "remaining") }),
  }),
  output_format: FORMAT,
  cache_control: CACHE_CONTROL,
  context_management: fieldsOf({
    edits: tagged({
      clear_tool_uses_20250919: {
        ...values("type", "clear_tool_inputs", "exclude_tools"),
        clear_at_least: AMOUNT,
        keep: AMOUNT,
        trigger: AMOUNT,
      },
      clear_thinking_20251015: { type: VALUE, keep: AMOUNT },
      compact_20260112: { ...values("type", "instructions", "pause_after_compaction"), trigger: AMOUNT },
    }),
  }),
  compaction: fieldsOf(values("type", "instructions")),
  diagnostics: fieldsOf({ previous_message_id: STATE }),
  thread: { kind: "refused", why: NO_STATE, error: ThreadNotOfferedError },
  container: STATE,
  fallback_credit_token: STATE,
  mcp_servers: refused("the upstream asks no servers of its buyers"),
  fallbacks: refused("other models cannot take the call over"),
  billing_policy: refused("calls are billed to its account"),
};

function values(...names: readonly string[]): KnownFields {
  return Object.fromEntries(names.map((name) => [name, VALUE]));
}

function counts(...names: readonly string[]): KnownFields {
  return Object.fromEntries(names.map((name) => [name, COUNT]));
}

function fieldsOf(fields: KnownFields): Known {
  return { kind: "fields", fields };
}

function tagged(types: Readonly<Record<string, KnownFields>>): Known & { readonly kind: "tagged" } {
  return { kind: "tagged", types };
}

function partsOf(names: readonly string[]): Known {
  return fieldsOf(Object.fromEntries(names.map((name) => [name, PARTS])));
}

/** The result of a tool that the upstream ran. */
function resultOf(content: KnownFields): KnownFields {
  return {
    ...values("type", "tool_use_id"),
    content: fieldsOf(content),
    cache_control: CACHE_CONTROL,
  };
}

function refused(why: string): Known {
  return { kind: "refused", why, error: InvalidInputError };
}
