import type { Work } from '@orch/machinery/concurrency';
import { typeMetaDocs } from '../../codec/struct-shape.ts';
import { ownNames } from '../definition-home.ts';
import type { OpenApiInput, OpenApiResource } from '../input.ts';
import type { JsonSchema } from '../json-schema/json-schema.ts';
import { listDefinitionOf } from '../operations/operation.ts';
import type { DefinitionSet, ParsedDocument } from './definitions.ts';

const listMetaDoc = 'Standard list metadata: the version of the list, and the token to continue it.';

/** Adds the definitions of a resource. `parsed` saves that the document of a custom kind is parsed. */
export function* addResource(
  set: DefinitionSet,
  input: OpenApiInput,
  resource: OpenApiResource,
  parsed?: ParsedDocument,
): Work<void> {
  const name = yield* set.addInPieces(resource.schema, resource.home, parsed);
  if (resource.verbs.includes('list')) {
    const meta = set.add(input.meta.listMeta, ownNames);
    const listName = listDefinitionOf(input.names, resource);
    set.put(listName, listDefinition(set, resource, { item: name, meta }));
  }
  addSubresources(set, resource);
}

/** Adds the definitions to which those of a custom resource refer, but not these themselves. */
export function addReferences(set: DefinitionSet, input: OpenApiInput, resource: OpenApiResource): void {
  set.declare(resource.schema, resource.home);
  if (resource.verbs.includes('list')) set.add(input.meta.listMeta, ownNames);
  addSubresources(set, resource);
}

function addSubresources(set: DefinitionSet, { subresources }: OpenApiResource): void {
  for (const { home, schema, type } of subresources) {
    if (type === 'object' && schema !== undefined) set.add(schema, home);
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
