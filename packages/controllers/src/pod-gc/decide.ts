import { isBeingDeleted, type kinds } from '@orch/client';
import { isGracePeriodOver } from '../api/deletion.ts';

type Pod = kinds.core.Pod;

/** The observed state of pods and nodes. */
export interface PodState {
  readonly pods: Iterable<Pod>;
  /** The existing nodes by name; undefined when they were not listed. */
  readonly nodes: ReadonlyMap<string, NodeState> | undefined;
  /** By the name of a missing node, when it was first missing (monotonic time). */
  readonly missingSince: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

export type NodeState = 'inService' | 'outOfService';

/** A node is out of service when it is not ready and has the taint: then no agent terminates its pods. */
export function nodeState({ spec, status }: kinds.core.Node, outOfServiceTaint: string): NodeState {
  const isReady = (status?.conditions ?? []).some(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  );
  const isTainted = (spec?.taints ?? []).some(({ key }) => key === outOfServiceTaint);
  return isTainted && !isReady ? 'outOfService' : 'inService';
}

export interface PodRules {
  /** Terminated pods that are kept; 0: all. */
  readonly terminatedThreshold: number;
  /** Time that a node must be missing before its pods are orphaned. */
  readonly quarantineMs: number;
}

export interface PodDecision {
  /** Pods to delete now. */
  readonly remove: readonly Removal[];
  /** Nodes whose quarantine is over, with their pods, to be deleted when the server confirms that the node is gone. */
  readonly orphans: ReadonlyMap<string, readonly Pod[]>;
  readonly missingSince: ReadonlyMap<string, number>;
}

export interface Removal {
  readonly pod: Pod;
  readonly reason: 'terminated' | 'orphaned' | 'unscheduled' | 'outOfService';
}

export const nodeOf = ({ spec }: Pod): string => spec?.nodeName ?? '';

const isTerminated = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

const ageKey = ({ metadata }: Pod): string =>
  `${metadata.creationTimestamp ?? ''} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

/** The oldest of the terminated pods, those beyond the threshold. */
function beyondThreshold(pods: readonly Pod[], threshold: number): readonly Pod[] {
  if (threshold <= 0) return [];
  const terminated = pods.filter(isTerminated);
  if (terminated.length <= threshold) return [];
  return terminated
    .map((pod) => ({ pod, age: ageKey(pod) }))
    .sort((a, b) => (a.age < b.age ? -1 : 1))
    .slice(0, terminated.length - threshold)
    .map(({ pod }) => pod);
}

function byMissingNode(pods: readonly Pod[], nodes: PodState['nodes']): Map<string, Pod[]> {
  const missing = new Map<string, Pod[]>();
  if (nodes === undefined) return missing;
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node === '' || nodes.has(node)) continue;
    const others = missing.get(node);
    if (others === undefined) missing.set(node, [pod]);
    else others.push(pod);
  }
  return missing;
}

/** Pods that are being deleted where no agent terminates them: without a node, or on a node that is out of service. */
function stuckPods(pods: readonly Pod[], nodes: PodState['nodes']): readonly Removal[] {
  return pods.flatMap((pod): readonly Removal[] => {
    if (!isBeingDeleted(pod) || isGracePeriodOver(pod)) return [];
    const node = nodeOf(pod);
    if (node === '') return [{ pod, reason: 'unscheduled' }];
    return nodes?.get(node) === 'outOfService' ? [{ pod, reason: 'outOfService' }] : [];
  });
}

/** The pods to delete: terminated ones beyond the threshold, stuck ones and orphans, each with one reason. */
export function decidePods(state: PodState, rules: PodRules): PodDecision {
  const pods = [...state.pods];
  const terminated: readonly Removal[] = beyondThreshold(pods, rules.terminatedThreshold)
    .filter((pod) => !isGracePeriodOver(pod))
    .map((pod) => ({ pod, reason: 'terminated' }));
  const chosen = new Set(terminated.map(({ pod }) => pod));
  const stuck = stuckPods(pods, state.nodes).filter(({ pod }) => !chosen.has(pod));
  const missingSince = new Map<string, number>();
  const orphans = new Map<string, readonly Pod[]>();
  for (const [node, all] of byMissingNode(pods, state.nodes)) {
    const since = state.missingSince.get(node) ?? state.nowMs;
    missingSince.set(node, since);
    if (state.nowMs - since < rules.quarantineMs) continue;
    const orphaned = all.filter((pod) => !isGracePeriodOver(pod) && !chosen.has(pod));
    if (orphaned.length > 0) orphans.set(node, orphaned);
  }
  return { remove: [...terminated, ...stuck], orphans, missingSince };
}
