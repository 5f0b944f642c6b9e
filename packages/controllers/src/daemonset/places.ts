import type { kinds, Stored } from '@orch/client';
import type { Names } from '@orch/machinery';
import { selectsNode, untolerated } from '../pods/placement.ts';
import { hasEnded, isAvailable } from '../pods/pod-state.ts';
import { REVISION_LABEL } from '../revisions/decide.ts';
import { daemonSpec, nodeOf } from './pod.ts';

type DaemonSet = Stored<kinds.apps.DaemonSet>;
type Pod = Stored<kinds.core.Pod>;
type Node = kinds.core.Node;

export interface DaemonSetState {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  /** The pods that it controls. */
  readonly pods: readonly Pod[];
  /** The label of pods of the current template. */
  readonly revision: string;
  readonly names: Names;
  readonly nowMs: number;
  isEnding(pod: Pod): boolean;
}

/** What a set does on one node. */
export interface Place {
  readonly shouldRun: boolean;
  /** Whether pods that run there stay. */
  readonly mayStay: boolean;
  readonly pods: readonly Pod[];
}

/** The places of a set by the names of their nodes; pods of one are in the order of their age, the oldest first. */
export function placesOf({ set, nodes, pods, names }: DaemonSetState): ReadonlyMap<string, Place> {
  const spec = daemonSpec(set, names);
  const places = new Map<string, { shouldRun: boolean; mayStay: boolean; pods: Pod[] }>();
  for (const node of nodes) {
    const isSelected = selectsNode(spec, node);
    const shouldRun = isSelected && untolerated(spec, node).length === 0;
    const mayStay = isSelected && untolerated(spec, node, ['NoExecute']).length === 0;
    places.set(node.metadata.name ?? '', { shouldRun, mayStay, pods: [] });
  }
  const oldestFirst = [...pods].sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
  for (const pod of oldestFirst) {
    const at = nodeOf(pod);
    const place = places.get(at) ?? { shouldRun: false, mayStay: false, pods: [] };
    place.pods.push(pod);
    places.set(at, place);
  }
  return places;
}

const ageOf = ({ metadata }: Pod): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
export const isUpdated = ({ metadata }: Pod, revision: string): boolean =>
  metadata.labels?.[REVISION_LABEL] === revision;

export const isServing = (pod: Pod, { set, nowMs, isEnding }: DaemonSetState): boolean =>
  !isEnding(pod) && !hasEnded(pod) && isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs);
