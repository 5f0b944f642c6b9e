import type { kinds } from '@orch/client';

type Deployment = kinds.apps.Deployment;
type ReplicaSet = kinds.apps.ReplicaSet;

export const replicasOf = ({ spec }: Deployment | ReplicaSet): number => spec?.replicas ?? 1;

export const totalOf = (sets: readonly ReplicaSet[]): number =>
  sets.reduce((sum, set) => sum + replicasOf(set), 0);

const percentage = /^(\d+)%$/;

/** A number, or a percentage of `of` that `round` makes a whole number. */
export function scaledValue(
  value: number | string | undefined,
  of: number,
  round: (exact: number) => number,
): number {
  if (typeof value !== 'string') return value ?? 0;
  const percent = percentage.exec(value)?.[1];
  return percent === undefined ? 0 : round((Number(percent) * of) / 100);
}

/** How far the number of pods may exceed the desired one, and how many of them may be unavailable, during a rollout. */
export interface Limits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** The limits of a Deployment. When both round to nothing, one pod may be unavailable: otherwise no rollout could proceed. */
export function limitsOf(deployment: Deployment): Limits {
  const { type, rollingUpdate } = deployment.spec?.strategy ?? {};
  const replicas = replicasOf(deployment);
  if (type === 'Recreate') return { maxSurge: 0, maxUnavailable: 0 };
  const maxSurge = scaledValue(rollingUpdate?.maxSurge ?? '25%', replicas, Math.ceil);
  const rounded = scaledValue(rollingUpdate?.maxUnavailable ?? '25%', replicas, Math.floor);
  const maxUnavailable = Math.min(maxSurge === 0 && rounded === 0 ? 1 : rounded, replicas);
  return { maxSurge, maxUnavailable };
}
