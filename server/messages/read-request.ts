import { InvalidInputError } from "../errors.ts";
import { ThreadNotOfferedError } from "./errors.ts";
import { readTool } from "./read-tool.ts";
import type { RequestFacts, ServerTool } from "./request-facts.ts";

/** The most that the vendor documents for a picture of any size is 4,784. */
const IMAGE_TOKENS = 5_000;
const IMAGE_TYPES: ReadonlySet<unknown> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
/** Blocks within blocks are at most five deep: a tool's result, in it a document, in it blocks, in them a picture. */
const MAX_BLOCK_DEPTH = 8;

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
type Key = string | number;
/** Where blocks stand: their depth, and whether the upstream sees pictures there. */
interface Place {
  readonly depth: number;
  readonly seesPictures: boolean;
}
type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** What is done about a field of the request that is there and not null. */
type FieldRule = (reader: RequestReader, value: unknown) => void;

const noCost: FieldRule = () => {};

const refuseState: FieldRule = (reader) => {
  throw reader.refusal(NOT_OFFERED.state);
};

/**
 * Every field that a request may have at its top. One that is not here is refused: the vendor refuses fields that it does
 * not know, and one that it has added since may cost what nobody here has a price for.
 */
const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  model: noCost,
  max_tokens: noCost,
  stream: noCost,
  metadata: noCost,
  temperature: noCost,
  top_p: noCost,
  top_k: noCost,
  stop_sequences: noCost,
  tool_choice: noCost,
  // Thinking is output, within max_tokens.
  thinking: noCost,
  output_config: (reader, value) => reader.readOutputConfig(value),
  output_format: (reader) => reader.addTokens(FORMAT_TOKENS),
  messages: (reader, value) => reader.readMessages(value),
  system: (reader, value) => reader.readSystem(value),
  tools: (reader, value) => reader.readTools(value),
  cache_control: (reader, value) => reader.readCacheControl(value),
  speed: (reader, value) => reader.readChoice("speed", value),
  inference_geo: (reader, value) => reader.readChoice("inferenceGeo", value),
  service_tier: (reader, value) => reader.readServiceTier(value),
  context_management: (reader, value) => reader.readContextManagement(value),
  compaction: (reader) => reader.allowCompaction(),
  diagnostics: (reader, value) => reader.readDiagnostics(value),
  mcp_servers: (reader, value) => {
    if (!Array.isArray(value) || value.length > 0) throw reader.refusal(NOT_OFFERED.mcp);
  },
  thread: (reader) => {
    throw new ThreadNotOfferedError(reader.refusal(NOT_OFFERED.state).message);
  },
  container: refuseState,
  fallback_credit_token: refuseState,
  fallbacks: (reader) => {
    throw reader.refusal("Not offered by this shop: other models cannot take the call over.");
  },
  billing_policy: (reader) => {
    throw reader.refusal("Not offered by this shop: calls are billed to its account.");
  },
};

const IN_MESSAGE: Place = { depth: 0, seesPictures: true };
const IN_SYSTEM: Place = { depth: 0, seesPictures: false };

const NOT_OFFERED = {
  state: "Not offered by this shop: the upstream keeps no state for its buyers.",
  mcp: "Not offered by this shop: the upstream asks no servers of its buyers.",
} as const;

/** Instructions that the upstream adds for an output format, beside the schema. */
const FORMAT_TOKENS = 500;
/** The same for the use of tools; the vendor documents up to 530, most of which the tools' own bytes cover. */
const TOOLS_TOKENS = 500;

/** Blocks that are text, however their fields are called. */
const TEXT_BLOCKS = [
  "text",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "server_tool_use",
  "mcp_tool_use",
  "tool_reference",
  "browser_state",
  "search_result",
  "tool_result",
  "mcp_tool_result",
  "mcp_tool_listing",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
  "advisor_tool_result",
  "compaction",
  "fallback",
  "tool_removal",
];
const OTHER_BLOCKS = ["image", "document", "tool_addition", "container_upload"];
const BLOCKS: ReadonlySet<string> = new Set([...TEXT_BLOCKS, ...OTHER_BLOCKS]);
/** Blocks whose fields are the caller's own words: whatever stands in them is text. */
const OPAQUE_BLOCKS: ReadonlySet<string> = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);

