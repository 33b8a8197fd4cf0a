import { basePathOf, type OpenApiDocument } from "../document.ts";
import { Representation } from "../representation.ts";
import { ADDRESS, type AddressedText } from "./addressed-texts.ts";
import { toYaml } from "./yaml.ts";

/** An interface's contract, as it is published. */
export interface Contract {
  readonly name: string;
  /** OpenAPI 3.1. */
  readonly document: OpenApiDocument;
  /** The same as OpenAPI 3.0, for generators that read no other. */
  readonly document30: object;
}

/** One form in which a contract can be had. */
interface Form {
  readonly file: string;
  readonly mediaType: string;
  readonly documentOf: (contract: Contract) => object;
  readonly write: (document: object) => string;
}

const toJson = (document: object) => `${JSON.stringify(document, null, 2)}\n`;
const [json, yaml] = ["application/json; charset=utf-8", "application/yaml; charset=utf-8"];
const in31 = ({ document }: Contract) => document;
const in30 = ({ document30 }: Contract) => document30;

const FORMS: readonly Form[] = [
  { file: "openapi.json", mediaType: json, documentOf: in31, write: toJson },
  { file: "openapi.yaml", mediaType: yaml, documentOf: in31, write: toYaml },
  { file: "openapi-3.0.json", mediaType: json, documentOf: in30, write: toJson },
  { file: "openapi-3.0.yaml", mediaType: yaml, documentOf: in30, write: toYaml },
];

/** The names of the files that every contract can be had as. */
export const CONTRACT_FILES = FORMS.map(({ file }) => file);

/** A contract as one of the {@link CONTRACT_FILES}; null where it is none of them. */
export function contractFile(contract: Contract, file: string): AddressedText | null {
  const form = FORMS.find((one) => one.file === file);
  if (form === undefined) return null;
  const { mediaType, documentOf, write } = form;
  const document = documentOf(contract);
  const server = {
    url: ADDRESS + basePathOf(contract.document),
    description: "The service that this document was taken from.",
  };
  return {
    text: write({ ...document, servers: [server] }),
    withoutAddress: write(document),
    toRepresentation: (text, cacheControl) =>
      new Representation(text, { "Content-Type": mediaType, "Cache-Control": cacheControl }),
  };
}
