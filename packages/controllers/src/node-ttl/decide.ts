/** For a range of cluster sizes, the time for which a node may cache secrets and config maps. */
interface Step {
  readonly minNodes: number;
  readonly maxNodes: number;
  readonly ttlSeconds: number;
}

/** Neighbouring ranges overlap, so that a cluster whose size varies a little does not alternate between two steps. */
const steps: readonly Step[] = [
  { minNodes: 0, maxNodes: 100, ttlSeconds: 0 },
  { minNodes: 90, maxNodes: 500, ttlSeconds: 15 },
  { minNodes: 450, maxNodes: 1000, ttlSeconds: 30 },
  { minNodes: 900, maxNodes: 2000, ttlSeconds: 60 },
  { minNodes: 1800, maxNodes: 10_000, ttlSeconds: 300 },
  { minNodes: 9000, maxNodes: Number.POSITIVE_INFINITY, ttlSeconds: 600 },
];

/** The step for this number of nodes, starting from the current one (0 initially). */
export function nextStep(current: number, nodes: number): number {
  let step = current;
  while (nodes > (steps[step]?.maxNodes ?? Number.POSITIVE_INFINITY)) step++;
  while (nodes < (steps[step]?.minNodes ?? 0)) step--;
  return step;
}

/** The value of the annotation at a step. */
export const ttlAt = (step: number): string => String(steps[step]?.ttlSeconds ?? 0);