/**
 * What of a request bears on its cost, in one pass over it.
 *
 * The input is reckoned with one token for each byte of the body: no tokenizer makes more of a byte, and a ratio that other
 * texts have shown binds no text that is written to break it. A picture counts 5,000 tokens in place of its bytes, where the
 * upstream sees a picture: directly in a message's content, in a tool's result, or in a document's.
 * @param body as it came. @param json the same, parsed; it fits the contract.
 * @throws {InvalidInputError} it asks for what is not offered, or by an id for what the upstream keeps; the message begins
 * with the field, as the vendor names it.
 */
export function readRequest(body: Pick<Buffer, "length">, json: unknown): RequestFacts {
  return new RequestReader(body.length).read(json as Fields);
}

class RequestReader {
  readonly #path: Key[] = [];
  readonly #serverTools: ServerTool[] = [];
  readonly #facts: Mutable<Omit<RequestFacts, "serverTools">>;

  constructor(bodyBytes: number) {
    this.#facts = { ...NOTHING_ASKED, inputTokens: bodyBytes };
  }

  read(request: Fields): RequestFacts {
    for (const name in request) {
      const value = request[name];
      this.#path.push(name);
      const rule = Object.hasOwn(FIELD_RULES, name) ? FIELD_RULES[name] : undefined;
      if (rule === undefined) throw this.refusal("Extra inputs are not permitted");
      else if (value !== null) rule(this, value);
      this.#path.pop();
    }
    return { ...this.#facts, serverTools: this.#serverTools };
  }

  /** Names the field that is being read. */
  refusal(reason: string): InvalidInputError {
    return new InvalidInputError(`${this.#path.join(".")}: ${reason}`);
  }

  addTokens(tokens: number): void {
    this.#facts.inputTokens += tokens;
  }

  readMessages(messages: unknown): void {
    for (const [index, message] of (messages as readonly Fields[]).entries()) {
      if (typeof message.content === "string") continue;
      this.#path.push(index, "content");
      this.#readBlocks(message.content, IN_MESSAGE);
      this.#path.length -= 2;
    }
  }

  readSystem(system: unknown): void {
    if (typeof system !== "string") this.#readBlocks(system, IN_SYSTEM);
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

  readChoice(name: "speed" | "inferenceGeo", value: unknown): void {
    if (typeof value !== "string") throw this.refusal("Input should be a valid string");
    this.#facts[name] = value;
  }

  // What the upstream gives when nothing is said is "auto": whoever says so asks for nothing more.
  readServiceTier(value: unknown): void {
    if (typeof value !== "string") throw this.refusal("Input should be a valid string");
    this.#facts.serviceTier = value;
  }

  readContextManagement(management: unknown): void {
    if (!isObject(management)) throw this.refusal("Input should be a valid dictionary");
    const { edits } = management;
    if (!isGiven(edits)) return;
    if (!Array.isArray(edits)) throw this.refusal("Input should be a valid dictionary");
    for (const [index, edit] of edits.entries()) {
      const type: unknown = isObject(edit) ? edit.type : undefined;
      this.#path.push("edits", index);
      if (typeof type === "string" && /^compact_\d{8}$/.test(type)) this.allowCompaction();
      else if (typeof type !== "string" || !/^clear_[a-z_]+_\d{8}$/.test(type)) throw this.#tagRefusal(type);
      this.#path.length -= 2;
    }
  }

  allowCompaction(): void {
    this.#facts.compactionField ??= this.#path.join(".");
  }

  readDiagnostics(diagnostics: unknown): void {
    if (!isObject(diagnostics) || !isGiven(diagnostics.previous_message_id)) return;
    this.#path.push("previous_message_id");
    throw this.refusal(NOT_OFFERED.state);
  }

  readCacheControl(control: unknown): void {
    if (!isObject(control)) throw this.refusal("Input should be a valid dictionary");
    const { ttl } = control;
    if (ttl === "1h") {
      this.#facts.cacheWrite = "1h";
      this.#facts.hourField ??= [...this.#path, "ttl"].join(".");
    } else if (isGiven(ttl) && ttl !== "5m") {
      this.#path.push("ttl");
      throw this.refusal("Input should be '5m' or '1h'");
    } else this.#facts.cacheWrite ??= "5m";
  }

  #readTool(tool: unknown): void {
    if (!isObject(tool)) throw this.refusal("Input should be a valid dictionary");
    this.#readOwnCacheControl(tool);
    const found = readTool(tool, this.#path.join("."));
    if (found === null) throw this.#tagRefusal(tool.type);
    this.addTokens(found.addedTokens);
    if (found.serverTool !== null) this.#serverTools.push(found.serverTool);
  }

  #readBlocks(blocks: unknown, place: Place): void {
    if (!Array.isArray(blocks)) throw this.refusal("Input should be a valid list");
    for (const [index, block] of blocks.entries()) {
      this.#path.push(index);
      this.#readBlock(block, place);
      this.#path.pop();
    }
  }

  #readBlock(block: unknown, place: Place): void {
    if (!isObject(block)) throw this.refusal("Input should be a valid dictionary");
    const { type } = block;
    if (typeof type !== "string" || (place.depth === 0 && !BLOCKS.has(type))) throw this.#tagRefusal(type);
    if (block.cache_control !== undefined) this.#readOwnCacheControl(block);
    if (isGiven(block.file_id)) throw this.#fieldRefusal("file_id");
    if (type === "text" || OPAQUE_BLOCKS.has(type)) return;
    if (place.depth === MAX_BLOCK_DEPTH) throw this.refusal("Blocks are nested too deeply");
    if (type === "tool_addition") this.#readAddedTool(block);
    if (type === "compaction") this.#readWithin(block, "tool_changes", place);
    if (isObject(block.source)) this.#readSource(block.source, type, place);
    this.#readWithin(block, "content", { ...place, seesPictures: type === "tool_result" });
  }

