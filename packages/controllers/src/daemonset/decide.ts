import { isBeingDeleted, type kinds, type Stored } from '@orch/client';
import { scaledValue } from '../deployment/replica-counts.ts';
import { hasEnded, isReady, nextAvailableMs } from '../pods/pod-state.ts';
import { type DaemonSetState, isServing, isUpdated, type Place, placesOf } from './places.ts';
import { superfluous, surged, surgeOf } from './surge.ts';

type Pod = Stored<kinds.core.Pod>;
type Status = kinds.apps.DaemonSetStatus;

/** Pods that one reconciliation creates or deletes at most. */
const BURST = 250;

export interface DaemonSetDecision {
  /** Nodes that need a pod. */
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
}

/** The next step: a pod on each node that needs one, and none elsewhere; then old pods are replaced within the limit. */
export function decideDaemonSet(state: DaemonSetState): DaemonSetDecision {
  if (isBeingDeleted(state.set)) return { create: [], remove: [] };
  const places = placesOf(state);
  const surges = surgeOf(state.set, 1) > 0;
  const create: string[] = [];
  const remove: Pod[] = [];
  for (const [node, { shouldRun, mayStay, pods }] of places) {
    const present = pods.filter((pod) => !state.isEnding(pod));
    const running = present.filter((pod) => !hasEnded(pod));
    const extra = surges ? superfluous(state, running) : running.slice(1);
    // The oldest pod stays. One that has ended makes room for the next.
    remove.push(...(mayStay ? [...present.filter(hasEnded), ...extra] : present));
    if (shouldRun && pods.length === 0) create.push(node);
  }
  if (create.length + remove.length > 0)
    return { create: create.slice(0, BURST), remove: remove.slice(0, BURST) };
  if (surges) return { create: surged(state, places).slice(0, BURST), remove };
  return { create, remove: outdated(state, places) };
}

/** Old pods to replace: those that are not available first, others while few enough nodes are without an available pod. */
function outdated(state: DaemonSetState, places: ReadonlyMap<string, Place>): readonly Pod[] {
  const { set, revision } = state;
  if (set.spec?.updateStrategy?.type === 'OnDelete') return [];
  const wanted = [...places.values()].filter(({ shouldRun }) => shouldRun);
  const limit = set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1;
  const most = Math.max(1, scaledValue(limit, wanted.length, Math.ceil));
  const unavailable = wanted.filter(({ pods }) => !pods.some((pod) => isServing(pod, state))).length;
  const old = wanted
    .flatMap(({ pods }) => pods)
    .filter((pod) => !isUpdated(pod, revision) && !state.isEnding(pod));
  const broken = old.filter((pod) => !isServing(pod, state));
  const serving = old.filter((pod) => isServing(pod, state));
  return [...broken, ...serving.slice(0, Math.max(0, most - unavailable))];
}

/** The status by the nodes and pods, and the time until it changes without an event. */
export function statusOf(
  state: DaemonSetState,
  collisionCount: number,
): { readonly status: Status; readonly recheckMs: number | undefined } {
  const { set, revision, nowMs } = state;
  const all = [...placesOf(state).values()];
  const wanted = all.filter(({ shouldRun }) => shouldRun);
  // The oldest pod of a node is the one that counts.
  const firsts = wanted.flatMap(({ pods }) => pods.filter((pod) => !hasEnded(pod)).slice(0, 1));
  const available = firsts.filter((pod) => isServing(pod, state)).length;
  const status = {
    observedGeneration: set.metadata.generation ?? 0,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: firsts.length,
    numberMisscheduled: all.filter(({ shouldRun, pods }) => !shouldRun && pods.length > 0).length,
    numberReady: firsts.filter(isReady).length,
    updatedNumberScheduled: firsts.filter((pod) => isUpdated(pod, revision)).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
    ...(collisionCount > 0 && { collisionCount }),
  };
  return { status, recheckMs: nextAvailableMs(firsts, set.spec?.minReadySeconds ?? 0, nowMs) };
}
