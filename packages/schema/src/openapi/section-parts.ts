import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { ownBytes } from '@orch/machinery';
import type { OpenApiKind } from './input.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const FASTEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY + 1 } };

/** A definition as a section made it. */
export interface PartDefinition {
  readonly bytes: Buffer;
  /** See `DefinitionSet.sources`. */
  readonly source: unknown;
}

/** What one section adds to a document, encoded. */
export interface SectionPart {
  readonly paths: readonly Buffer[];
  readonly definitions: ReadonlyMap<string, PartDefinition>;
}

export type KindsOf = (definition: string) => readonly OpenApiKind[];

interface KeptDefinition {
  readonly name: string;
  readonly length: number;
  readonly source: unknown;
  /** The kinds with which it was made: those of a shared definition depend on the other sections. */
  readonly kinds: string;
}

interface KeptPart {
  readonly packed: Buffer;
  readonly paths: readonly number[];
  readonly definitions: readonly KeptDefinition[];
}

/**
 * The parts of a document with many sections, kept compressed, so that a change of one section does not build the others
 * again. A part is dropped with its section.
 */
export class SectionParts {
  readonly #kept = new WeakMap<object, KeptPart>();

  /** The part of a section, made unless it is kept and its definitions have the same kinds as before. */
  async of(section: object, kindsOf: KindsOf, make: () => Promise<SectionPart>): Promise<SectionPart> {
    const kept = this.#kept.get(section);
    if (kept?.definitions.every(({ name, kinds }) => kinds === textOf(kindsOf(name))) === true)
      return unpacked(kept);
    const part = await make();
    this.#kept.set(section, await packedPart(part, kindsOf));
    return part;
  }
}

const textOf = (kinds: readonly OpenApiKind[]): string => JSON.stringify(kinds);

async function packedPart({ paths, definitions }: SectionPart, kindsOf: KindsOf): Promise<KeptPart> {
  const all = [...paths, ...[...definitions.values()].map(({ bytes }) => bytes)];
  return {
    packed: ownBytes(await compress(Buffer.concat(all), FASTEST)),
    paths: paths.map(({ length }) => length),
    definitions: [...definitions].map(([name, { bytes, source }]) => ({
      name,
      length: bytes.length,
      source,
      kinds: textOf(kindsOf(name)),
    })),
  };
}

async function unpacked({ packed, paths, definitions }: KeptPart): Promise<SectionPart> {
  const bytes = await decompress(packed);
  let at = 0;
  const next = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    paths: paths.map(next),
    definitions: new Map(
      definitions.map(({ name, length, source }) => [name, { bytes: next(length), source }]),
    ),
  };
}
