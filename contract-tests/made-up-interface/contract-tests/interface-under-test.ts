import { headersWith, openContract } from "../../contract.ts";
import { keyName } from "../../fuzz/callers.ts";
import type { Particulars } from "../../interface-under-test.ts";

/** The entry that is there: the document's own example of an id. */
const ENTRY = "first-visit";
const KNOWN_ENTRY = { values: [ENTRY], percent: 75 };

export default {
  async dreddRequests({ url, keys }) {
    await writeEntry(url, keys.general);
    return {
      credential: keys.general,
      exhausted: null,
      changes: {
        "listEntries 400": { query: "limit=0" },
        "putEntry 201": { path: { id: "second-visit" } },
        "putEntry 400": { body: { stars: 6 } },
        "deleteEntry 403": { credential: keys.ai_proxy },
      },
    };
  },
  fuzz: {
    callers: [
      { credential: keyName("general"), scopes: ["guest", "host"] },
      { credential: keyName("ai_proxy"), scopes: ["guest"] },
    ],
    byParameter: {
      "getEntry id": KNOWN_ENTRY,
      "putEntry id": KNOWN_ENTRY,
      "deleteEntry id": KNOWN_ENTRY,
    },
    async prepare({ proxyUrl, apiKeys }) {
      await writeEntry(proxyUrl, apiKeys[keyName("general")] ?? "");
      return {};
    },
  },
} satisfies Particulars;

async function writeEntry(url: string, session: string): Promise<void> {
  const { basePath, operations } = openContract("guestbook");
  const [admission] = operations[0]?.admissions ?? [];
  const { status } = await fetch(`${url}${basePath}/entries/${ENTRY}`, {
    method: "PUT",
    headers: { ...(admission && headersWith(admission, session)), "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Ada", text: "It was lovely." }),
  });
  if (status !== 201) throw new Error(`The guest book answers ${status}.`);
}
