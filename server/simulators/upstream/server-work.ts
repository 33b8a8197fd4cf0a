import type { TokenUsage } from "../../calls/token-usage.ts";
import { lastTextOf, type MessageRequest, type Tool } from "./message-request.ts";
import type { ToldUsage } from "./told-usage.ts";

/** What the upstream does by itself for an answer: uses of its own tools, advice, a compaction. */
export interface ServerWork {
  /** How often each tool was used. */
  readonly toolUses: Readonly<Record<string, number>>;
  /** Blocks of the answer that show it; they come before its text. */
  readonly blocks: readonly object[];
  /** The usage with what the runs after the first one have read. */
  readonly usage: TokenUsage;
  /** Every run of a model; empty when there was only the one for the answer. */
  readonly iterations: readonly ToldUsage[];
}

/** What one use of a tool brings to read. */
const TOKENS_PER_RESULT = 200;
const ADVICE_TOKENS = 50;
const SUMMARY_TOKENS = 30;
const SERVER_TOOL = /^(web_search|web_fetch|code_execution)_\d{8}$/;
const ADVISOR = /^advisor_\d{8}$/;

/** The work that a request asks for by naming a tool in its last text, or by the size of its input. */
export function serverWorkFor(request: MessageRequest, usage: TokenUsage): ServerWork {
  const { model } = request;
  const used = usedTools(request);
  const uses = used.reduce((sum, { times }) => sum + times, 0);
  const advisors = (request.tools ?? []).filter(
    (tool) => isNamed(tool, request) && ADVISOR.test(typeOf(tool)),
  );
  const compacts = isCompacted(request, inputOf(usage));
  const runs = uses === 0 ? [usage] : answeringRuns(usage, uses);
  const advice = { ...PLAIN, inputTokens: inputOf(usage), outputTokens: ADVICE_TOKENS };
  const summary = { ...PLAIN, inputTokens: inputOf(usage), outputTokens: SUMMARY_TOKENS };
  const iterations = [
    ...(compacts ? [told("compaction", summary)] : []),
    ...runs.map((run) => told("message", run, model)),
    ...advisors.map((tool) => told("advisor_message", advice, String(tool.model))),
  ];
  return {
    toolUses: Object.fromEntries(used.map(({ tool, times }) => [tool, times])),
    blocks: [
      ...(compacts ? [{ type: "compaction", content: "A summary of what came before." }] : []),
      ...used.flatMap(({ tool, times }) => blocksOf(tool, times)),
      ...advisors.flatMap(() => blocksOf("advisor", 1)),
    ],
    usage: runs.reduce(sumOf),
    iterations: iterations.length === 1 ? [] : iterations,
  };
}

/** Whether a tool is one that the upstream runs, or asks, by itself. */
export function isServerTool(tool: Tool): boolean {
  return SERVER_TOOL.test(typeOf(tool)) || ADVISOR.test(typeOf(tool));
}

const PLAIN: TokenUsage = { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 };

/** As often as the last text names it, at most `max_uses`. */
function usedTools(request: MessageRequest): { tool: string; times: number }[] {
  return (request.tools ?? []).flatMap((tool) => {
    const [, name] = SERVER_TOOL.exec(typeOf(tool)) ?? [];
    if (name === undefined) return [];
    const times = lastTextOf(request).split(tool.name).length - 1;
    const most = typeof tool.max_uses === "number" ? tool.max_uses : times;
    return times === 0 ? [] : [{ tool: name, times: Math.min(times, most) }];
  });
}

/** The first run reads the request and asks for the tools; the second reads their results as well, and answers. */
function answeringRuns(usage: TokenUsage, uses: number): readonly TokenUsage[] {
  const inputTokens = inputOf(usage) + uses * TOKENS_PER_RESULT;
  return [
    { ...usage, outputTokens: uses },
    { ...PLAIN, inputTokens, outputTokens: usage.outputTokens },
  ];
}

function isCompacted({ context_management: management }: MessageRequest, inputTokens: number): boolean {
  return (management?.edits ?? []).some(
    ({ type, trigger }) => String(type).startsWith("compact_") && inputTokens >= (trigger?.value ?? 150_000),
  );
}

function told(type: string, usage: TokenUsage, model: string | null = null): ToldUsage {
  const hourTokens = usage.further?.cacheWriteHourTokens ?? 0;
  return {
    type,
    model,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWriteTokens - hourTokens,
      ephemeral_1h_input_tokens: hourTokens,
    },
  };
}

function blocksOf(tool: string, times: number): object[] {
  return Array.from({ length: times }, (_, index) => `srvtoolu_${tool}_${index + 1}`).flatMap((id) => [
    { type: "server_tool_use", id, name: tool, input: {} },
    { type: `${tool}_tool_result`, tool_use_id: id, content: [] },
  ]);
}

function sumOf(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    ...a,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  };
}

function inputOf({ inputTokens, cacheWriteTokens, cacheReadTokens }: TokenUsage): number {
  return inputTokens + cacheWriteTokens + cacheReadTokens;
}

function isNamed({ name }: Tool, request: MessageRequest): boolean {
  return lastTextOf(request).includes(name);
}

function typeOf({ type }: Tool): string {
  return typeof type === "string" ? type : "";
}
