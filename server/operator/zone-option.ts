import { InvalidArgumentError, Option } from "commander";
import { DomainError } from "../errors.ts";
import { type TimeZone, timeZone } from "../time-zone.ts";

/** `--time-zone`, UTC where it is not given. */
export function zoneOption(meaning: string): Option {
  return new Option("--time-zone <zone>", `${meaning}, such as Europe/Berlin`)
    .argParser(readZone)
    .default(timeZone("UTC"), "UTC");
}

function readZone(text: string): TimeZone {
  try {
    return timeZone(text);
  } catch (error) {
    throw error instanceof DomainError ? new InvalidArgumentError(error.message) : error;
  }
}