  /** Where a picture or a document is; a source of any other block is read as a document's, which it may turn out to be. */
  #readSource(source: Fields, type: string, place: Place): void {
    this.#path.push("source");
    if (isGiven(source.file_id) || source.type === "file") throw this.#fieldRefusal("file_id");
    if (isGiven(source.url)) this.#facts.hasAddresses = true;
    if (type === "image") this.#readPicture(source, place);
    else if (source.type !== "text" && source.type !== "content") this.#facts.hasDocuments = true;
    this.#readWithin(source, "content", { ...place, seesPictures: type === "document" });
    this.#path.pop();
  }

  #readPicture({ type, media_type: mediaType, data }: Fields, { seesPictures }: Place): void {
    this.addTokens(IMAGE_TOKENS);
    const isBase64 = type === "base64" && IMAGE_TYPES.has(mediaType) && typeof data === "string";
    if (seesPictures && isBase64) this.addTokens(-data.length);
  }

  #readWithin(outer: Fields, name: string, { depth, seesPictures }: Place): void {
    const inner = outer[name];
    if (typeof inner !== "object" || inner === null) return;
    this.#path.push(name);
    const place = { depth: depth + 1, seesPictures };
    if (Array.isArray(inner)) this.#readBlocks(inner, place);
    else this.#readBlock(inner, place);
    this.#path.pop();
  }

  #readAddedTool({ tool }: Fields): void {
    if (!isObject(tool) || !isGiven(tool.definition)) return;
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

  #fieldRefusal(name: string): InvalidInputError {
    this.#path.push(name);
    return this.refusal(NOT_OFFERED.state);
  }

  #tagRefusal(type: unknown): InvalidInputError {
    if (typeof type !== "string") return this.refusal("Unable to extract tag using discriminator 'type'");
    const tag = type.slice(0, MAX_TAG_LENGTH);
    return this.refusal(`Input tag '${tag}' found using 'type' does not match any of the expected tags`);
  }
}

const MAX_TAG_LENGTH = 100;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
