import type { OpenApiInput, OpenApiKind, OpenApiResource } from './input.ts';
import { definitionOf, listDefinitionOf } from './operations/operation.ts';
import { nextTurn } from './turns.ts';

/** Resources whose kinds are collected in one turn of the event loop. */
const RESOURCES_PER_TURN = 256;

/** The kinds of which the definitions of a document are the schemas. */
export type KindsOf = (definition: string) => readonly OpenApiKind[];

const none: readonly OpenApiKind[] = [];

/** Kinds by definition, each in the order in which they were found. */
class PublishedKinds {
  readonly #kinds = new Map<string, Map<string, OpenApiKind>>();
  readonly #lists = new Map<string, readonly OpenApiKind[]>();

  of(definition: string): readonly OpenApiKind[] {
    const known = this.#lists.get(definition);
    if (known !== undefined) return known;
    const kinds = this.#kinds.get(definition);
    const list = kinds === undefined ? none : [...kinds.values()];
    this.#lists.set(definition, list);
    return list;
  }

  add(definition: string, { group, kind, version }: OpenApiKind): void {
    const kinds = this.#kinds.get(definition) ?? new Map<string, OpenApiKind>();
    this.#kinds.set(definition, kinds);
    const key = `${group}/${version}/${kind}`;
    if (!kinds.has(key)) kinds.set(key, { group, kind, version });
  }
}

/** The kinds of resources and of what belongs to every group version. */
export async function publishedKinds(
  input: OpenApiInput,
  resources: readonly OpenApiResource[],
): Promise<KindsOf> {
  const kinds = new PublishedKinds();
  const shared = ['DeleteOptions', 'WatchEvent'].map((kind) => sharedKind(input, kind));
  for (const { definition, kind } of shared) kinds.add(definition, { group: '', version: 'v1', kind });
  for (const [i, resource] of resources.entries()) {
    addResource(kinds, input, resource);
    // They are kinds of each group version.
    for (const { definition, kind } of shared) kinds.add(definition, { ...resource, kind });
    if ((i + 1) % RESOURCES_PER_TURN === 0) await nextTurn(input);
  }
  for (const name of ['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList']) {
    const { definition, kind } = sharedKind(input, name);
    // Discovery has but one version.
    kinds.add(definition, { group: '', version: 'v1', kind });
  }
  return (definition) => kinds.of(definition);
}

const sharedKind = ({ names }: OpenApiInput, kind: string) => ({
  definition: names.definitionName(`meta.v1.${kind}`),
  kind,
});

function addResource(kinds: PublishedKinds, { names }: OpenApiInput, resource: OpenApiResource): void {
  const { kind } = resource;
  kinds.add(definitionOf(names, resource), resource);
  if (resource.verbs.includes('list')) {
    const listKind = resource.schema.custom?.listKind ?? `${kind}List`;
    kinds.add(listDefinitionOf(names, resource), { ...resource, kind: listKind });
  }
  for (const { type, schema, home, kind: own } of resource.subresources) {
    if (type !== 'object' || schema === undefined) continue;
    kinds.add(definitionOf(names, home === undefined ? { schema } : { schema, home }), own);
  }
}
