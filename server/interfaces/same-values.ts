/**
 * The values of an enum of a document, each by itself, where the domain has the same: a value that only one of them knows does
 * not compile. So a new state of the document is not served before the domain has it, nor one of the domain shown before the
 * document tells of it.
 */
export type SameValues<Documented extends string, Own extends string> = {
  readonly [Value in Documented | Own]: Value & Documented & Own;
};
