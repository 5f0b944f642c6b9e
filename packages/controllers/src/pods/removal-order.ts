import type { kinds } from '@orch/client';
import { timeMs } from '@orch/machinery/time';
import { isReady, podCondition, restartsOf } from './pod-state.ts';

type Pod = kinds.core.Pod;

const phases = ['Pending', 'Unknown', 'Running'];
const int32 = /^(0|-?[1-9]\d{0,9})$/;

/** The value of the annotation with the cost of the deletion of a pod; 0 when absent or invalid. */
export function deletionCost({ metadata }: Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation] ?? '';
  const cost = int32.test(text) ? Number(text) : 0;
  return Math.abs(cost) <= 2_147_483_647 ? cost : 0;
}

/**
 * The pods in the order in which a set that shrinks deletes them: those without a node first, then those that have not started, are
 * not ready, cost less, share their node with more pods of the set, became ready later, were restarted more often, or are newer.
 */
export function inRemovalOrder<T extends Pod>(pods: readonly T[], costAnnotation: string): readonly T[] {
  const onNode = new Map<string, number>();
  for (const { spec } of pods) onNode.set(nodeOf(spec), (onNode.get(nodeOf(spec)) ?? 0) + 1);
  const ranked = pods.map((pod) => ({ pod, ranks: ranksOf(pod, costAnnotation, onNode) }));
  return ranked.sort((a, b) => compareRanks(a.ranks, b.ranks)).map(({ pod }) => pod);
}

const nodeOf = (spec: Pod['spec']): string => spec?.nodeName ?? '';

/** Lower ranks are deleted first; the first that differs decides. */
function ranksOf(pod: Pod, costAnnotation: string, onNode: ReadonlyMap<string, number>): readonly number[] {
  const node = nodeOf(pod.spec);
  return [
    node === '' ? 0 : 1,
    phases.indexOf(pod.status?.phase ?? 'Pending'),
    isReady(pod) ? 1 : 0,
    deletionCost(pod, costAnnotation),
    -(onNode.get(node) ?? 0),
    isReady(pod) ? -(timeMs(podCondition(pod, 'Ready')?.lastTransitionTime ?? '') ?? 0) : 0,
    -restartsOf(pod),
    -(timeMs(pod.metadata.creationTimestamp ?? '') ?? 0),
  ];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, i) => rank !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
