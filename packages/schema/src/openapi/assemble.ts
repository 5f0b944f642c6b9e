import { DefinitionSet, type Dialect, type JsonSchema } from './definitions.ts';
import type { OpenApiInput, OpenApiKind, OpenApiResource } from './input.ts';
import { type PathOperations, ResourceOperations } from './operations.ts';

/** The parts of a document about a set of resources, whichever version it is written in. */
export interface Assembled {
  readonly definitions: DefinitionSet;
  /** In the order of their paths. */
  readonly paths: readonly PathOperations[];
}

function listDefinition(
  definitions: DefinitionSet,
  { kind, doc }: ListSource,
  itemName: string,
  metaName: string,
): JsonSchema {
  const meta = definitions.ref(metaName);
  return {
    description: `A list of ${kind}. ${doc}`.trim(),
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: {
        description: 'Group and version of the schema that this object follows.',
        type: 'string',
      },
      items: { description: 'The objects.', type: 'array', items: definitions.ref(itemName) },
      kind: { description: 'Which kind of object this is.', type: 'string' },
      metadata: definitions.withDescription(meta, 'Version of the list, and how to read on.'),
    },
  };
}

interface ListSource {
  readonly kind: string;
  readonly doc: string;
}

function addResource(definitions: DefinitionSet, input: OpenApiInput, resource: OpenApiResource): void {
  const { group, version, kind, schema } = resource;
  const name = definitions.add(schema);
  definitions.addKind(name, resource);
  if (resource.verbs.includes('list')) {
    const listName = input.names.definitionName(`${schema.name}List`);
    const metaName = definitions.add(input.meta.listMeta);
    definitions.put(listName, listDefinition(definitions, { kind, doc: schema.doc }, name, metaName));
    definitions.addKind(listName, { group, version, kind: `${kind}List` });
  }
  for (const sub of resource.subresources) {
    if (sub.form === 'object' && sub.schema !== undefined)
      definitions.addKind(definitions.add(sub.schema), sub.kind);
  }
}

/** Kinds that are part of every group version are documented under each of them, and always under core v1. */
function addMeta(
  definitions: DefinitionSet,
  input: OpenApiInput,
  resources: readonly OpenApiResource[],
): void {
  const { deleteOptions, status, watchEvent } = input.meta;
  definitions.addKind(definitions.add(status), { group: '', version: 'v1', kind: 'Status' });
  const core: OpenApiKind = { group: '', version: 'v1', kind: '' };
  for (const [schema, kind] of [
    [deleteOptions, 'DeleteOptions'],
    [watchEvent, 'WatchEvent'],
  ] as const) {
    const name = definitions.add(schema);
    for (const { group, version } of [core, ...resources])
      definitions.addKind(name, { group, version, kind });
  }
  definitions.put(input.names.definitionName('meta.v1.Patch'), {
    description: 'A change to an object, in the format that the content type names.',
    type: 'object',
  });
}

/** Collects the definitions and operations of resources. */
export function assemble(
  input: OpenApiInput,
  resources: readonly OpenApiResource[],
  dialect: Dialect,
): Assembled {
  const options = input.includes === undefined ? {} : { includes: input.includes };
  const definitions = new DefinitionSet(input.names, dialect, options);
  for (const resource of resources) addResource(definitions, input, resource);
  addMeta(definitions, input, resources);
  const paths = resources.flatMap((resource) => new ResourceOperations(input, resource).paths());
  return { definitions, paths: paths.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}
