import { useSearchParams } from "wouter";

/** How each query parameter of a list operation is read from the URL: what the document gains here is missed by the compiler. */
export type Readers<Query> = {
  readonly [Name in keyof Query]-?: (text: string) => NonNullable<Query[Name]>;
};

/** For {@link Readers}: a text as it is. */
export const text = (value: string): string => value;
/** For {@link Readers}: a whole number; what is none is left to the service to refuse. */
export const wholeNumber = (value: string): number => Number(value);

/** For {@link Readers}: one of the words that the document has; another is left to the service to refuse. */
export const word = <Word extends string>(value: string): Word => value as Word;

/** What the URL's query string asks of a list operation; other parameters are left out, and so are empty ones. */
export function useListQuery<Query>(readers: Readers<Query>): Query {
  const [query] = useSearchParams();
  const given = Object.entries<(text: string) => unknown>(readers).flatMap(([name, read]) => {
    const value = query.get(name);
    return value === null || value === "" ? [] : [[name, read(value)]];
  });
  return Object.fromEntries(given);
}
