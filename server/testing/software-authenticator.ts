import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from "node:crypto";
import type { MadeCredential, PasskeyProof } from "../people/passkey.ts";
import { coseKeyOf } from "../people/passkey-verification.ts";

/** The page that a browser shows while its authenticator is asked. */
interface AskedBy {
  /** Of the page; its host is what the passkey is for, unless that is said. */
  readonly origin: string;
  readonly host?: string;
  readonly challenge: string;
  /** Whether it looks who the person is; it does when not given. */
  readonly verifiesUser?: boolean;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A browser with an authenticator in software: one passkey (ES256), made without attestation, and what it signs. */
export interface SoftwareAuthenticator {
  readonly credentialId: string;
  /** How often it has signed; 0 of one that does not count. */
  signCount: number;
  make(by: AskedBy): MadeCredential;
  /** @param userHandle whom it says that it belongs to; null: it does not say. */
  sign(by: AskedBy, userHandle?: string | null): PasskeyProof;
}

/** @param counts whether it counts how often it signs */
export function createSoftwareAuthenticator(counts = true): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const authenticator: SoftwareAuthenticator = {
    credentialId: id.toString("base64url"),
    signCount: 0,
    make: (by) => ({
      credentialId: id.toString("base64url"),
      clientDataJSON: clientDataOf("webauthn.create", by).toString("base64url"),
      attestationObject: attestationOf(dataOf(by, 0, credentialOf(id, publicKey))).toString("base64url"),
    }),
    sign(by, userHandle = null) {
      if (counts) authenticator.signCount += 1;
      const [data, clientData] = [dataOf(by, authenticator.signCount), clientDataOf("webauthn.get", by)];
      const signed = Buffer.concat([data, hash("sha256", clientData, "buffer")]);
      return {
        credentialId: id.toString("base64url"),
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
        userHandle,
      };
    },
  };
  return authenticator;
}

function clientDataOf(type: string, { challenge, origin }: AskedBy): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** What an authenticator says of itself, as WebAuthn writes it: host, flags, count, and a new credential. */
function dataOf(
  { origin, host = new URL(origin).hostname, verifiesUser = true }: AskedBy,
  signCount: number,
  credential: Buffer = Buffer.alloc(0),
): Buffer {
  const flags = PRESENT + (verifiesUser ? VERIFIED : 0) + (credential.length > 0 ? HAS_CREDENTIAL : 0);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(signCount);
  return Buffer.concat([hash("sha256", host, "buffer"), Buffer.of(flags), count, credential]);
}

function credentialOf(id: Buffer, publicKey: KeyObject): Buffer {
  const [model, length] = [Buffer.alloc(16), Buffer.alloc(2)];
  length.writeUInt16BE(id.length);
  return Buffer.concat([model, length, id, coseKeyOf(publicKey)]);
}

/** In CBOR `{"fmt": "none", "attStmt": {}, "authData": …}`. */
function attestationOf(data: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);
  return Buffer.concat([
    Buffer.of(0xa3),
    ...[text("fmt"), text("none"), text("attStmt"), Buffer.of(0xa0)],
    ...[text("authData"), Buffer.of(0x58, data.length), data],
  ]);
}
