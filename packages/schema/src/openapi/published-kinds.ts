import type { OpenApiInput, OpenApiKind, OpenApiResource } from './input.ts';
import { definitionOf, listDefinitionOf } from './operation.ts';

/** Which kinds the definitions of a document are the schemas of. */
export class PublishedKinds {
  readonly #kinds = new Map<string, OpenApiKind[]>();

  /** Of one definition, in the order in which they were found. */
  of(definition: string): readonly OpenApiKind[] {
    return this.#kinds.get(definition) ?? [];
  }

  add(definition: string, { group, kind, version }: OpenApiKind): void {
    const kinds = this.#kinds.get(definition) ?? [];
    this.#kinds.set(definition, kinds);
    const same = (one: OpenApiKind) => one.group === group && one.kind === kind && one.version === version;
    if (!kinds.some(same)) kinds.push({ group, kind, version });
  }
}

/** The kinds of resources and of what belongs to every group version. */
export function publishedKinds(input: OpenApiInput, resources: readonly OpenApiResource[]): PublishedKinds {
  const { names } = input;
  const kinds = new PublishedKinds();
  for (const resource of resources) {
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
  addShared(kinds, input, resources);
  return kinds;
}

/** Kinds that are part of every group version are kinds of each of them; discovery has but one version. */
function addShared(kinds: PublishedKinds, input: OpenApiInput, resources: readonly OpenApiResource[]): void {
  const core: OpenApiKind = { group: '', version: 'v1', kind: '' };
  const named = (schemaName: string): string => input.names.definitionName(schemaName);
  for (const kind of ['DeleteOptions', 'WatchEvent']) {
    for (const { group, version } of [core, ...resources]) {
      kinds.add(named(`meta.v1.${kind}`), { group, version, kind });
    }
  }
  for (const kind of ['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList']) {
    kinds.add(named(`meta.v1.${kind}`), { ...core, kind });
  }
}
