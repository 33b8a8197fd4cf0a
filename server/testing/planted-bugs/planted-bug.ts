/** A text of a file that is replaced by a wrong one. */
export interface Plant {
  /** In kebab-case. */
  readonly name: string;
  readonly file: string;
  /** The text that is replaced; it must stand in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/**
 * A fault that is put into the code on purpose, to see that a test notices it. The code itself knows nothing of it:
 * with PLANTED_BUG=name in the environment, vitest and the servers that its tests start load the file changed.
 */
export interface PlantedBug extends Plant {
  /** What goes wrong for whom. */
  readonly description: string;
  /** The test file that must fail. */
  readonly caughtBy: string;
  /** A part of the names of the tests that must fail, as a pattern; all of the file when not given. */
  readonly test?: string;
}

/** The file's text with the bug in it. @throws Error when the text to replace is not there exactly once. */
export function plant({ name, file, find, replace }: Plant, source: string): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`The planted bug ${name} must find its text exactly once in ${file}:\n${find}`);
  }
  return before + replace + after;
}
