import type { DocumentEncoder, JoiningEncoder } from './document-encoder.ts';
import type { ForeignPart } from './foreign/foreign-part.ts';
import type { ForeignContents, ForeignPieces } from './foreign/foreign-pieces.ts';
import type { OpenApiInput } from './input.ts';
import { type Piece, storedPiece } from './pieces/index.ts';
import { publishedKinds } from './published-kinds.ts';
import {
  type Builder,
  type DocumentSection,
  metaDefinitions,
  type SectionEntries,
  sectionEntries,
} from './section-entries.ts';
import {
  type PartContext,
  type PartDefinition,
  type SectionPart,
  SectionParts,
  sectionPart,
} from './section-parts.ts';
import { nextTurn } from './turns.ts';

/** Definitions of parts that are kept which are examined in one turn of the event loop. */
const DEFINITIONS_PER_TURN = 2000;

export interface BuildOptions {
  /** Parts that earlier documents were made of. */
  readonly parts?: SectionParts;
  /** What other servers add. */
  readonly foreign?: {
    readonly parts: readonly ForeignPart[];
    readonly pieces: ForeignPieces;
    readonly encoder: JoiningEncoder;
  };
}

/**
 * Makes a document, as pieces in order. It never exists as a whole: paths and definitions become bytes one by one, and each
 * section is compressed apart. Sections that `parts` has are neither made nor compressed again. The definitions of a section
 * stand together; one that several sections refer to stands with the first of them.
 */
export async function buildDocument(
  input: OpenApiInput,
  sections: readonly DocumentSection[],
  encoder: DocumentEncoder,
  { parts = new SectionParts(), foreign }: BuildOptions = {},
): Promise<readonly Piece[]> {
  const resources = sections.flatMap((section) => section.resources);
  const builder: Builder = { input, encoder, kindsOf: await publishedKinds(input, resources) };
  const document = new DocumentContents(builder);
  let examined = 0;
  for (const section of sections) {
    const make = (): Promise<SectionEntries> => sectionEntries(section, builder);
    const part = await parts.of(section, document, make);
    document.add(part);
    examined += part.all.length;
    if (examined < DEFINITIONS_PER_TURN) continue;
    examined = 0;
    await nextTurn();
  }
  await document.addDefinitions(metaDefinitions(sections, builder));
  if (foreign !== undefined)
    document.join(await foreign.pieces.of(foreign.parts, foreign.encoder, document.digestOf));
  return document.pieces();
}

/** The parts of one document. */
class DocumentContents implements PartContext {
  readonly kindsOf: PartContext['kindsOf'];
  readonly #encoder: DocumentEncoder;
  readonly #paths: Piece[] = [];
  readonly #definitions: Piece[] = [];
  readonly #known = new Map<string, PartDefinition>();

  constructor({ encoder, kindsOf }: Builder) {
    this.#encoder = encoder;
    this.kindsOf = kindsOf;
  }

  get separator(): Buffer {
    return this.#encoder.separator;
  }

  readonly isKnown = (definition: string): boolean => this.#known.has(definition);

  readonly digestOf = (definition: string): string | undefined => this.#known.get(definition)?.digest;

  /** Two schemas under one name are an error in the declarations. */
  add({ paths, definitions, all }: SectionPart): void {
    this.join({ paths, definitions });
    for (const definition of all) {
      const { name, source } = definition;
      const known = this.#known.get(name);
      if (known === undefined) this.#known.set(name, definition);
      else if (known.source !== source) throw new TypeError(`two schemas are called ${name}`);
    }
  }

  join({ paths, definitions }: ForeignContents): void {
    this.#paths.push(...paths);
    this.#definitions.push(...definitions);
  }

  /** Adds those that no section has. */
  async addDefinitions(definitions: SectionEntries['definitions']): Promise<void> {
    this.add(await sectionPart({ paths: [], definitions }, this));
  }

  pieces(): readonly Piece[] {
    const frame = this.#encoder.frame({
      paths: bytesOf(this.#paths),
      definitions: bytesOf(this.#definitions),
    });
    return [
      storedPiece(frame.head),
      ...this.#separated(this.#paths),
      storedPiece(frame.between),
      ...this.#separated(this.#definitions),
      storedPiece(frame.tail),
    ];
  }

  #separated(pieces: readonly Piece[]): readonly Piece[] {
    if (this.separator.length === 0) return pieces;
    const separator = storedPiece(this.separator);
    return pieces.flatMap((piece, i) => (i === 0 ? [piece] : [separator, piece]));
  }
}

const bytesOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
