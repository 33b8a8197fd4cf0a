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
/** The names of those tools that the upstream runs, with the dates of their versions. */
const VERSION = /(?:_(?:bm25|regex))?(?:_\d{8})?$/;

/**
 * What a tool may cost.
 * @param tool of a type that is known. @param field its path in the request.
 */
export function readTool(tool: Readonly<Record<string, unknown>>, field: string): ToolFacts {
  const { type } = tool;
  if (typeof type !== "string" || type === "custom") return CALLERS_OWN;
  if (VENDORS_CLIENT_TOOL.test(type)) return { addedTokens: VENDOR_TOOL_TOKENS, serverTool: null };
  if (TOOLSET.test(type)) return { addedTokens: TOOLSET_TOKENS, serverTool: null };
  const serverTool = { field, name: type.replace(VERSION, ""), maxUses: maxUsesOf(tool) };
  return { addedTokens: VENDOR_TOOL_TOKENS, serverTool };
}

function maxUsesOf({ max_uses: maxUses }: Readonly<Record<string, unknown>>): number | null {
  return typeof maxUses === "number" ? maxUses : null;
}
