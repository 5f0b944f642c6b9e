import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import type { KeptStructs, ParsedDocument } from '../definitions/definitions.ts';
import { type Builder, Definitions } from '../definitions/encoded-definitions.ts';
import { addResource } from '../definitions/resource-definitions.ts';
import type { OpenApiInput, OpenApiResource } from '../input.ts';
import type { Dialect } from '../json-schema/json-schema.ts';
import { definitionOf, listDefinitionOf, type PathOperations } from '../operations/operation.ts';
import { resourcePaths } from '../operations/resource-operations.ts';
import { compressedPieces, type Encoded, type Piece } from '../pieces/index.ts';
import { publishedKinds } from '../published-kinds.ts';
import { inTurns, nextTurn } from '../turns.ts';
import type { DocumentSection } from './document-section.ts';

/** Paths and definitions in one encoding, compressed. */
export interface EncodedPart {
  readonly paths: readonly Piece[];
  readonly definitions: readonly Piece[];
}

/** A definition that is compressed already. */
export interface CompressedDefinition {
  readonly name: string;
  /** See `DefinitionSet.sources`. */
  readonly source: unknown;
  /** Digests of its bytes in each encoding. */
  readonly digests: readonly string[];
}

/** Additions of the custom resources of a section to documents of one version: paths, and the definitions of kinds and of their lists. */
export interface Contents {
  /** In each encoding. */
  readonly encoded: readonly EncodedPart[];
  readonly definitions: readonly CompressedDefinition[];
}

export interface CustomContentsOptions {
  readonly input: OpenApiInput;
  readonly encoders: Readonly<Record<Dialect, Builder['encoders']>>;
  readonly structs: Readonly<Record<Dialect, KeptStructs>>;
  /** Digest of the bytes of a definition. */
  readonly digestOf: (bytes: Encoded) => string;
}

type AllContents = Readonly<Record<Dialect, Contents>>;

/** A resource with the document of its schema, which is dropped once it is published. */
interface Source extends ParsedDocument {
  readonly resource: OpenApiResource;
}

/**
 * The contents of the custom resources of sections, made once for all versions and encodings: to read a schema takes as long as
 * to publish it. They are dropped with the section.
 */
export class CustomContents {
  readonly #options: CustomContentsOptions;
  readonly #kept = new WeakMap<DocumentSection, Promise<AllContents>>();

  constructor(options: CustomContentsOptions) {
    this.#options = options;
  }

  async of(section: DocumentSection, dialect: Dialect): Promise<Contents> {
    const contents = this.#kept.get(section) ?? this.#make(section.resources.filter(isCustom));
    this.#kept.set(section, contents);
    try {
      return (await contents)[dialect];
    } catch (error) {
      this.#kept.delete(section);
      throw error;
    }
  }

  async #make(resources: readonly OpenApiResource[]): Promise<AllContents> {
    const { digestOf, encoders, input, structs } = this.#options;
    const kindsOf = await publishedKinds(input, resources);
    const maker = (dialect: Dialect): ContentsMaker =>
      new ContentsMaker({ input, encoders: encoders[dialect], structs: structs[dialect], kindsOf }, digestOf);
    const [v2, v3] = [maker('v2'), maker('v3')];
    for (const resource of resources) {
      const document = await inTurns(input, documentOf(resource));
      await nextTurn(input);
      for (const one of [v3, v2]) await one.add({ resource, document });
    }
    return { v3: await v3.contents(), v2: await v2.contents() };
  }
}

/** Makes the contents in the encodings of one version. */
class ContentsMaker {
  readonly #builder: Builder;
  readonly #digestOf: CustomContentsOptions['digestOf'];
  readonly #paths: readonly Encoded[][];
  readonly #definitions: Definitions;
  readonly #own = new Set<string>();

  constructor(builder: Builder, digestOf: CustomContentsOptions['digestOf']) {
    this.#builder = builder;
    this.#digestOf = digestOf;
    this.#paths = builder.encoders.map(() => []);
    this.#definitions = new Definitions(builder, (name) => this.#own.has(name));
  }

  async add({ resource, document }: Source): Promise<void> {
    const { encoders, input } = this.#builder;
    this.#own.add(definitionOf(input.names, resource));
    this.#own.add(listDefinitionOf(input.names, resource));
    await inTurns(input, addResource(this.#definitions.set, input, resource, { document }));
    await nextTurn(input);
    for (const path of byPath(resourcePaths(input, resource)))
      for (const [at, encoder] of encoders.entries()) this.#paths[at]?.push(encoder.path(path));
    await nextTurn(input);
  }

  async contents(): Promise<Contents> {
    const definitions = [...this.#definitions.sorted()];
    const encoded: EncodedPart[] = [];
    for (const [at, { separator }] of this.#builder.encoders.entries()) {
      const entries = definitions.flatMap(([, { bytes }]) => bytes[at] ?? []);
      encoded.push({
        paths: await compressedPieces(this.#paths[at] ?? [], separator, 'fast'),
        definitions: await compressedPieces(entries, separator, 'fast'),
      });
    }
    return {
      encoded,
      definitions: definitions.map(([name, { bytes, source }]) => ({
        name,
        source,
        digests: bytes.map(this.#digestOf),
      })),
    };
  }
}

export const isCustom = ({ schema }: OpenApiResource): boolean => schema.custom !== undefined;

function* documentOf({ schema }: OpenApiResource): Work<JsonObject | undefined> {
  return schema.custom === undefined ? undefined : yield* schema.custom.document();
}

export const byPath = (paths: readonly PathOperations[]): readonly PathOperations[] =>
  [...paths].sort((a, b) => (a.path < b.path ? -1 : 1));
