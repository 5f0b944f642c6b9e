import type { DiscoveredResource } from '@orch/client';
import { UsageError } from '@orch/program/flags';
import type { ResourceMapper } from '../session/resource-mapper.ts';

/** Objects of one resource that a command line names. */
export interface NamedResource {
  readonly resource: DiscoveredResource;
  /** Undefined for all objects that the selectors select. */
  readonly names: readonly string[] | undefined;
}

/**
 * The resources that words name: `TYPE`, `TYPE1,TYPE2`, `TYPE NAME…`, `TYPE/NAME…`, and categories such as `all`. One entry for
 * each resource without names, and one for each run of names. Rejects with `UsageError`, and as the mapper does.
 */
export async function readResourceWords(
  words: readonly string[],
  mapper: ResourceMapper,
): Promise<readonly NamedResource[]> {
  const slashed = words.filter((word) => word.includes('/')).length;
  if (slashed > 0) {
    if (slashed < words.length) throw mixedWords();
    return joined(await Promise.all(words.map((word) => objectNamed(word, mapper))));
  }
  const [types = '', ...names] = words;
  const resources = await resourcesOf(types, mapper);
  if (names.length === 0) return resources.map((resource) => ({ resource, names: undefined }));
  if (types.includes('/')) throw mixedWords();
  if (names.includes('')) throw new UsageError('resource name may not be empty');
  return resources.map((resource) => ({ resource, names: [...new Set(names)] }));
}

async function resourcesOf(types: string, mapper: ResourceMapper): Promise<readonly DiscoveredResource[]> {
  const found: DiscoveredResource[] = [];
  for (const type of types.split(',')) {
    if (type === '') throw new UsageError('a resource type is empty; separate types by single commas');
    const category = await mapper.category(type);
    found.push(...(category.length > 0 ? category : [await mapper.named(type)]));
  }
  return [...new Set(found)];
}

async function objectNamed(word: string, mapper: ResourceMapper): Promise<NamedResource> {
  const [type = '', name = '', ...more] = word.split('/');
  if (type === '' || name === '' || more.length > 0)
    throw new UsageError(
      `arguments in resource/name form must have a single resource and name, not ${JSON.stringify(word)}`,
    );
  return { resource: await mapper.named(type), names: [name] };
}

/** Neighbouring objects of the same resource become one entry. */
function joined(objects: readonly NamedResource[]): readonly NamedResource[] {
  const all: NamedResource[] = [];
  for (const { resource, names = [] } of objects) {
    const last = all.at(-1);
    if (last?.resource === resource)
      all[all.length - 1] = { resource, names: [...new Set([...(last.names ?? []), ...names])] };
    else all.push({ resource, names });
  }
  return all;
}

const mixedWords = (): UsageError =>
  new UsageError(
    'there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. "orchctl get resource/<resource_name>" instead of "orchctl get resource resource/<resource_name>")',
  );
