import type { DocumentEncoder } from '../formats/document-encoder.ts';
import type { OpenApiInput } from '../input.ts';
import type { Encoded } from '../pieces/index.ts';
import type { KindsOf } from '../published-kinds.ts';
import { DefinitionSet, type KeptStructs } from './definitions.ts';

/** The encoders of a document, and the input and the state that they use. */
export interface Builder {
  readonly input: OpenApiInput;
  /** Encoders of one dialect: definitions are made once for all of them. */
  readonly encoders: readonly [DocumentEncoder, ...DocumentEncoder[]];
  readonly kindsOf: KindsOf;
  readonly structs: KeptStructs;
}

/** A definition as a section made it. */
export interface EncodedDefinition {
  /** In each encoding. */
  readonly bytes: readonly Encoded[];
  /** See `DefinitionSet.sources`. */
  readonly source: unknown;
}

export type EncodedDefinitions = ReadonlyMap<string, EncodedDefinition>;

/** Definitions that become bytes as soon as they are made: those with a name of which `isWanted` is true. */
export class Definitions {
  readonly set: DefinitionSet;
  readonly #bytes: [name: string, bytes: readonly Encoded[]][] = [];

  constructor({ input, encoders, kindsOf, structs }: Builder, isWanted: (name: string) => boolean) {
    const add = (name: string, bytes: readonly Encoded[]): void => void this.#bytes.push([name, bytes]);
    this.set = new DefinitionSet({
      names: input.names,
      dialect: encoders[0].dialect,
      kindsOf,
      structs,
      emit(name, definition) {
        if (!isWanted(name)) return;
        add(
          name,
          encoders.map((encoder) => encoder.definition(name, definition)),
        );
      },
      *emitInPieces(name, definition) {
        if (!isWanted(name)) return;
        const bytes: Encoded[] = [];
        for (const encoder of encoders) bytes.push(yield* encoder.definitionInPieces(name, definition));
        add(name, bytes);
      },
      listedValues: input.listedValues ?? true,
      ...(input.includes === undefined ? {} : { includes: input.includes }),
      ...(input.noteOn === undefined ? {} : { noteOn: input.noteOn }),
    });
  }

  sorted(): EncodedDefinitions {
    const sorted = this.#bytes.sort(([a], [b]) => (a < b ? -1 : 1));
    return new Map(sorted.map(([name, bytes]) => [name, { bytes, source: this.set.sources.get(name) }]));
  }
}
