import type { components } from "../../../generated/account/types.ts";
import { Fault } from "../api/fault.ts";

type Schemas = components["schemas"];
/** A passkey that the browser has made. */
export type MadePasskey = Omit<Schemas["NewPasskey"], "name">;

const ADDRESS = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/;
const OWN_MACHINE = new Set(["127.0.0.1", "[::1]"]);

/** Why there are no passkeys on this page, in words; null: there are. */
export function whyNoPasskeys(): string | null {
  const { hostname, port, protocol } = location;
  if (ADDRESS.test(hostname)) {
    const byName = OWN_MACHINE.has(hostname)
      ? `at ${protocol}//localhost${port === "" ? "" : `:${port}`}/account/`
      : "by its name";
    return `Browsers have no passkeys for an address such as ${hostname}. Open the account center ${byName}.`;
  }
  if (globalThis.PublicKeyCredential !== undefined) return null;
  return "This browser has no passkeys here: they want https and a browser that is up to date.";
}

/** Has the browser make a passkey. @param person how it shows them @throws {Fault} it made none */
export async function makePasskey(
  { challenge, userHandle, excludedCredentials, algorithms }: Schemas["PasskeyCreation"],
  { email, name }: { readonly email: string; readonly name: string },
): Promise<MadePasskey> {
  const made = await given(
    navigator.credentials.create({
      publicKey: {
        challenge: bytesOf(challenge),
        rp: { name: "Prepaid code shop" },
        user: { id: bytesOf(userHandle), name: email, displayName: name },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: excludedCredentials.map(descriptorOf),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        attestation: "none",
      },
    }),
  );
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    credentialId: textOf(made.rawId),
    clientDataJSON: textOf(response.clientDataJSON),
    attestationObject: textOf(response.attestationObject),
  };
}

/** Has a passkey sign. @throws {Fault} none has */
export async function signWithPasskey({
  challenge,
  allowedCredentials,
}: Schemas["PasskeyChallenge"]): Promise<Schemas["PasskeyProof"]> {
  const signed = await given(
    navigator.credentials.get({
      publicKey: {
        challenge: bytesOf(challenge),
        allowCredentials: allowedCredentials.map(descriptorOf),
        userVerification: "required",
      },
    }),
  );
  const response = signed.response as AuthenticatorAssertionResponse;
  return {
    credentialId: textOf(signed.rawId),
    clientDataJSON: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
    userHandle: response.userHandle === null ? null : textOf(response.userHandle),
  };
}

/** @throws {Fault} in the place of what browsers throw */
async function given(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await asked.catch((reason: unknown) => {
    const name = reason instanceof DOMException ? reason.name : "";
    throw new Fault(name === "InvalidStateError" ? "passkey_exists" : "passkey_not_given");
  });
  if (credential === null) throw new Fault("passkey_not_given");
  return credential as PublicKeyCredential;
}

function descriptorOf(credentialId: string): PublicKeyCredentialDescriptor {
  return { type: "public-key", id: bytesOf(credentialId) };
}

/** What base64url stands for. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
}

/** The same back. */
function textOf(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
