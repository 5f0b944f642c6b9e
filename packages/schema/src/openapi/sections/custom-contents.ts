import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import type { KeptStructs, ParsedDocument } from '../definitions/definitions.ts';
import { type Builder, Definitions } from '../definitions/encoded-definitions.ts';
import { addResource } from '../definitions/resource-definitions.ts';
import type { OpenApiInput, OpenApiResource } from '../input.ts';
import type { Dialect } from '../json-schema/json-schema.ts';
import { definitionOf, listDefinitionOf, type PathOperations } from '../operations/operation.ts';
import { resourcePaths } from '../operations/resource-operations.ts';
import type { Encoded, Piece } from '../pieces/index.ts';
import { publishedKinds } from '../published-kinds.ts';
import { inTurns, nextTurn } from '../turns.ts';
import type { DocumentSection } from './document-section.ts';
import { type Entry, entryOf, joinedEntries } from './joined-entries.ts';

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

/** The entries of a custom resource in the documents of one version. */
interface ResourceEntries {
  /** All paths, in each encoding. */
  readonly paths: readonly Entry[];
  readonly definitions: readonly DefinitionEntries[];
}

interface DefinitionEntries extends CompressedDefinition {
  /** In each encoding. */
  readonly entries: readonly Entry[];
}

type ByDialect<T> = Readonly<Record<Dialect, T>>;

/** A resource with the document of its schema, which is dropped once it is published. */
interface Source extends ParsedDocument {
  readonly resource: OpenApiResource;
}

/**
 * The contents of the custom resources of sections, made once for all versions and encodings: to read a schema takes as long as
 * to publish it. They are dropped with the section, and the entries of a resource with the resource: after a change of one
 * resource, only its entries are made again, and joined with few others.
 */
export class CustomContents {
  readonly #options: CustomContentsOptions;
  readonly #kept = new WeakMap<DocumentSection, Promise<ByDialect<Contents>>>();
  readonly #entries = new WeakMap<OpenApiResource, Promise<ByDialect<ResourceEntries>>>();

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

  async #make(resources: readonly OpenApiResource[]): Promise<ByDialect<Contents>> {
    const { encoders, input } = this.#options;
    const all: ByDialect<ResourceEntries>[] = [];
    for (const resource of resources) all.push(await this.#entriesOf(resource));
    const contents = (dialect: Dialect): Promise<Contents> =>
      joinedContents(
        all.map((entries) => entries[dialect]),
        encoders[dialect],
        () => nextTurn(input),
      );
    return { v3: await contents('v3'), v2: await contents('v2') };
  }

  async #entriesOf(resource: OpenApiResource): Promise<ByDialect<ResourceEntries>> {
    const entries = this.#entries.get(resource) ?? this.#encode(resource);
    this.#entries.set(resource, entries);
    try {
      return await entries;
    } catch (error) {
      this.#entries.delete(resource);
      throw error;
    }
  }

  async #encode(resource: OpenApiResource): Promise<ByDialect<ResourceEntries>> {
    const { digestOf, encoders, input, structs } = this.#options;
    const kindsOf = await publishedKinds(input, [resource]);
    const document = await inTurns(input, documentOf(resource));
    await nextTurn(input);
    const encoded = (dialect: Dialect): Promise<ResourceEntries> =>
      resourceEntries(
        { resource, document },
        { input, encoders: encoders[dialect], structs: structs[dialect], kindsOf },
        digestOf,
      );
    return { v3: await encoded('v3'), v2: await encoded('v2') };
  }
}

/** Makes the entries of a resource in the encodings of one version. */
async function resourceEntries(
  { resource, document }: Source,
  builder: Builder,
  digestOf: CustomContentsOptions['digestOf'],
): Promise<ResourceEntries> {
  const { encoders, input } = builder;
  const own = new Set([definitionOf(input.names, resource), listDefinitionOf(input.names, resource)]);
  const definitions = new Definitions(builder, (name) => own.has(name));
  await inTurns(input, addResource(definitions.set, input, resource, { document }));
  await nextTurn(input);
  const paths = byPath(resourcePaths(input, resource));
  const encodedPaths = encoders.map((encoder) =>
    entryOf(
      resource.resource,
      paths.map((path) => encoder.path(path)),
      encoder.separator,
    ),
  );
  await nextTurn(input);
  return {
    paths: encodedPaths,
    definitions: [...definitions.sorted()].map(([name, { bytes, source }]) => ({
      name,
      source,
      digests: bytes.map(digestOf),
      entries: bytes.map((one) => entryOf(name, [one], '')),
    })),
  };
}

/** Joins the entries of resources: paths in the order of the resources, definitions by name. */
async function joinedContents(
  resources: readonly ResourceEntries[],
  encoders: Builder['encoders'],
  pause: () => Promise<void>,
): Promise<Contents> {
  const definitions = sortedDefinitions(resources);
  const encoded: EncodedPart[] = [];
  for (const [at, { separator }] of encoders.entries()) {
    encoded.push({
      paths: await joinedEntries(
        resources.flatMap(({ paths }) => paths[at] ?? []),
        separator,
        pause,
      ),
      definitions: await joinedEntries(
        definitions.flatMap(({ entries }) => entries[at] ?? []),
        separator,
        pause,
      ),
    });
  }
  return { encoded, definitions };
}

/** Two schemas under one name are an error in the declarations. */
function sortedDefinitions(resources: readonly ResourceEntries[]): readonly DefinitionEntries[] {
  const byName = new Map<string, DefinitionEntries>();
  for (const definition of resources.flatMap(({ definitions }) => definitions)) {
    const { name, source } = definition;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, definition);
    else if (known.source !== source) throw new TypeError(`two schemas are called ${name}`);
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const isCustom = ({ schema }: OpenApiResource): boolean => schema.custom !== undefined;

function* documentOf({ schema }: OpenApiResource): Work<JsonObject | undefined> {
  return schema.custom === undefined ? undefined : yield* schema.custom.document();
}

export const byPath = (paths: readonly PathOperations[]): readonly PathOperations[] =>
  [...paths].sort((a, b) => (a.path < b.path ? -1 : 1));
