import { InvalidInputError } from "../errors.ts";
import { checkFields } from "./check-fields.ts";
import { readTool } from "./read-tool.ts";
import type { RequestFacts, ServerTool } from "./request-facts.ts";
import { textGrowthOf } from "./text-growth.ts";

/** The most that the vendor documents for a picture of any size is 4,784. */
const IMAGE_TOKENS = 5_000;
const IMAGE_TYPES: ReadonlySet<unknown> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
/** Instructions that the upstream adds for an output format, beside the schema. */
const FORMAT_TOKENS = 500;
/** The same for the use of tools; the vendor documents up to 530, most of which the tools' own bytes cover. */
const TOOLS_TOKENS = 500;

/** What is fixed before a request is read: the input is reckoned with a token for each byte. */
const NOTHING_ASKED = {
  hasDocuments: false,
  hasAddresses: false,
  cacheWrite: null,
  hourField: null,
  speed: null,
  inferenceGeo: null,
  serviceTier: null,
  compactionField: null,
} as const;

type Fields = Readonly<Record<string, unknown>>;
type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** What is done about a field of the request that is there and not null. */
type FieldReader = (reader: RequestReader, value: unknown) => void;

/** The fields that bear on the cost; thinking does not, since it is output within `max_tokens`. */
const FIELD_READERS: Readonly<Record<string, FieldReader>> = {
  output_config: (reader, value) => reader.readOutputConfig(value),
  output_format: (reader) => reader.addTokens(FORMAT_TOKENS),
  messages: (reader, value) => reader.readMessages(value),
  system: (reader, value) => reader.readSystem(value),
  tools: (reader, value) => reader.readTools(value),
  cache_control: (reader, value) => reader.readCacheControl(value),
  speed: (reader, value) => reader.readTerm("speed", value),
  inference_geo: (reader, value) => reader.readTerm("inferenceGeo", value),
  service_tier: (reader, value) => reader.readTerm("serviceTier", value),
  context_management: (reader, value) => reader.readContextManagement(value),
  compaction: (reader) => reader.allowCompaction(),
};

/** Blocks whose fields are the caller's own words: whatever stands in them is text. */
const OPAQUE_BLOCKS: ReadonlySet<unknown> = new Set(["text", "tool_use", "server_tool_use", "mcp_tool_use"]);

/**
 * What of a request bears on its cost.
 *
 * The input is reckoned with one token for each byte of the body, and for each that its texts may grow by when they are
 * normalized: no tokenizer makes more of a byte, and a ratio that other texts have shown binds no text that is written to break
 * it. A picture counts 5,000 tokens in place of its bytes.
 * @param body as it came. @param json the same, parsed; it fits the contract.
 * @param mostInputTokens the longest input that the model takes: what comes to more is not reckoned further.
 * @throws {InvalidInputError} it asks for what is not known or not offered, or by an id for what the upstream keeps; the message
 * begins with the field, as the vendor names it.
 */
export function readRequest(
  body: Pick<Buffer, "length">,
  json: unknown,
  mostInputTokens = Number.POSITIVE_INFINITY,
): RequestFacts {
  const facts = readFields(body, json);
  // What is as long as can be is not looked into: of 32 MiB that would hold up everybody else's requests.
  if (facts.inputTokens >= mostInputTokens) return facts;
  return { ...facts, inputTokens: facts.inputTokens + textGrowthOf(json) };
}

/** The same without what its texts may grow by. */
export function readFields(body: Pick<Buffer, "length">, json: unknown): RequestFacts {
  checkFields(json);
  return new RequestReader(body.length).read(json as Fields);
}

/** Reads a request whose fields are all known. */
class RequestReader {
  readonly #path: (string | number)[] = [];
  readonly #serverTools: ServerTool[] = [];
  readonly #facts: Mutable<Omit<RequestFacts, "serverTools">>;

  constructor(bodyBytes: number) {
    this.#facts = { ...NOTHING_ASKED, inputTokens: bodyBytes };
  }

