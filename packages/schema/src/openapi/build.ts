import { DefinitionSet } from './definitions.ts';
import type { DocumentEncoder, JoiningEncoder } from './document-encoder.ts';
import type { ForeignPart } from './foreign-part.ts';
import type { OpenApiInput, OpenApiResource } from './input.ts';
import { type DocumentParts, ForeignJoiner } from './join-foreign.ts';
import type { JsonSchema } from './json-schema.ts';
import { listDefinitionOf, type PathOperations } from './operation.ts';
import { publishedKinds } from './published-kinds.ts';
import { resourcePaths } from './resource-operations.ts';
import type { KindsOf, PartDefinition, SectionPart, SectionParts } from './section-parts.ts';
import { nextTurn } from './turns.ts';

/** A part of a document: paths of discovery, and then those of the resources of one group version. */
export interface DocumentSection {
  readonly discovery: readonly PathOperations[];
  readonly resources: readonly OpenApiResource[];
}

/** Paths take far less time than resources with their definitions. */
const PATHS_PER_TURN = 32;

/** What is built with. */
interface Builder {
  readonly input: OpenApiInput;
  readonly encoder: DocumentEncoder;
  readonly kindsOf: KindsOf;
}

export interface BuildOptions {
  readonly parts?: SectionParts;
  /** What other servers add. */
  readonly foreign?: { readonly parts: readonly ForeignPart[]; readonly encoder: JoiningEncoder };
}

/**
 * Writes a document. It never exists as a whole but in its bytes: each path and definition becomes bytes as soon as it
 * is made, one resource or a few paths a turn. The parts of sections that `parts` has are not made again.
 */
export async function buildDocument(
  input: OpenApiInput,
  sections: readonly DocumentSection[],
  encoder: DocumentEncoder,
  { parts, foreign }: BuildOptions = {},
): Promise<Buffer> {
  const resources = sections.flatMap((section) => section.resources);
  const kinds = publishedKinds(input, resources);
  const builder: Builder = { input, encoder, kindsOf: (name) => kinds.of(name) };
  const paths: Buffer[] = [];
  const definitions = new Map<string, PartDefinition>();
  for (const section of sections) {
    const make = (): Promise<SectionPart> => sectionPart(section, builder);
    const part = await (parts === undefined ? make() : parts.of(section, builder.kindsOf, make));
    paths.push(...part.paths);
    addDefinitions(definitions, part.definitions);
  }
  const meta = definitionsOf(builder, (set) => addMeta(set, input, sections));
  addDefinitions(definitions, meta);
  if (foreign !== undefined) await joinParts({ paths, definitions }, foreign);
  const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  return encoder.document(
    paths,
    sorted.map(([, { bytes }]) => bytes),
  );
}

async function joinParts(
  to: DocumentParts,
  { parts, encoder }: NonNullable<BuildOptions['foreign']>,
): Promise<void> {
  const joiner = new ForeignJoiner(to, encoder);
  for (const part of parts) await joiner.add(await part.read());
}

/** Adds definitions that are not known. Two schemas under one name are an error in the declarations. */
function addDefinitions(
  to: Map<string, PartDefinition>,
  definitions: ReadonlyMap<string, PartDefinition>,
): void {
  for (const [name, definition] of definitions) {
    const known = to.get(name);
    if (known === undefined) to.set(name, definition);
    else if (known.source !== definition.source) throw new TypeError(`two schemas are called ${name}`);
  }
}

const newSet = ({ input, encoder, kindsOf }: Builder, definitions: Map<string, Buffer>): DefinitionSet =>
  new DefinitionSet({
    names: input.names,
    dialect: encoder.dialect,
    kindsOf,
    emit: (name, definition) => definitions.set(name, encoder.definition(name, definition)),
    ...(input.includes === undefined ? {} : { includes: input.includes }),
    ...(input.noteOn === undefined ? {} : { noteOn: input.noteOn }),
  });

const withSources = (
  definitions: ReadonlyMap<string, Buffer>,
  set: DefinitionSet,
): ReadonlyMap<string, PartDefinition> =>
  new Map([...definitions].map(([name, bytes]) => [name, { bytes, source: set.sources.get(name) }]));

function definitionsOf(
  builder: Builder,
  add: (set: DefinitionSet) => void,
): ReadonlyMap<string, PartDefinition> {
  const definitions = new Map<string, Buffer>();
  const set = newSet(builder, definitions);
  add(set);
  return withSources(definitions, set);
}

async function sectionPart(section: DocumentSection, builder: Builder): Promise<SectionPart> {
  const { input, encoder } = builder;
  const definitions = new Map<string, Buffer>();
  const set = newSet(builder, definitions);
  const paths = [...section.discovery];
  for (const resource of section.resources) {
    addResource(set, input, resource);
    paths.push(...resourcePaths(input, resource));
    await nextTurn();
  }
  const encoded: Buffer[] = [];
  for (const path of paths.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    encoded.push(encoder.path(path));
    if (encoded.length % PATHS_PER_TURN === 0) await nextTurn();
  }
  // Its kinds are those of all sections: `addMeta` makes it for every document.
  definitions.delete(input.names.definitionName(input.meta.deleteOptions.name));
  return { paths: encoded, definitions: withSources(definitions, set) };
}

function addResource(set: DefinitionSet, input: OpenApiInput, resource: OpenApiResource): void {
  const name = set.add(resource.schema, resource.home);
  if (resource.verbs.includes('list')) {
    const meta = set.add(input.meta.listMeta);
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
      apiVersion: {
        description: 'Group and version of the object.',
        type: 'string',
      },
      items: { description: 'The objects.', type: 'array', items: set.ref(item) },
      kind: { description: 'Kind of the object.', type: 'string' },
      metadata: set.withDescription(set.ref(meta), 'Version of the list, and the token to continue it.'),
    },
  };
}

/** What the operations of the document refer to beside the kinds of its resources. */
function addMeta(set: DefinitionSet, input: OpenApiInput, sections: readonly DocumentSection[]): void {
  const { deleteOptions, status, watchEvent, listMeta: _added, ...discovery } = input.meta;
  const answers = new Set(
    sections.flatMap((section) =>
      section.discovery.flatMap(({ operations }) => operations.map(({ answer }) => answer)),
    ),
  );
  const named = new Set([...answers].map((answer) => (answer === 'text' ? '' : answer.definition)));
  for (const schema of Object.values(discovery)) {
    if (named.has(input.names.definitionName(schema.name))) set.add(schema);
  }
  if (sections.every(({ resources }) => resources.length === 0)) return;
  for (const schema of [deleteOptions, status, watchEvent]) set.add(schema);
  set.put(input.names.definitionName('meta.v1.Patch'), {
    description: 'A change to an object, in the format of the content type.',
    type: 'object',
  });
}
