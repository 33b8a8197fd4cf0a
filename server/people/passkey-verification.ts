import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { z } from "zod";
import type { UserId } from "../ids.ts";
import type { MadeCredential, PasskeyProof, StoredPasskey } from "./passkey.ts";

/** Which signatures are taken, as COSE numbers them: ES256, and RS256 for what has nothing else. */
export const PASSKEY_ALGORITHMS = [-7, -257];
const MAX_PUBLIC_KEY_BYTES = 1024;

/** What browsers say that was signed. */
const ClientData = z.object({ challenge: z.string() });

/** A credential that was made for a challenge, which is still to be looked up. */
export interface VerifiedCredential extends Pick<StoredPasskey, "credentialId" | "publicKey" | "signCount"> {
  readonly challenge: string;
}

/** A signature that is right for a challenge, which is still to be looked up. */
export interface VerifiedSignature {
  readonly challenge: string;
  readonly signCount: number;
}

/** Judges what browsers give of passkeys, by the place where people open the page. @param pageUrl in that place */
export function createPasskeyVerification(pageUrl: string) {
  const { origin, hostname } = new URL(pageUrl);
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };
  const decoy = { id: "", publicKey: coseKeyOf(newDecoyKey()), counter: 0 };

  return {
    /** @returns null: it was made for another site, without looking who the person is, or cannot be read. */
    async made({ credentialId: id, ...response }: MadeCredential): Promise<VerifiedCredential | null> {
      const challenge = challengeIn(response.clientDataJSON);
      if (challenge === null) return null;
      const { verifyRegistrationResponse } = await loadLibrary();
      const { registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        response: { ...wholeOf(id), response },
        expectedChallenge: challenge,
        supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
      }).catch(() => ({ registrationInfo: undefined }));
      // That the browser names the credential as the authenticator does is not looked at by the library.
      if (registrationInfo === undefined || registrationInfo.credential.id !== id) return null;
      const { publicKey, counter } = registrationInfo.credential;
      if (publicKey.length > MAX_PUBLIC_KEY_BYTES) return null;
      const credentialId = Buffer.from(id, "base64url");
      return { challenge, credentialId, publicKey: Buffer.from(publicKey), signCount: counter };
    },

    /**
     * @param passkey that which should have signed; null, where it is not known, takes as long.
     * @returns null: it is another's, for another site, a copy's, or cannot be read.
     */
    async signed(proof: PasskeyProof, passkey: StoredPasskey | null): Promise<VerifiedSignature | null> {
      const { credentialId: id, clientDataJSON, authenticatorData, signature, userHandle } = proof;
      const challenge = challengeIn(clientDataJSON);
      if (challenge === null) return null;
      const credential =
        passkey === null
          ? { ...decoy, id }
          : { id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.signCount };
      const { verifyAuthenticationResponse } = await loadLibrary();
      const verified = await verifyAuthenticationResponse({
        ...expected,
        response: { ...wholeOf(id), response: { clientDataJSON, authenticatorData, signature } },
        expectedChallenge: challenge,
        credential,
      }).catch(() => null);
      if (passkey === null || verified === null || !verified.verified) return null;
      if (userHandle !== null && userHandle !== toUserHandle(passkey.userId)) return null;
      return { challenge, signCount: verified.authenticationInfo.newCounter };
    },
  };
}

/** The id that authenticators know a user by, in base64url. */
export function toUserHandle(userId: UserId): string {
  return Buffer.from(userId).toString("base64url");
}

/** A public key of ES256 as COSE writes it. */
export function coseKeyOf(publicKey: KeyObject): Uint8Array<ArrayBuffer> {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // A map of five: kty 2, alg -7, crv 1, x, y.
  const head = Buffer.from("a5010203262001", "hex");
  const bytes = [head, Buffer.from("215820", "hex"), Buffer.from(x, "base64url")];
  return new Uint8Array(Buffer.concat([...bytes, Buffer.from("225820", "hex"), Buffer.from(y, "base64url")]));
}

function newDecoyKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
}

/** Loaded with the first passkey: most commands want none, and it takes a while. */
function loadLibrary() {
  return import("@simplewebauthn/server");
}

function wholeOf(id: string) {
  return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())).challenge;
  } catch {
    return null;
  }
}