  read(request: Fields): RequestFacts {
    for (const name in request) {
      const value = request[name];
      const readField = Object.hasOwn(FIELD_READERS, name) ? FIELD_READERS[name] : undefined;
      if (readField === undefined || value === null) continue;
      this.#path.push(name);
      readField(this, value);
      this.#path.pop();
    }
    return { ...this.#facts, serverTools: this.#serverTools };
  }

  addTokens(tokens: number): void {
    this.#facts.inputTokens += tokens;
  }

  readMessages(messages: unknown): void {
    for (const [index, message] of (messages as readonly Fields[]).entries()) {
      if (typeof message.content === "string") continue;
      this.#path.push(index);
      this.#readWithin(message, "content");
      this.#path.pop();
    }
  }

  readSystem(system: unknown): void {
    if (typeof system !== "string") this.#readBlocks(system);
  }

  readTools(tools: unknown): void {
    if (!Array.isArray(tools) || tools.length === 0) return;
    this.addTokens(TOOLS_TOKENS);
    for (const [index, tool] of tools.entries()) {
      this.#path.push(index);
      this.#readTool(tool);
      this.#path.pop();
    }
  }

  readOutputConfig(config: unknown): void {
    if (isObject(config) && isGiven(config.format)) this.addTokens(FORMAT_TOKENS);
  }

  // Of a service tier, what the upstream gives when nothing is said is "auto": who says so asks for nothing more.
  readTerm(name: "speed" | "inferenceGeo" | "serviceTier", value: unknown): void {
    if (typeof value !== "string") throw this.#refusal("Input should be a valid string");
    this.#facts[name] = value;
  }

  readContextManagement(management: unknown): void {
    if (!isObject(management)) throw this.#refusal("Input should be a valid dictionary");
    const { edits } = management;
    if (!isGiven(edits)) return;
    if (!Array.isArray(edits)) throw this.#refusal("Input should be a valid dictionary");
    for (const [index, { type }] of edits.entries()) {
      this.#path.push("edits", index);
      if (type.startsWith("compact_")) this.allowCompaction();
      this.#path.length -= 2;
    }
  }

  allowCompaction(): void {
    this.#facts.compactionField ??= this.#path.join(".");
  }

  readCacheControl(control: unknown): void {
    if (!isObject(control)) throw this.#refusal("Input should be a valid dictionary");
    const { ttl } = control;
    if (ttl === "1h") {
      this.#facts.cacheWrite = "1h";
      this.#facts.hourField ??= [...this.#path, "ttl"].join(".");
    } else if (isGiven(ttl) && ttl !== "5m") {
      this.#path.push("ttl");
      throw this.#refusal("Input should be '5m' or '1h'");
    } else this.#facts.cacheWrite ??= "5m";
  }

  #readTool(tool: Fields): void {
    this.#readOwnCacheControl(tool);
    const { addedTokens, serverTool } = readTool(tool, this.#path.join("."));
    this.addTokens(addedTokens);
    if (serverTool !== null) this.#serverTools.push(serverTool);
  }

  #readBlocks(blocks: unknown): void {
    if (!Array.isArray(blocks)) throw this.#refusal("Input should be a valid list");
    for (const [index, block] of blocks.entries()) {
      this.#path.push(index);
      this.#readBlock(block);
      this.#path.pop();
    }
  }

  #readBlock(block: unknown): void {
    if (!isObject(block)) return;
    const { type } = block;
    if (block.cache_control !== undefined) this.#readOwnCacheControl(block);
    if (OPAQUE_BLOCKS.has(type)) return;
    if (type === "tool_addition") this.#readAddedTool(block);
    if (type === "compaction") this.#readWithin(block, "tool_changes");
    if (isObject(block.source)) this.#readSource(block.source, type);
    this.#readWithin(block, "content");
  }

  /** Where a picture or a document is. */
  #readSource(source: Fields, type: unknown): void {
    if (isGiven(source.url)) this.#facts.hasAddresses = true;
    if (type === "image") this.#readPicture(source);
    else if (source.type !== "text" && source.type !== "content") this.#facts.hasDocuments = true;
    this.#path.push("source");
    this.#readWithin(source, "content");
    this.#path.pop();
  }

  #readPicture({ type, media_type: mediaType, data }: Fields): void {
    this.addTokens(IMAGE_TOKENS);
    const isPicture = type === "base64" && IMAGE_TYPES.has(mediaType) && typeof data === "string";
    if (isPicture) this.addTokens(-data.length);
  }

  #readWithin(outer: Fields, name: string): void {
    const inner = outer[name];
    if (typeof inner !== "object" || inner === null) return;
    this.#path.push(name);
    if (Array.isArray(inner)) this.#readBlocks(inner);
    else this.#readBlock(inner);
    this.#path.pop();
  }

  #readAddedTool({ tool }: Fields): void {
    if (!isObject(tool) || !isObject(tool.definition)) return;
    this.#path.push("tool", "definition");
    this.#readTool(tool.definition);
    this.#path.length -= 2;
  }

  #readOwnCacheControl({ cache_control: control }: Fields): void {
    if (!isGiven(control)) return;
    this.#path.push("cache_control");
    this.readCacheControl(control);
    this.#path.pop();
  }

  #refusal(reason: string): InvalidInputError {
    return new InvalidInputError(`${this.#path.join(".")}: ${reason}`);
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
