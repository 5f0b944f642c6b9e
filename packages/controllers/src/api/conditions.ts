import { jsonEquals } from '@orch/machinery/json';

/** The common part of the conditions of workloads. */
export interface WorkloadCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

/**
 * The conditions with one that is set. The time of its transition changes with its status alone; a condition that is the same in
 * status and reason stays as it is.
 */
export function withCondition<T extends WorkloadCondition>(
  conditions: readonly T[] | undefined,
  next: T,
): T[] {
  const all = [...(conditions ?? [])];
  const old = all.find(({ type }) => type === next.type);
  if (old !== undefined && old.status === next.status && old.reason === next.reason) return all;
  const isTransition = old === undefined || old.status !== next.status;
  const set = isTransition ? next : { ...next, lastTransitionTime: old.lastTransitionTime ?? null };
  return [...all.filter(({ type }) => type !== next.type), set];
}

export const withoutCondition = <T extends WorkloadCondition>(
  conditions: readonly T[] | undefined,
  type: string,
): T[] => (conditions ?? []).filter((condition) => condition.type !== type);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === 0 || (Array.isArray(value) && value.length === 0);

/** Reports whether two statuses say the same: a server omits numbers that are zero and empty lists. */
export function saysTheSame(a: object | undefined, b: object): boolean {
  const stated = (status: object): object =>
    Object.fromEntries(Object.entries(status).filter(([, value]) => !isEmpty(value)));
  return jsonEquals(stated(a ?? {}), stated(b));
}
