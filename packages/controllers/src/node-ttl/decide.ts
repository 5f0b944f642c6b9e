/** For so many nodes, how long a node may believe what it has read of secrets and config maps. */
interface Step {
  readonly least: number;
  readonly most: number;
  readonly ttlSeconds: number;
}

/** Neighbours overlap, so that a cluster whose size varies a little does not go back and forth between two of them. */
const steps: readonly Step[] = [
  { least: 0, most: 100, ttlSeconds: 0 },
  { least: 90, most: 500, ttlSeconds: 15 },
  { least: 450, most: 1000, ttlSeconds: 30 },
  { least: 900, most: 2000, ttlSeconds: 60 },
  { least: 1800, most: 10_000, ttlSeconds: 300 },
  { least: 9000, most: Number.POSITIVE_INFINITY, ttlSeconds: 600 },
];

/** The step for this many nodes, coming from another one (0 at the beginning). */
export function nextStep(from: number, nodes: number): number {
  let step = from;
  while (nodes > (steps[step]?.most ?? Number.POSITIVE_INFINITY)) step++;
  while (nodes < (steps[step]?.least ?? 0)) step--;
  return step;
}

/** What the annotation of a node says at a step. */
export const ttlAt = (step: number): string => String(steps[step]?.ttlSeconds ?? 0);
