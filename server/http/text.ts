/** Whether a text can be stored and compared: well-formed Unicode without NUL. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/**
 * The first place in a JSON value (names included) where there is a text that is not plain.
 * @returns its path, such as `/externalOrderId`, or null when all texts are plain.
 */
export function findUnplainText(value: unknown, path = ""): string | null {
  if (typeof value === "string") return isPlainText(value) ? null : path;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = isPlainText(name) ? findUnplainText(inner, `${path}/${name}`) : `${path}/?`;
    if (found !== null) return found;
  }
  return null;
}
