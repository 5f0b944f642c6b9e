import { createHash } from 'node:crypto';
import type { OpenApiKind } from '../input.ts';
import { compressedPieces, type Encoded } from '../pieces/index.ts';
import type { KindsOf } from '../published-kinds.ts';
import type { EncodedPart } from './custom-contents.ts';
import type { SectionEntries } from './section-entries.ts';

/** A definition that a section refers to. */
export interface PartDefinition {
  readonly name: string;
  /** See `DefinitionSet.sources`. */
  readonly source: unknown;
  /** The kinds with which it was made: those of a shared definition depend on the other sections. */
  readonly kinds: readonly OpenApiKind[];
  /** See `digestOf`; in each encoding. */
  readonly digests: readonly string[];
  /** Whether it is in this part, not in that of an earlier section. */
  readonly included: boolean;
}

/** The part of one section in the documents. */
export interface SectionPart {
  readonly encoded: readonly EncodedPart[];
  readonly all: readonly PartDefinition[];
}

/** The inputs of a section's part besides the section. */
export interface PartContext {
  readonly kindsOf: KindsOf;
  /** Reports whether an earlier section includes the definition. */
  readonly isKnown: (definition: string) => boolean;
  /** The separators in each encoding. */
  readonly separators: readonly Encoded[];
}

/** Digest of the bytes of a definition: equal definitions have the same. */
export const digestOf = (bytes: Encoded): string => createHash('sha256').update(bytes).digest('base64');

/** Compresses the entries of a section, without definitions that an earlier section includes. */
export async function sectionPart(
  { paths, definitions, compression, contents }: SectionEntries,
  { isKnown, kindsOf, separators }: PartContext,
): Promise<SectionPart> {
  const all = [...definitions].map(([name, { bytes, source }]) => ({
    name,
    source,
    digests: bytes.map(digestOf),
    kinds: kindsOf(name),
    included: !isKnown(name),
  }));
  const custom = (contents?.definitions ?? []).map((definition) => ({
    ...definition,
    kinds: kindsOf(definition.name),
    included: true,
  }));
  const included = all.flatMap(({ name, included: own }) =>
    own ? [definitions.get(name)?.bytes ?? []] : [],
  );
  const encoded: EncodedPart[] = [];
  for (const [at, separator] of separators.entries()) {
    const entries = included.flatMap((bytes) => bytes[at] ?? []);
    const kept = contents?.encoded[at];
    encoded.push({
      paths: [...(await compressedPieces(paths[at] ?? [], separator, compression)), ...(kept?.paths ?? [])],
      definitions: [
        ...(await compressedPieces(entries, separator, compression)),
        ...(kept?.definitions ?? []),
      ],
    });
  }
  return { encoded, all: [...all, ...custom] };
}

/**
 * The parts of a document with many sections, so that a change of one section neither builds nor compresses the others
 * again. A part is dropped with its section.
 */
export class SectionParts {
  readonly #kept = new WeakMap<object, SectionPart>();

  /** The part of a section: made unless the kept one is still right. */
  async of(section: object, context: PartContext, make: () => Promise<SectionEntries>): Promise<SectionPart> {
    const kept = this.#kept.get(section);
    if (kept !== undefined && isCurrent(kept, context)) return kept;
    const part = await sectionPart(await make(), context);
    this.#kept.set(section, part);
    return part;
  }
}

const isCurrent = ({ all }: SectionPart, { isKnown, kindsOf }: PartContext): boolean =>
  all.every(({ name, kinds, included }) => included === !isKnown(name) && areEqual(kinds, kindsOf(name)));

const areEqual = (a: readonly OpenApiKind[], b: readonly OpenApiKind[]): boolean =>
  a.length === b.length &&
  a.every(({ group, kind, version }, i) => {
    const other = b[i];
    return other?.group === group && other.kind === kind && other.version === version;
  });
