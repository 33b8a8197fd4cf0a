import { OperatorError } from "./explain-error.ts";

/** What an operator is told of a file that could not be read. */
export function unreadableFile(path: string, error: unknown, nextStep: string): OperatorError {
  const reason = reasonOf(error as NodeJS.ErrnoException);
  return new OperatorError(`The file ${JSON.stringify(path)} cannot be read: ${reason}.`, nextStep);
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "access is denied";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EEXIST") return "it exists already";
  return message;
}
