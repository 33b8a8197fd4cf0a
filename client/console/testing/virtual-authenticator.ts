import { generateKeyPairSync } from "node:crypto";
import type { CDPSession, Page } from "playwright-core";

/** An authenticator of the browser's own, which says yes to everything and looks who the person is. */
export interface VirtualAuthenticator {
  /** Takes it away, with its passkeys. */
  remove(): Promise<void>;
}

/** One for each page at a time. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Gives a page an authenticator. A page has passkeys at a name such as `localhost` alone.
 * @param credentialIds in base64url, of passkeys for `localhost` that it has already
 */
export async function giveAuthenticator(
  page: Page,
  credentialIds: readonly string[] = [],
): Promise<VirtualAuthenticator> {
  const opening = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, opening);
  const session = await opening;
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  for (const credentialId of credentialIds)
    await session.send("WebAuthn.addCredential", { authenticatorId, credential: credentialOf(credentialId) });
  return {
    remove: () => session.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId }).then(() => {}),
  };
}

function credentialOf(credentialId: string) {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    credentialId: Buffer.from(credentialId, "base64url").toString("base64"),
    isResidentCredential: true,
    rpId: "localhost",
    privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    userHandle: Buffer.from(`user of ${credentialId}`).toString("base64"),
    signCount: 0,
  };
}
