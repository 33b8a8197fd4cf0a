/** What a request of a sequence says. */
export interface Said {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** An answer that keeps to the contract. */
export interface Reply {
  readonly status: number;
  /** The body, where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the contract has been looked at already.
  readonly body: any;
  readonly text: string;
}

/**
 * Opens the requests of a credential.
 * @param interfaceName whose operations they are for; those of the sequence's own interface when not given
 */
export type OpenAsk = (credential: string, interfaceName?: string) => Ask;

/** Asks for an operation by its id. @throws when the answer breaks the contract, or has another status than one of those. */
export type Ask = (operationId: string, statuses: readonly number[], said?: Said) => Promise<Reply>;
