import {
  type ApiObject,
  asList,
  asObject,
  asText,
  hasDeletionTimestamp,
  isJsonObject,
} from '@orch/machinery';

/** What is known when pods are gone through. */
export interface PodState {
  readonly pods: Iterable<ApiObject>;
  /** What is known of the nodes that there are, by their names; undefined when nobody looked. */
  readonly nodes: ReadonlyMap<string, NodeState> | undefined;
  /** Since when a node is missing, by its name (monotonic time). */
  readonly missingSince: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

export type NodeState = 'inService' | 'outOfService';

/** A node that is not ready and of which somebody has said that it will not be: nothing on it ends any more. */
export function nodeState(node: ApiObject, outOfServiceTaint: string): NodeState {
  const taints = asList(asObject(node['spec'])['taints']);
  const conditions = asList(asObject(node['status'])['conditions']);
  const isReady = conditions.some(
    (condition) => isJsonObject(condition) && condition['type'] === 'Ready' && condition['status'] === 'True',
  );
  const isOut = taints.some((taint) => isJsonObject(taint) && taint['key'] === outOfServiceTaint);
  return isOut && !isReady ? 'outOfService' : 'inService';
}

export interface PodRules {
  /** Terminated pods that may stay; 0 for all. */
  readonly terminatedThreshold: number;
  /** How long a node must be missing before its pods are orphans. */
  readonly quarantineMs: number;
}

export interface PodDecision {
  /** To be deleted at once. */
  readonly remove: readonly Removal[];
  /** Nodes that were missing long enough, with their pods: to be deleted when the node is really not there. */
  readonly orphans: ReadonlyMap<string, readonly ApiObject[]>;
  readonly missingSince: ReadonlyMap<string, number>;
}

export interface Removal {
  readonly pod: ApiObject;
  readonly why: 'terminated' | 'orphaned' | 'unscheduled' | 'outOfService';
}

export const nodeOf = (pod: ApiObject): string => asText(asObject(pod['spec'])['nodeName']);

const isTerminated = (pod: ApiObject): boolean =>
  ['Succeeded', 'Failed'].includes(asText(asObject(pod['status'])['phase']));

/** Everything that can be asked for was: what is left of it waits for its finalizers. */
const isGoing = (pod: ApiObject): boolean =>
  hasDeletionTimestamp(pod.metadata) && pod.metadata.deletionGracePeriodSeconds === 0;

const ageKey = ({ metadata }: ApiObject): string =>
  `${metadata.creationTimestamp ?? ''} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

/** The terminated pods beyond the threshold, the oldest. */
function superfluous(pods: readonly ApiObject[], threshold: number): readonly ApiObject[] {
  if (threshold <= 0) return [];
  const terminated = pods.filter(isTerminated);
  if (terminated.length <= threshold) return [];
  return terminated
    .map((pod) => ({ pod, age: ageKey(pod) }))
    .sort((a, b) => (a.age < b.age ? -1 : 1))
    .slice(0, terminated.length - threshold)
    .map(({ pod }) => pod);
}

function byMissingNode(pods: readonly ApiObject[], nodes: PodState['nodes']): Map<string, ApiObject[]> {
  const missing = new Map<string, ApiObject[]>();
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

/**
 * Which pods nobody needs: terminated ones beyond a number, those of nodes that are gone for a while, and those that are
 * being deleted where no node ends them: it never had one, or one that is out of service. A pod is named once.
 */
export function decidePods(state: PodState, rules: PodRules): PodDecision {
  const pods = [...state.pods];
  const remove: Removal[] = superfluous(pods, rules.terminatedThreshold)
    .filter((pod) => !isGoing(pod))
    .map((pod) => ({ pod, why: 'terminated' }));
  const chosen = new Set(remove.map(({ pod }) => pod));
  for (const pod of pods) {
    if (!hasDeletionTimestamp(pod.metadata) || isGoing(pod) || chosen.has(pod)) continue;
    const node = nodeOf(pod);
    if (node === '') remove.push({ pod, why: 'unscheduled' });
    else if (state.nodes?.get(node) === 'outOfService') remove.push({ pod, why: 'outOfService' });
  }
  const missingSince = new Map<string, number>();
  const orphans = new Map<string, readonly ApiObject[]>();
  for (const [node, all] of byMissingNode(pods, state.nodes)) {
    const since = state.missingSince.get(node) ?? state.nowMs;
    missingSince.set(node, since);
    if (state.nowMs - since < rules.quarantineMs) continue;
    const left = all.filter((pod) => !isGoing(pod) && !chosen.has(pod));
    if (left.length > 0) orphans.set(node, left);
  }
  return { remove, orphans, missingSince };
}
