import {
  type Controller,
  type ControllerContext,
  controller,
  type EventRecorder,
  informerSource,
  type kinds,
  objectKey,
  type Reconciled,
  type Stored,
  typed,
} from '@orch/client';
import type { Random } from '@orch/machinery';
import { labelSelectorFromObject } from '@orch/machinery/selectors';
import { writeStatus } from '../api/write-status.ts';
import { ignoreTerminatingNamespace } from '../api/writes.ts';
import { createInBatches } from '../pods/create-in-batches.ts';
import { BEHIND_MS, OwnedObjects } from '../pods/owned-objects.ts';
import { ownerSources } from '../pods/owner-sources.ts';
import { createdPod, deletedPod } from '../pods/pod-events.ts';
import { randomName } from '../pods/template.ts';
import { REVISION_LABEL } from '../revisions/decide.ts';
import { Revisions } from '../revisions/revisions.ts';
import { decideDaemonSet, statusOf } from './decide.ts';
import type { DaemonSetState } from './places.ts';
import { daemonPod } from './pod.ts';

type Pod = Stored<kinds.core.Pod>;
type OwnedPods = OwnedObjects<kinds.core.Pod, kinds.apps.DaemonSet>;

const CONCURRENCY = 2;

/** Keeps a pod on each node that a DaemonSet selects. */
export function daemonSetController({ client, informers, env, events }: ControllerContext): Controller {
  const { daemonsets, controllerrevisions } = typed(client).apps.v1;
  const { pods, nodes } = typed(client).core.v1;
  const informer = informers.informer(daemonsets.resource);
  const podInformer = informers.informer(pods.resource);
  const nodeInformer = informers.informer(nodes.resource);
  const revisionInformer = informers.informer(controllerrevisions.resource);
  const revisions = new Revisions(revisionInformer, controllerrevisions, {
    owners: daemonsets,
    hashLabel: REVISION_LABEL,
  });
  const owned: OwnedPods = new OwnedObjects({ informer: podInformer, api: pods, owners: daemonsets });
  return controller({
    name: 'daemonset',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(informer),
      ...ownerSources(podInformer, informer),
      ...ownerSources(revisionInformer, informer),
      informerSource(nodeInformer, {
        filter: (change) => change.type !== 'updated' || isOtherPlace(change.old, change.object),
        keys: () => [...informer.store.values()].map(objectKey),
      }),
    ],
    async reconcile(key, signal): Promise<Reconciled | undefined> {
      const set = informer.store.get(key);
      if (set === undefined) return;
      const { uid } = set.metadata;
      if (owned.isBehind(uid) || revisions.isBehind(uid)) return { requeueAfterMs: BEHIND_MS };
      const claimed = await owned.claim(set, labelSelectorFromObject(set.spec?.selector), signal);
      const history = await revisions.find(set, signal);
      const collisions = set.status?.collisionCount ?? 0;
      const state: DaemonSetState = {
        set,
        nodes: [...nodeInformer.store.values()],
        pods: claimed,
        revision: history === 'taken' ? '' : (history.current.metadata.labels?.[REVISION_LABEL] ?? ''),
        names: client.names,
        nowMs: env.clock.now(),
        isEnding: (pod: Pod) => owned.isEnding(pod),
      };
      if (history === 'taken')
        return void (await writeStatus(
          daemonsets,
          { read: set, status: statusOf(state, collisions + 1).status },
          signal,
        ));
      await carryOut(state, { owned, random: env.random, events }, signal);
      const { status, recheckMs } = statusOf(state, collisions);
      await writeStatus(daemonsets, { read: set, status }, signal);
      const used = new Set(
        claimed.map(({ metadata }) => `${set.metadata.name}-${metadata.labels?.[REVISION_LABEL] ?? ''}`),
      );
      used.add(history.current.metadata.name);
      await revisions.prune(set, history, { isUsed: (name) => used.has(name), signal });
      return recheckMs === undefined ? undefined : { requeueAfterMs: recheckMs };
    },
  });
}

/** Reports whether pods may run on a node that could not before, or the other way round. Nodes change their status all the time. */
function isOtherPlace(old: kinds.core.Node, now: kinds.core.Node): boolean {
  const place = ({ metadata, spec }: kinds.core.Node): string =>
    JSON.stringify([metadata.labels, spec?.taints]);
  return place(old) !== place(now);
}

interface Writing {
  readonly owned: OwnedPods;
  readonly random: Random;
  readonly events: EventRecorder;
}

async function carryOut(
  state: DaemonSetState,
  { owned, random, events }: Writing,
  signal: AbortSignal,
): Promise<void> {
  const { set, revision, names } = state;
  const { create, remove } = decideDaemonSet(state);
  await ignoreTerminatingNamespace(() =>
    createInBatches(create, async (node) => {
      const name = randomName(set.metadata.name, random);
      await owned.create(set, daemonPod(set, { name, node, revision }, names), signal);
      events.record(set, createdPod(name));
    }),
  );
  await Promise.all(
    remove.map(async (pod) => {
      await owned.remove(pod, signal);
      events.record(set, deletedPod(pod.metadata.name));
    }),
  );
}
