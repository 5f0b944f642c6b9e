import { union } from '../fields/set-algebra.ts';
import { byAge, managerKey, Owner } from './owner.ts';

/** Update entries that an object has at most, before old ones are merged. */
const MAX_UPDATE_ENTRIES = 10;

/** The manager to which the fields of merged entries belong. */
export const OLD_UPDATES_MANAGER = 'ancient-changes';

const bucketOf = (apiVersion: string) =>
  ({ manager: OLD_UPDATES_MANAGER, operation: 'Update', apiVersion, subresource: '' }) as const;

/**
 * Keeps the list of updaters short: beyond the limit the oldest entries of a version are merged into one, with the time
 * of the youngest. Appliers are never merged: their later removals depend on their own entry.
 */
export function capUpdates(owners: readonly Owner[], max: number = MAX_UPDATE_ENTRIES): readonly Owner[] {
  const updaters = owners.filter(({ id }) => id.operation === 'Update').sort(byAge);
  if (updaters.length <= max) return owners;
  const left = new Map(owners.map((owner) => [owner.key, owner]));
  /** The oldest entry of each version that would be merged alone: it does not gain from a new name. */
  const alone = new Map<string, Owner>();
  let count = updaters.length;
  for (const updater of updaters) {
    if (count <= max) break;
    const id = bucketOf(updater.id.apiVersion);
    const bucket = left.get(managerKey(id)) ?? alone.get(id.apiVersion);
    if (bucket === undefined) alone.set(id.apiVersion, updater);
    if (bucket === undefined || bucket.key === updater.key) continue;
    left.delete(bucket.key);
    left.delete(updater.key);
    left.set(managerKey(id), Owner.of(id, younger(bucket, updater).time, union(bucket.set, updater.set)));
    count--;
  }
  return [...left.values()];
}

const younger = (a: Owner, b: Owner): Owner => (byAge(a, b) > 0 ? a : b);
