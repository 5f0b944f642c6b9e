import type { KeptStructs } from './definitions/definitions.ts';
import type { Builder } from './definitions/encoded-definitions.ts';
import type { ForeignPart } from './foreign/foreign-part.ts';
import type { ForeignPieces } from './foreign/foreign-pieces.ts';
import type { OwnDigest } from './foreign/join-foreign.ts';
import type { DocumentEncoder, JoiningEncoder } from './formats/document-encoder.ts';
import type { OpenApiInput } from './input.ts';
import { type Encoded, type Piece, storedPiece } from './pieces/index.ts';
import { publishedKinds } from './published-kinds.ts';
import type { EncodedPart } from './sections/custom-contents.ts';
import type { DocumentSection } from './sections/document-section.ts';
import {
  type ContentsOf,
  metaDefinitions,
  type SectionEntries,
  sectionEntries,
} from './sections/section-entries.ts';
import {
  type PartContext,
  type PartDefinition,
  type SectionPart,
  SectionParts,
  sectionPart,
} from './sections/section-parts.ts';
import { nextTurn } from './turns.ts';

/** Definitions of parts that are kept which are examined in one turn of the event loop. */
const DEFINITIONS_PER_TURN = 2000;

export interface BuildOptions {
  /** Parts that earlier documents were made of. */
  readonly parts?: SectionParts;
  /** Structs of earlier documents of the same dialect. */
  readonly structs?: KeptStructs;
  /** Contents of custom resources, in the same encodings. */
  readonly contentsOf?: ContentsOf;
  /** Additions of other servers. */
  readonly foreign?: {
    readonly parts: readonly ForeignPart[];
    /** In each encoding. */
    readonly pieces: readonly ForeignPieces[];
    readonly encoders: readonly JoiningEncoder[];
  };
}

/**
 * Builds a document in some encodings of one dialect, each as pieces in order. It never exists as a whole: paths and
 * definitions are encoded one by one, and each section is compressed separately. Sections that `parts` has are neither
 * built nor compressed again. The definitions of a section are adjacent; one that several sections refer to is in the
 * first of them.
 */
export async function buildDocuments(
  input: OpenApiInput,
  sections: readonly DocumentSection[],
  encoders: Builder['encoders'],
  { parts = new SectionParts(), structs = new Map(), contentsOf, foreign }: BuildOptions = {},
): Promise<readonly (readonly Piece[])[]> {
  const resources = sections.flatMap((section) => section.resources);
  const builder: Builder = { input, encoders, kindsOf: await publishedKinds(input, resources), structs };
  const document = new DocumentContents(builder);
  let examined = 0;
  for (const section of sections) {
    const make = async (): Promise<SectionEntries> => {
      await nextTurn(input);
      return sectionEntries(section, builder, contentsOf);
    };
    const part = await parts.of(section, document, make);
    document.add(part);
    examined += part.all.length;
    if (examined < DEFINITIONS_PER_TURN) continue;
    examined = 0;
    await nextTurn(input);
  }
  await document.addDefinitions(metaDefinitions(sections, builder));
  for (const [at, encoder] of (foreign?.encoders ?? []).entries()) {
    const contents = await foreign?.pieces[at]?.of(foreign.parts, encoder, document.digestsAt(at));
    if (contents !== undefined) document.encoded[at]?.join(contents);
  }
  return document.encoded.map((one) => one.pieces());
}

/** The parts of one document. */
class DocumentContents implements PartContext {
  readonly kindsOf: PartContext['kindsOf'];
  readonly encoded: readonly EncodedContents[];
  readonly separators: readonly Encoded[];
  readonly #known = new Map<string, PartDefinition>();

  constructor({ encoders, kindsOf }: Builder) {
    this.kindsOf = kindsOf;
    this.encoded = encoders.map((encoder) => new EncodedContents(encoder));
    this.separators = encoders.map(({ separator }) => separator);
  }

  readonly isKnown = (definition: string): boolean => this.#known.has(definition);

  /** The digests of definitions in one encoding. */
  digestsAt(encoding: number): OwnDigest {
    return (definition) => this.#known.get(definition)?.digests[encoding];
  }

  /** Two schemas under one name are an error in the declarations. */
  add({ all, encoded }: SectionPart): void {
    for (const [at, contents] of this.encoded.entries()) {
      const part = encoded[at];
      if (part !== undefined) contents.join(part);
    }
    for (const definition of all) {
      const { name, source } = definition;
      const known = this.#known.get(name);
      if (known === undefined) this.#known.set(name, definition);
      else if (known.source !== source) throw new TypeError(`two schemas are called ${name}`);
    }
  }

  /** Adds those that no section has. */
  async addDefinitions(definitions: SectionEntries['definitions']): Promise<void> {
    this.add(await sectionPart({ paths: [], definitions, contents: undefined, compression: 'small' }, this));
  }
}

/** The pieces of a document in one encoding. */
class EncodedContents {
  readonly #encoder: DocumentEncoder;
  readonly #paths: Piece[] = [];
  readonly #definitions: Piece[] = [];

  constructor(encoder: DocumentEncoder) {
    this.#encoder = encoder;
  }

  join({ paths, definitions }: EncodedPart): void {
    this.#paths.push(...paths);
    this.#definitions.push(...definitions);
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
    const { separator } = this.#encoder;
    if (separator.length === 0) return pieces;
    const piece = storedPiece(Buffer.from(separator));
    return pieces.flatMap((one, i) => (i === 0 ? [one] : [piece, one]));
  }
}

const bytesOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
