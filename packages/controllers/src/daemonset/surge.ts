import type { kinds, Stored } from '@orch/client';
import { scaledValue } from '../deployment/replica-counts.ts';
import { hasEnded, isReady } from '../pods/pod-state.ts';
import { type DaemonSetState, isServing, isUpdated, type Place } from './places.ts';

type Pod = Stored<kinds.core.Pod>;

/** The number of nodes on which a new pod may start beside the old one; 0 when old pods are deleted first. */
export function surgeOf({ spec }: Pick<kinds.apps.DaemonSet, 'spec'>, nodes: number): number {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return type === 'OnDelete' ? 0 : scaledValue(rollingUpdate?.maxSurge, nodes, Math.ceil);
}

interface Generations {
  readonly updated: readonly Pod[];
  readonly old: readonly Pod[];
}

const generationsOf = (pods: readonly Pod[], revision: string): Generations => ({
  updated: pods.filter((pod) => isUpdated(pod, revision)),
  old: pods.filter((pod) => !isUpdated(pod, revision)),
});

/**
 * The running pods of a node that are too many, oldest first: an old pod stays beside the updated one until that is available, or until it
 * is not ready itself.
 */
export function superfluous(state: DaemonSetState, running: readonly Pod[]): readonly Pod[] {
  const { updated, old } = generationsOf(running, state.revision);
  const [newest] = updated;
  const [oldest] = old;
  const more = [...updated.slice(1), ...old.slice(1)];
  if (newest === undefined || oldest === undefined) return more;
  return isReady(oldest) && !isServing(newest, state) ? more : [oldest, ...more];
}

/**
 * The nodes where an updated pod starts beside the old one: all where the old one is not available, and others while few enough nodes
 * have two.
 */
export function surged(state: DaemonSetState, places: ReadonlyMap<string, Place>): readonly string[] {
  const wanted = [...places].filter(([, { shouldRun }]) => shouldRun);
  const broken: string[] = [];
  const serving: string[] = [];
  let surging = 0;
  for (const [node, { pods }] of wanted) {
    const present = pods.filter((pod) => !state.isEnding(pod) && !hasEnded(pod));
    const { updated, old } = generationsOf(present, state.revision);
    const [oldest] = old;
    if (oldest === undefined) continue;
    if (updated.length > 0) surging++;
    else (isServing(oldest, state) ? serving : broken).push(node);
  }
  const most = surgeOf(state.set, wanted.length);
  return [...broken, ...serving.slice(0, Math.max(0, most - surging))];
}
