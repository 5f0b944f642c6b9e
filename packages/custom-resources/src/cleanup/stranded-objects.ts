import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { type Clock, errors, fieldError, type Names } from '@orch/machinery';
import { DeadlineExceeded, withDeadline } from '@orch/machinery/concurrency';
import { countStoredVersions, type HookedWrite, type StoredKind, type WriteHooks } from '@orch/registry';

/** Maximum time for counting stored objects. */
const COUNT_MS = 30_000;

export interface StrandedObjectsOptions extends Pick<StoredKind, 'store' | 'storePrefix'> {
  readonly names: Names;
  readonly clock: Clock;
}

/** A version that a write removes from a definition. */
interface Removed {
  readonly version: string;
  readonly field: string;
  /** Whether it remains among the stored versions, which the annotation does not permit. */
  readonly isListed: boolean;
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
      const allowed = next.metadata.annotations?.[names.annotations.allowStrandedObjects] === 'true';
      const removed = removedVersions(old, next).filter(({ isListed }) => isListed || !allowed);
      if (removed.length === 0) return;
      const problems = await problemsOf(options, { definition: old, removed }, signal);
      if (problems.length === 0) return;
      const { name = '' } = next.metadata;
      const kind = 'CustomResourceDefinition';
      throw errors.invalid({ group: names.group('apiextensions'), kind, name }, problems);
    },
  };
}

const versionsIn = ({ spec }: CustomResourceDefinition): readonly string[] =>
  (spec?.versions ?? []).map(({ name = '' }) => name);

const storedIn = ({ status }: CustomResourceDefinition): readonly string[] => status?.storedVersions ?? [];

function removedVersions(old: CustomResourceDefinition, next: CustomResourceDefinition): readonly Removed[] {
  const without = (before: readonly string[], after: readonly string[]) =>
    before.filter((version) => !after.includes(version));
  const stored = storedIn(next);
  return [
    ...without(versionsIn(old), versionsIn(next)).map((version) => {
      const at = stored.indexOf(version);
      return at < 0
        ? { version, field: 'spec.versions', isListed: false }
        : { version, field: `status.storedVersions[${at}]`, isListed: true };
    }),
    ...without(storedIn(old), stored).map((version) => ({
      version,
      field: 'status.storedVersions',
      isListed: false,
    })),
  ];
}

async function problemsOf(
  { names, clock, ...stored }: StrandedObjectsOptions,
  {
    definition,
    removed,
  }: { readonly definition: CustomResourceDefinition; readonly removed: readonly Removed[] },
  signal: AbortSignal,
) {
  const { group = '', names: { plural: resource = '' } = {} } = definition.spec ?? {};
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
  const migration = `store them again first, with a StorageVersionMigration of ${resource}.${group}`;
  const way = `${migration}, or set the annotation ${names.annotations.allowStrandedObjects} to "true"`;
  return removed.flatMap(({ version, field, isListed }) => {
    const count = versions.get(`${group}/${version}`) ?? 0;
    const reasons = [
      ...(count === 0 ? [] : [`${objects(count)} stored in it`]),
      ...(unreadable === 0 ? [] : [`${objects(unreadable)} unreadable and may be stored in it`]),
    ];
    if (isListed) {
      const why = reasons.length === 0 ? 'no object is stored in it' : reasons.join(', and ');
      const first = reasons.length === 0 ? 'remove it from status.storedVersions first' : migration;
      return [fieldError.invalid(field, version, `must appear in spec.versions, ${why}: ${first}`)];
    }
    if (reasons.length === 0) return [];
    return [fieldError.invalid(field, version, `must not be removed, ${reasons.join(', and ')}: ${way}`)];
  });
}

const objects = (count: number): string => (count === 1 ? '1 object is' : `${count} objects are`);
