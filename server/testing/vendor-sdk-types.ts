import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The stable interface, and the beta. */
const FILES = ["messages/messages", "beta/messages/messages"];
/** Types of other files of the SDK that are read as no objects. */
const TEXTS_ELSEWHERE: ReadonlySet<string> = new Set(["MessagesAPI.Model", "BetaAPI.AnthropicBeta"]);
/** The type of what need not say its type. */
const USUAL_TYPE = "custom";

/** A field of an object, as the SDK documents it. */
export interface SdkField {
  readonly name: string;
  /** The objects that it may hold, in lists or not. */
  readonly objects: readonly SdkObject[];
  /** Whether it may hold whatever a caller wants. */
  readonly isFree: boolean;
}

/** An object of the vendor's wire format. */
export interface SdkObject {
  readonly name: string;
  fields(): readonly SdkField[];
  /** What its `type` may say; `custom` when it need not be there. */
  types(): readonly string[];
}

/** What a type may be. */
interface Resolved {
  readonly objects: readonly SdkObject[];
  readonly texts: readonly string[];
  readonly isFree: boolean;
}

const NOTHING: Resolved = { objects: [], texts: [], isFree: false };
const ANYTHING: Resolved = { ...NOTHING, isFree: true };

/** What the vendor's SDK, as it is installed, declares under those names, and under the same with `Beta` before. */
export function sdkObjectsIn(names: readonly string[]): readonly SdkObject[] {
  const files = FILES.map((name) => new SdkFile(name));
  return names.flatMap((name) => files.flatMap((file) => file.find(name) ?? file.find(`Beta${name}`) ?? []));
}

/** The declarations of one file, without a compiler's look at what it imports, which would take seconds. */
class SdkFile {
  readonly #source: ts.SourceFile;
  readonly #objects = new Map<string, SdkObject>();
  readonly #aliases = new Map<string, ts.TypeNode>();

  constructor(name: string) {
    const path = fileURLToPath(import.meta.resolve(`@anthropic-ai/sdk/resources/${name}`));
    const text = readFileSync(path.replace(/\.m?js$/, ".d.ts"), "utf8");
    this.#source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
    this.#declare(this.#source.statements, "");
  }

  find(name: string): SdkObject | undefined {
    return this.#objects.get(name);
  }

  #declare(statements: readonly ts.Statement[], prefix: string): void {
    for (const statement of statements) {
      if (ts.isInterfaceDeclaration(statement)) {
        const name = prefix + statement.name.text;
        this.#objects.set(name, this.#objectOf(name, statement));
      } else if (ts.isTypeAliasDeclaration(statement)) {
        this.#aliases.set(prefix + statement.name.text, statement.type);
      } else if (ts.isModuleDeclaration(statement) && statement.body && ts.isModuleBlock(statement.body)) {
        this.#declare(statement.body.statements, `${statement.name.text}.`);
      }
    }
  }

  #objectOf(name: string, declaration: ts.InterfaceDeclaration | ts.TypeLiteralNode): SdkObject {
    const members = declaration.members.filter(ts.isPropertySignature).filter((one) => !this.#isHeader(one));
    const bases = ts.isInterfaceDeclaration(declaration) ? this.#basesOf(declaration) : [];
    return {
      name,
      fields: () => [
        ...bases.flatMap((base) => this.#objects.get(base)?.fields() ?? []),
        ...members.map((member) => ({ name: this.#nameOf(member), ...this.#resolve(member.type) })),
      ],
      types: () => {
        const type = members.find((member) => this.#nameOf(member) === "type");
        const { texts } = this.#resolve(type?.type);
        return texts.length === 0 ? [USUAL_TYPE] : texts;
      },
    };
  }

  #basesOf({ heritageClauses = [] }: { readonly heritageClauses?: readonly ts.HeritageClause[] }): string[] {
    return heritageClauses.flatMap(({ types }) => types.map((type) => type.getText(this.#source)));
  }

  #nameOf({ name }: ts.PropertySignature): string {
    return name.getText(this.#source).replaceAll(/^['"]|['"]$/g, "");
  }

  #isHeader(member: ts.PropertySignature): boolean {
    return this.#source.text.slice(member.pos, member.getStart(this.#source)).includes("Header param:");
  }

  #resolve(type: ts.TypeNode | undefined): Resolved {
    if (type === undefined) return NOTHING;
    if (ts.isUnionTypeNode(type))
      return type.types.map((one) => this.#resolve(one)).reduce(eitherOf, NOTHING);
    if (ts.isArrayTypeNode(type)) return this.#resolve(type.elementType);
    if (ts.isTypeReferenceNode(type)) return this.#resolveReference(type);
    if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) {
      return { ...NOTHING, texts: [type.literal.text] };
    }
    if (ts.isTypeLiteralNode(type)) {
      if (type.members.some(ts.isIndexSignatureDeclaration)) return ANYTHING;
      return { ...NOTHING, objects: [this.#objectOf("an object", type)] };
    }
    return type.kind === ts.SyntaxKind.UnknownKeyword ? ANYTHING : NOTHING;
  }

  #resolveReference({ typeName, typeArguments }: ts.TypeReferenceNode): Resolved {
    const name = typeName.getText(this.#source);
    if (name === "Array") return this.#resolve(typeArguments?.[0]);
    const object = this.#objects.get(name);
    if (object !== undefined) return { ...NOTHING, objects: [object] };
    const alias = this.#aliases.get(name);
    if (alias !== undefined) return this.#resolve(alias);
    if (TEXTS_ELSEWHERE.has(name)) return NOTHING;
    throw new Error(`${name} is declared in a file of the SDK that is not read.`);
  }
}

function eitherOf(one: Resolved, other: Resolved): Resolved {
  return {
    objects: [...one.objects, ...other.objects],
    texts: [...one.texts, ...other.texts],
    isFree: one.isFree || other.isFree,
  };
}
