/** A text that nobody else makes: also where the page is not on a secure connection, which `crypto.randomUUID` asks for. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
