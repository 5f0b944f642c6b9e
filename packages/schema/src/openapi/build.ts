import { DefinitionSet } from './definitions.ts';
import type { DocumentEncoder } from './document-encoder.ts';
import type { OpenApiInput, OpenApiResource } from './input.ts';
import type { JsonSchema } from './json-schema.ts';
import { listDefinitionOf, type PathOperations } from './operation.ts';
import { publishedKinds } from './published-kinds.ts';
import { resourcePaths } from './resource-operations.ts';

/** A part of a document: paths of discovery, and then those of the resources of one group version. */
export interface DocumentSection {
  readonly discovery: readonly PathOperations[];
  readonly resources: readonly OpenApiResource[];
}

/** Paths take far less time than resources with their definitions. */
const PATHS_PER_TURN = 32;

/** Yields to other work of this thread: building a document takes longer than requests may be delayed. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Writes a document. It never exists as a whole but in its bytes: each path and definition becomes bytes as soon as it
 * is made, one resource or a few paths a turn.
 */
export async function buildDocument(
  input: OpenApiInput,
  sections: readonly DocumentSection[],
  encoder: DocumentEncoder,
): Promise<Buffer> {
  const resources = sections.flatMap((section) => section.resources);
  const definitions = new Map<string, Buffer>();
  const kinds = publishedKinds(input, resources);
  const set = new DefinitionSet({
    names: input.names,
    dialect: encoder.dialect,
    kindsOf: (name) => kinds.of(name),
    emit: (name, definition) => definitions.set(name, encoder.definition(name, definition)),
    ...(input.includes === undefined ? {} : { includes: input.includes }),
    ...(input.noteOn === undefined ? {} : { noteOn: input.noteOn }),
  });
  const paths: Buffer[] = [];
  for (const section of sections) {
    const ofSection = [...section.discovery];
    for (const resource of section.resources) {
      addResource(set, input, resource);
      ofSection.push(...resourcePaths(input, resource));
      await nextTurn();
    }
    for (const path of ofSection.sort((a, b) => (a.path < b.path ? -1 : 1))) {
      paths.push(encoder.path(path));
      if (paths.length % PATHS_PER_TURN === 0) await nextTurn();
    }
  }
  addMeta(set, input, sections);
  const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  return encoder.document(
    paths,
    sorted.map(([, bytes]) => bytes),
  );
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
