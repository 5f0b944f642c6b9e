import { type ApiObject, hasDeletionTimestamp, type Names, type ObjectMeta } from '@orch/machinery';
import { formatTime, timeMs } from '@orch/machinery/time';
import type { DeleteOptions } from '../../request/delete-options.ts';
import type { StoredResource } from '../../resource/served-resource.ts';

/** Some 68 years: clients may request more than a timestamp can represent. */
const MAX_GRACE_SECONDS = 2 ** 31 - 1;

/** Sets or shortens the grace period of kinds that have one, which may be 0. True when that changed anything. */
export function applyGracePeriod(
  resource: StoredResource,
  object: ApiObject,
  options: DeleteOptions,
  nowMs: number,
): boolean {
  const { metadata } = object;
  const requested = options.gracePeriodSeconds;
  const gracePeriod = resource.type.strategy.gracePeriodSeconds;
  if (hasDeletionTimestamp(metadata))
    return shorten(metadata, gracePeriod === undefined ? undefined : requested);
  if (gracePeriod === undefined) return false;
  const seconds = Math.min(MAX_GRACE_SECONDS, Math.max(0, gracePeriod(object, requested)));
  metadata.deletionTimestamp = formatTime(nowMs + seconds * 1000);
  metadata.deletionGracePeriodSeconds = seconds;
  return true;
}

/** Shortens the remaining grace period; the timestamp moves by the difference. */
function shorten(metadata: ObjectMeta, requested: number | undefined): boolean {
  const remaining = metadata.deletionGracePeriodSeconds;
  if (remaining === undefined || requested === undefined || requested >= remaining) return false;
  const seconds = Math.max(0, requested);
  const endMs = timeMs(metadata.deletionTimestamp ?? '') ?? 0;
  metadata.deletionTimestamp = formatTime(endMs - (remaining - seconds) * 1000);
  metadata.deletionGracePeriodSeconds = seconds;
  return true;
}

/** The finalizers that the propagation policy requires (facts: REST strategies, precedence). */
export function deletionFinalizers(
  resource: StoredResource,
  metadata: ObjectMeta,
  options: DeleteOptions,
  names: Names,
): readonly string[] {
  const { orphan, foregroundDeletion } = names.finalizers;
  const { strategy } = resource.type;
  const present = withFinalizersOnDelete(metadata, strategy.finalizersOnDelete?.(names) ?? []);
  if (strategy.expires === true) return present;
  const kept = present.filter((name) => name !== orphan && name !== foregroundDeletion);
  const policy = policyOf(resource, options, present, names);
  if (policy === 'Orphan') return [...kept, orphan];
  return policy === 'Foreground' ? [...kept, foregroundDeletion] : kept;
}

function withFinalizersOnDelete(metadata: ObjectMeta, added: readonly string[]): readonly string[] {
  const present = metadata.finalizers ?? [];
  if (hasDeletionTimestamp(metadata)) return present;
  return [...present, ...added.filter((name) => !present.includes(name))];
}

function policyOf(
  resource: StoredResource,
  options: DeleteOptions,
  present: readonly string[],
  names: Names,
): DeleteOptions['propagation'] {
  if (options.propagation !== undefined) return options.propagation;
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (present.includes(names.finalizers.orphan)) return 'Orphan';
  if (present.includes(names.finalizers.foregroundDeletion)) return 'Foreground';
  return resource.type.strategy.orphanByDefault === true ? 'Orphan' : 'Background';
}

export const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);
