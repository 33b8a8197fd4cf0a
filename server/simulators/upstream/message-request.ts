/** A block of content, of a request or of a tool's result; open, as the vendor's are. */
export interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly content?: unknown;
  readonly cache_control?: unknown;
}

/** A tool that the model may use. */
export interface Tool {
  readonly name: string;
  /** Of a tool that the upstream knows or runs, such as `web_search_20250305`. */
  readonly type?: unknown;
  readonly max_uses?: unknown;
  /** Of an advisor. */
  readonly model?: unknown;
  readonly input_schema?: { readonly properties?: Readonly<Record<string, PropertySchema>> };
}

/** What a tool's input says of one of its properties. */
export interface PropertySchema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
}

/** The body of a message call, as far as the simulator looks at it. */
export interface MessageRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
  readonly system?: string | readonly Block[] | null;
  readonly tools?: readonly Tool[] | null;
  readonly tool_choice?: null | { readonly type?: unknown; readonly name?: unknown };
  readonly stream?: boolean | null;
  /** Everything so far is to be cached. */
  readonly cache_control?: unknown;
  readonly speed?: unknown;
  readonly inference_geo?: unknown;
  readonly context_management?: {
    readonly edits?: readonly { readonly type?: unknown; readonly trigger?: { readonly value?: number } }[];
  };
}

/**
 * What is wrong with a body, in the vendor's words, or null. Fields that are not known are let through.
 * @param needsMaxTokens a message call does, counting tokens does not
 */
export function faultOf(body: unknown, needsMaxTokens: boolean): string | null {
  if (!isObject(body)) return "The request body is not valid JSON.";
  const { model, max_tokens: maxTokens, messages, stream } = body;
  if (model === undefined) return "model: Field required";
  if (typeof model !== "string") return "model: Input should be a valid string";
  if (needsMaxTokens) {
    if (maxTokens === undefined) return "max_tokens: Field required";
    if (!Number.isInteger(maxTokens)) return "max_tokens: Input should be a valid integer";
    if ((maxTokens as number) < 0) return "max_tokens: Input should be greater than or equal to 0";
  }
  if ((stream ?? false) !== false && stream !== true) return "stream: Input should be a valid boolean";
  if (messages === undefined) return "messages: Field required";
  if (!Array.isArray(messages)) return "messages: Input should be a valid list";
  if (messages.length === 0) return "messages: at least one message is required";
  for (const [index, message] of messages.entries()) {
    if (!isObject(message) || typeof message.role !== "string")
      return `messages.${index}.role: Field required`;
    const { content } = message;
    if (typeof content !== "string" && !(Array.isArray(content) && content.every(isObject))) {
      return `messages.${index}.content: Input should be a valid list`;
    }
  }
  return null;
}

/** The text of the last message, of its tools' results too; "" where it has none. */
export function lastTextOf({ messages }: MessageRequest): string {
  return textOf(messages.at(-1)?.content);
}

/** Whether the last message brings the result of a tool. */
export function hasToolResult({ messages }: MessageRequest): boolean {
  const content = messages.at(-1)?.content;
  return Array.isArray(content) && content.some(({ type }) => type === "tool_result");
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block: Block) => textOf(block.text) || textOf(block.content)).join("");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
