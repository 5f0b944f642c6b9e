import {
  type ApiObject,
  asObject,
  asText,
  type Clock,
  DeadlineExceeded,
  errors,
  fieldError,
  type Names,
  specOf,
  statusOf,
  withDeadline,
} from '@orch/machinery';
import { countStoredVersions, type HookedWrite, type StoredKind, type WriteHooks } from '@orch/registry';

/** Longest time for which stored objects are counted. */
const COUNT_MS = 30_000;

export interface StrandedObjectsOptions extends Pick<StoredKind, 'store' | 'storePrefix'> {
  readonly names: Names;
  readonly clock: Clock;
}

/** A version that a write removes from a definition. */
interface Removed {
  readonly version: string;
  readonly field: 'spec.versions' | 'status.storedVersions';
}

/**
 * Refuses writes of custom resource definitions that remove a version, from the spec or from the stored versions, while the store
 * has objects in it: no client could read them. An annotation allows it.
 */
export function strandedObjectsCheck(options: StrandedObjectsOptions): WriteHooks {
  const { names } = options;
  return {
    onlyRefuses: true,
    async begin({ next, old, signal }: HookedWrite): Promise<undefined> {
      if (next === undefined || old === undefined) return;
      const removed = removedVersions(old, next);
      const allowed = next.metadata.annotations?.[names.annotations.allowStrandedObjects] === 'true';
      if (removed.length === 0 || allowed) return;
      const problems = await problemsOf(options, { definition: old, removed }, signal);
      if (problems.length === 0) return;
      const { name = '' } = next.metadata;
      const kind = 'CustomResourceDefinition';
      throw errors.invalid({ group: names.group('apiextensions'), kind, name }, problems);
    },
  };
}

const versionsIn = (definition: ApiObject): readonly string[] => {
  const { versions } = specOf(definition);
  return Array.isArray(versions) ? versions.map((version) => asText(asObject(version)['name'])) : [];
};

const storedIn = (definition: ApiObject): readonly string[] => {
  const { storedVersions } = statusOf(definition);
  return Array.isArray(storedVersions) ? storedVersions.map(asText) : [];
};

function removedVersions(old: ApiObject, next: ApiObject): readonly Removed[] {
  const without = (before: readonly string[], after: readonly string[]) =>
    before.filter((version) => !after.includes(version));
  return [
    ...without(versionsIn(old), versionsIn(next)).map(
      (version) => ({ version, field: 'spec.versions' }) as const,
    ),
    ...without(storedIn(old), storedIn(next)).map(
      (version) => ({ version, field: 'status.storedVersions' }) as const,
    ),
  ];
}

async function problemsOf(
  { names, clock, ...stored }: StrandedObjectsOptions,
  { definition, removed }: { readonly definition: ApiObject; readonly removed: readonly Removed[] },
  signal: AbortSignal,
) {
  const { group: givenGroup, names: givenNames } = specOf(definition);
  const group = asText(givenGroup);
  const resource = asText(asObject(givenNames)['plural']);
  using limit = withDeadline(signal, clock, COUNT_MS);
  const { versions, unreadable } = await countStoredVersions(
    { ...stored, group, resource },
    limit.signal,
  ).catch((cause: unknown) => {
    if (!(cause instanceof DeadlineExceeded)) throw cause;
    throw errors.serviceUnavailable(
      `the stored objects of ${resource}.${group} could not be counted in time`,
    );
  });
  const way = `store them again first, with a StorageVersionMigration of ${resource}.${group}, or set the annotation ${names.annotations.allowStrandedObjects} to "true"`;
  return removed.flatMap(({ version, field }) => {
    const count = versions.get(`${group}/${version}`) ?? 0;
    const reasons = [
      ...(count === 0 ? [] : [`${objects(count)} stored in it`]),
      ...(unreadable === 0 ? [] : [`${objects(unreadable)} unreadable and may be stored in it`]),
    ];
    if (reasons.length === 0) return [];
    return [fieldError.invalid(field, version, `must not be removed, ${reasons.join(', and ')}: ${way}`)];
  });
}

const objects = (count: number): string => (count === 1 ? '1 object is' : `${count} objects are`);
