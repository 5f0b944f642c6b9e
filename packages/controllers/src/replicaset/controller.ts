import {
  type Controller,
  type ControllerContext,
  controller,
  type EventRecorder,
  informerSource,
  type kinds,
  type Reconciled,
  type Stored,
  typed,
} from '@orch/client';
import { messageOf, type Random } from '@orch/machinery';
import { labelSelectorFromObject } from '@orch/machinery/selectors';
import { writeStatus } from '../api/write-status.ts';
import { isTerminatingNamespace } from '../api/writes.ts';
import { createInBatches } from '../pods/create-in-batches.ts';
import { BEHIND_MS, OwnedObjects } from '../pods/owned-objects.ts';
import { ownerSources } from '../pods/owner-sources.ts';
import { createdPod, deletedPod } from '../pods/pod-events.ts';
import { podOf, randomName } from '../pods/template.ts';
import { decideReplicas, type PodFailure, type ReplicaSetState, statusOf } from './decide.ts';

type ReplicaSet = kinds.apps.ReplicaSet;
type Pod = kinds.core.Pod;
type OwnedPods = OwnedObjects<Pod, ReplicaSet>;

const CONCURRENCY = 5;

/** Keeps as many pods as a ReplicaSet demands. */
export function replicaSetController(
  { client, informers, env, events }: ControllerContext,
  { showsTerminating }: { readonly showsTerminating: boolean },
): Controller {
  const { pods } = typed(client).core.v1;
  const { replicasets } = typed(client).apps.v1;
  const informer = informers.informer(replicasets.resource);
  const podInformer = informers.informer(pods.resource);
  const owned: OwnedPods = new OwnedObjects({ informer: podInformer, api: pods, owners: replicasets });
  const costAnnotation = client.names.annotations.podDeletionCost;
  return controller({
    name: 'replicaset',
    concurrency: CONCURRENCY,
    sources: [informerSource(informer), ...ownerSources(podInformer, informer)],
    async reconcile(key, signal): Promise<Reconciled | undefined> {
      const set = informer.store.get(key);
      if (set === undefined) return;
      if (owned.isBehind(set.metadata.uid)) return { requeueAfterMs: BEHIND_MS };
      const claimed = await owned.claim(set, labelSelectorFromObject(set.spec?.selector), signal);
      const state = {
        set,
        pods: claimed,
        isEnding: (pod: Stored<Pod>) => owned.isEnding(pod),
        costAnnotation,
        showsTerminating,
      };
      const failure = await changePods(state, { owned, random: env.random, events }, signal);
      const { status, recheckMs } = statusOf(state, env.clock.now(), failure?.note);
      await writeStatus(replicasets, { read: set, status }, signal);
      if (failure !== undefined) throw failure.error;
      return recheckMs === undefined ? undefined : { requeueAfterMs: recheckMs };
    },
  });
}

interface Writing {
  readonly owned: OwnedPods;
  readonly random: Random;
  readonly events: EventRecorder;
}

/** Creates or deletes pods. Resolves with the failure that the status shows. */
async function changePods(
  state: ReplicaSetState,
  { owned, random, events }: Writing,
  signal: AbortSignal,
): Promise<{ readonly note: PodFailure; readonly error: unknown } | undefined> {
  const { set } = state;
  const decision = decideReplicas(state);
  try {
    const names = Array.from({ length: decision.create }, () => randomName(set.metadata.name, random));
    await createInBatches(names, async (name) => {
      await owned.create(
        set,
        podOf(set.spec?.template ?? {}, set, { name, generateName: `${set.metadata.name}-` }),
        signal,
      );
      events.record(set, createdPod(name));
    });
    await Promise.all(
      decision.remove.map(async (pod) => {
        await owned.remove(pod, signal);
        events.record(set, deletedPod(pod.metadata.name));
      }),
    );
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (isTerminatingNamespace(error)) return undefined;
    const isCreation = decision.create > 0;
    const reason = isCreation ? 'FailedCreate' : 'FailedDelete';
    const message = messageOf(error);
    events.record(set, {
      type: 'Warning',
      reason,
      message: `Error ${isCreation ? 'creating' : 'deleting'}: ${message}`,
    });
    return { note: { reason, message }, error };
  }
}
