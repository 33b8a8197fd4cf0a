/** The beginning of a request, or of the answer to it. */
export interface WireMessage {
  readonly from: "client" | "server";
  /**
   * What is asked for; on an answer, what it answers. MySQL: `query COMMIT`, `prepare SELECT …`, `execute SELECT …`, or
   * `other`. HTTP: the request line.
   */
  readonly request: string;
}

/** Some bytes of one direction; `begins` is set where a message begins with them. */
export interface WirePart {
  readonly bytes: Buffer;
  readonly begins: WireMessage | null;
}

/** Follows one connection and tells where its messages begin. */
export interface ProtocolFollower {
  /** @returns the bytes that can be passed on now, in order; what is missing comes with a later call. */
  read(from: "client" | "server", data: Buffer): WirePart[];
}

const HEADER_BYTES = 4;
const OK = 0x00;
const QUERY = 0x03;
const PREPARE = 0x16;
const EXECUTE = 0x17;
/** Quit, long data of a statement, and the end of a statement. */
const UNANSWERED_COMMANDS = new Set([0x01, 0x18, 0x19]);

/**
 * A connection in MySQL's protocol, without TLS and compression. One message per command and one per answer, however
 * many packets it has; the handshake, and commands that are never answered, are none.
 */
export function followMysql(): ProtocolFollower {
  let greeted = false;
  let authenticated = false;
  let unanswered: string | null = null;
  let preparing: string | null = null;
  const statements = new Map<number, string>();
  const rest = { client: Buffer.alloc(0), server: Buffer.alloc(0) };

  const beginsCommand = (packet: Buffer): WireMessage | null => {
    const command = packet[HEADER_BYTES];
    const isFirstPacket = packet[3] === 0;
    if (!authenticated || !isFirstPacket || command === undefined || UNANSWERED_COMMANDS.has(command)) {
      return null;
    }
    preparing = command === PREPARE ? textOf(packet) : null;
    if (command === QUERY) unanswered = `query ${textOf(packet)}`;
    else if (command === PREPARE) unanswered = `prepare ${preparing}`;
    else if (command === EXECUTE) unanswered = `execute ${statements.get(statementOf(packet))}`;
    else unanswered = "other";
    return { from: "client", request: unanswered };
  };
  const beginsAnswer = (packet: Buffer): WireMessage | null => {
    if (!authenticated) {
      authenticated = greeted && packet[HEADER_BYTES] === OK;
      greeted = true;
      return null;
    }
    if (unanswered === null) return null;
    const request = unanswered;
    unanswered = null;
    if (preparing !== null && packet[HEADER_BYTES] === OK) statements.set(statementOf(packet), preparing);
    return { from: "server", request };
  };
  return {
    read(from, data) {
      const { packets, left } = splitPackets(Buffer.concat([rest[from], data]));
      rest[from] = left;
      const begins = from === "client" ? beginsCommand : beginsAnswer;
      return packets.map((bytes) => ({ bytes, begins: begins(bytes) }));
    },
  };
}

/** Packets are three bytes of length, one of sequence, and that many bytes. */
function splitPackets(data: Buffer): { packets: Buffer[]; left: Buffer<ArrayBuffer> } {
  const packets: Buffer[] = [];
  let start = 0;
  while (data.length - start >= HEADER_BYTES) {
    const end = start + HEADER_BYTES + data.readUIntLE(start, 3);
    if (end > data.length) break;
    packets.push(data.subarray(start, end));
    start = end;
  }
  return { packets, left: Buffer.from(data.subarray(start)) };
}

/** The statement's id, in a command that executes it and in the answer to one that prepared it. */
function statementOf(packet: Buffer): number {
  return packet.readUInt32LE(HEADER_BYTES + 1);
}

function textOf(packet: Buffer): string {
  const payload = packet.subarray(HEADER_BYTES + 1);
  // Some servers have the statement behind a header of its own, which holds no printable byte.
  const text = payload.subarray(payload.findIndex((byte) => byte >= 0x20));
  return text.toString("utf8").replace(/\s+/g, " ").trim();
}

/** A connection in HTTP/1.1 whose client waits for each answer before it asks again, as `fetch` does. */
export function followHttp(): ProtocolFollower {
  let speaker: "client" | "server" = "server";
  let request = "";
  return {
    read(from, bytes) {
      if (from === speaker) return [{ bytes, begins: null }];
      speaker = from;
      if (from === "client") request = bytes.toString("latin1").split("\r\n", 1)[0] ?? "";
      return [{ bytes, begins: { from, request } }];
    },
  };
}
