import type { Work } from '@orch/machinery';
import { typeMetaDocs } from '../codec/struct-shape.ts';
import { ownNames } from './definition-home.ts';
import { DefinitionSet, type KeptStructs } from './definitions.ts';
import type { DocumentEncoder } from './document-encoder.ts';
import type { OpenApiInput, OpenApiResource } from './input.ts';
import type { JsonSchema } from './json-schema.ts';
import { listDefinitionOf, type PathOperations } from './operations/operation.ts';
import { resourcePaths } from './operations/resource-operations.ts';
import type { Compression, Encoded } from './pieces/index.ts';
import type { KindsOf } from './published-kinds.ts';
import { inTurns, nextTurn } from './turns.ts';

/** A part of a document: paths of discovery, and then those of the resources of one group version. */
export interface DocumentSection {
  readonly discovery: readonly PathOperations[];
  readonly resources: readonly OpenApiResource[];
}

/** A definition as a section made it. */
export interface EncodedDefinition {
  /** In each encoding. */
  readonly bytes: readonly Encoded[];
  /** See `DefinitionSet.sources`. */
  readonly source: unknown;
}

export type EncodedDefinitions = ReadonlyMap<string, EncodedDefinition>;

/** The entries of one section in the documents. */
export interface SectionEntries {
  /** In each encoding. */
  readonly paths: readonly (readonly Encoded[])[];
  /** Sorted by name. */
  readonly definitions: EncodedDefinitions;
  readonly compression: Compression;
}

/** The inputs of building. */
export interface Builder {
  readonly input: OpenApiInput;
  /** Of one dialect: definitions are made once for all of them. */
  readonly encoders: readonly [DocumentEncoder, ...DocumentEncoder[]];
  readonly kindsOf: KindsOf;
  readonly structs: KeptStructs;
}

const listMetaDoc = 'Standard list metadata: the version of the list, and the token to continue it.';

/** Paths take far less time than resources with their definitions. */
const PATHS_PER_TURN = 32;

/** Makes the paths and definitions of a section: each becomes bytes as soon as it is made, one resource or a few paths a turn. */
export async function sectionEntries(section: DocumentSection, builder: Builder): Promise<SectionEntries> {
  const { input, encoders } = builder;
  const definitions = new Definitions(builder);
  const paths = [...section.discovery];
  for (const resource of section.resources) {
    await inTurns(addResource(definitions.set, input, resource));
    await nextTurn();
    paths.push(...resourcePaths(input, resource));
    await nextTurn();
  }
  const encoded = encoders.map((): Encoded[] => []);
  for (const [i, path] of paths.sort((a, b) => (a.path < b.path ? -1 : 1)).entries()) {
    for (const [at, encoder] of encoders.entries()) encoded[at]?.push(encoder.path(path));
    if ((i + 1) % PATHS_PER_TURN === 0) await nextTurn();
  }
  // Its kinds are those of all sections: `metaDefinitions` makes it for every document.
  const deleteOptions = input.names.definitionName(input.meta.deleteOptions.name);
  // Custom kinds may be many, and change while the server runs.
  const isCustom = section.resources.some(({ schema }) => schema.custom !== undefined);
  return {
    paths: encoded,
    definitions: definitions.sorted((name) => name !== deleteOptions),
    compression: isCustom ? 'fast' : 'small',
  };
}

/** The definitions that the operations of a document refer to beside those of its resources, sorted by name. */
export function metaDefinitions(sections: readonly DocumentSection[], builder: Builder): EncodedDefinitions {
  const definitions = new Definitions(builder);
  addMeta(definitions.set, builder.input, sections);
  return definitions.sorted(() => true);
}

/** Definitions that become bytes as soon as they are made. */
class Definitions {
  readonly set: DefinitionSet;
  readonly #bytes: [name: string, bytes: readonly Encoded[]][] = [];

  constructor({ input, encoders, kindsOf, structs }: Builder) {
    const add = (name: string, bytes: readonly Encoded[]): void => void this.#bytes.push([name, bytes]);
    this.set = new DefinitionSet({
      names: input.names,
      dialect: encoders[0].dialect,
      kindsOf,
      structs,
      emit: (name, definition) =>
        add(
          name,
          encoders.map((encoder) => encoder.definition(name, definition)),
        ),
      *emitInPieces(name, definition) {
        const bytes: Encoded[] = [];
        for (const encoder of encoders) bytes.push(yield* encoder.definitionInPieces(name, definition));
        add(name, bytes);
      },
      ...(input.includes === undefined ? {} : { includes: input.includes }),
      ...(input.noteOn === undefined ? {} : { noteOn: input.noteOn }),
    });
  }

  sorted(isKept: (name: string) => boolean): EncodedDefinitions {
    const kept = this.#bytes.filter(([name]) => isKept(name)).sort(([a], [b]) => (a < b ? -1 : 1));
    return new Map(kept.map(([name, bytes]) => [name, { bytes, source: this.set.sources.get(name) }]));
  }
}

function* addResource(set: DefinitionSet, input: OpenApiInput, resource: OpenApiResource): Work<void> {
  const name = yield* set.addInPieces(resource.schema, resource.home);
  if (resource.verbs.includes('list')) {
    const meta = set.add(input.meta.listMeta, ownNames);
    const listName = listDefinitionOf(input.names, resource);
    set.put(listName, listDefinition(set, resource, { item: name, meta }));
  }
  for (const sub of resource.subresources) {
    if (sub.type === 'object' && sub.schema !== undefined) set.add(sub.schema, sub.home);
  }
}

function listDefinition(
  set: DefinitionSet,
  { kind, schema }: OpenApiResource,
  { item, meta }: { readonly item: string; readonly meta: string },
): JsonSchema {
  return {
    description: `A list of ${kind}. ${schema.doc}`.trim(),
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { description: typeMetaDocs.apiVersion, type: 'string' },
      items: { description: 'The objects.', type: 'array', items: set.ref(item) },
      kind: { description: typeMetaDocs.kind, type: 'string' },
      metadata: set.withDescription(set.ref(meta), listMetaDoc),
    },
  };
}

function addMeta(set: DefinitionSet, input: OpenApiInput, sections: readonly DocumentSection[]): void {
  const { deleteOptions, status, watchEvent, listMeta: _added, ...discovery } = input.meta;
  const answers = new Set(
    sections.flatMap((section) =>
      section.discovery.flatMap(({ operations }) => operations.map(({ answer }) => answer)),
    ),
  );
  const named = new Set([...answers].map((answer) => (answer === 'text' ? '' : answer.definition)));
  for (const schema of Object.values(discovery)) {
    if (named.has(input.names.definitionName(schema.name))) set.add(schema, ownNames);
  }
  if (sections.every(({ resources }) => resources.length === 0)) return;
  for (const schema of [deleteOptions, status, watchEvent]) set.add(schema, ownNames);
  set.put(input.names.definitionName('meta.v1.Patch'), {
    description: 'A change to an object, in the format of the content type.',
    type: 'object',
  });
}
