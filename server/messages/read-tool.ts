import type { ServerTool } from "./request-facts.ts";

/** What of a tool bears on the cost of a request. */
export interface ToolFacts {
  /** What the upstream adds to the input for it beside its own bytes, such as a schema of the vendor's. */
  readonly addedTokens: number;
  /** Null: the caller runs it. */
  readonly serverTool: ServerTool | null;
}

/** What the vendor documents for the descriptions of its own tools is less than 800. */
const VENDOR_TOOL_TOKENS = 1_000;
/** A toolset is up to 31 tools. */
const TOOLSET_TOKENS = 10_000;

const CALLERS_OWN: ToolFacts = { addedTokens: 0, serverTool: null };
const VENDORS_CLIENT_TOOL = /^(?:bash|text_editor|memory|computer)_\d{8}$/;
const TOOLSET = /^(?:browser|computer)_toolset_\d{8}$/;
/** In their types the date is that of a version, which changes neither what they do nor how they are billed. */
const SERVER_TOOL =
  /^(web_search|web_fetch|code_execution|advisor)_\d{8}$|^(tool_search_tool)_(?:bm25|regex)(?:_\d{8})?$|^(mcp_toolset)$/;

/**
 * What a tool may cost.
 * @param field its path in the request. @returns null when its type is not known.
 */
export function readTool(tool: Readonly<Record<string, unknown>>, field: string): ToolFacts | null {
  const { type } = tool;
  if (type === undefined || type === null || type === "custom") return CALLERS_OWN;
  if (typeof type !== "string") return null;
  if (VENDORS_CLIENT_TOOL.test(type)) return { addedTokens: VENDOR_TOOL_TOKENS, serverTool: null };
  if (TOOLSET.test(type)) return { addedTokens: TOOLSET_TOKENS, serverTool: null };
  const [, ...names] = SERVER_TOOL.exec(type) ?? [];
  const name = names.find((found) => found !== undefined);
  if (name === undefined) return null;
  const serverTool = {
    field,
    name,
    maxUses: countOf(tool.max_uses),
    maxContentTokens: countOf(tool.max_content_tokens),
  };
  return { addedTokens: VENDOR_TOOL_TOKENS, serverTool };
}

function countOf(value: unknown): number | null {
  return Number.isInteger(value) && (value as number) >= 0 ? (value as number) : null;
}
