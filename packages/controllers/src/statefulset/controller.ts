import {
  type Controller,
  type ControllerContext,
  controller,
  type EventRecorder,
  informerSource,
  type kinds,
  type Names,
  type Reconciled,
  type Stored,
  typed,
} from '@orch/client';
import { labelSelectorFromObject } from '@orch/machinery/selectors';
import { writeStatus } from '../api/write-status.ts';
import { ignoreReasons, isTerminatingNamespace } from '../api/writes.ts';
import { BEHIND_MS, OwnedObjects } from '../pods/owned-objects.ts';
import { ownerSources } from '../pods/owner-sources.ts';
import { REVISION_LABEL } from '../revisions/decide.ts';
import { type RevisionHistory, Revisions } from '../revisions/revisions.ts';
import { deletesClaims } from './claim-retention.ts';
import { Claims } from './claims.ts';
import {
  decideStatefulSet,
  isWanted,
  type StatefulSetDecision,
  type StatefulSetState,
  statusOf,
} from './decide.ts';
import { ordinalOf, statefulPod } from './pod.ts';
import { createdPod, deletedPod } from './set-events.ts';

type Pod = Stored<kinds.core.Pod>;

const CONCURRENCY = 5;

/** Keeps pods with stable names and claims, in their order. */
export function statefulSetController({ client, informers, env, events }: ControllerContext): Controller {
  const { statefulsets, controllerrevisions } = typed(client).apps.v1;
  const { pods, persistentvolumeclaims } = typed(client).core.v1;
  const informer = informers.informer(statefulsets.resource);
  const podInformer = informers.informer(pods.resource);
  const revisions = new Revisions(informers.informer(controllerrevisions.resource), controllerrevisions, {
    owners: statefulsets,
    hashLabel: client.names.labels.revisionHash,
  });
  const owned = new OwnedObjects({ informer: podInformer, api: pods, owners: statefulsets });
  const claims = new Claims(persistentvolumeclaims, events);
  const work: Writing = { owned, claims, names: client.names, events };
  return controller({
    name: 'statefulset',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(informer),
      ...ownerSources(podInformer, informer),
      ...ownerSources(informers.informer(controllerrevisions.resource), informer),
    ],
    async reconcile(key, signal): Promise<Reconciled | undefined> {
      const set = informer.store.get(key);
      if (set === undefined) return;
      const { uid } = set.metadata;
      if (owned.isBehind(uid) || revisions.isBehind(uid)) return { requeueAfterMs: BEHIND_MS };
      const claimed = await owned.claim(set, labelSelectorFromObject(set.spec?.selector), signal);
      const history = await revisions.find(set, signal);
      const collisions = set.status?.collisionCount ?? 0;
      if (history === 'taken') {
        const status = { replicas: 0, ...set.status, collisionCount: collisions + 1 };
        return void (await writeStatus(statefulsets, { read: set, status }, signal));
      }
      const isEnding = (pod: Pod): boolean => owned.isEnding(pod);
      const update = history.current.metadata.name;
      const current = set.status?.currentRevision || update;
      const own = claimed.filter((pod) => ordinalOf(pod, set) !== undefined);
      const state = { set, pods: own, current, update, isEnding, nowMs: env.clock.now() };
      await setOwnersOfClaims(state, claims, signal);
      const isDone = await carryOut(state, { ...work, history }, signal);
      const { status, recheckMs } = statusOf(state, collisions);
      await writeStatus(statefulsets, { read: set, status }, signal);
      const used = new Set([
        current,
        update,
        ...own.map(({ metadata }) => metadata.labels?.[REVISION_LABEL]),
      ]);
      await revisions.prune(set, history, { isUsed: (name) => used.has(name), signal });
      if (!isDone) return { requeueAfterMs: BEHIND_MS };
      return recheckMs === undefined ? undefined : { requeueAfterMs: recheckMs };
    },
  });
}

interface Writing {
  readonly owned: OwnedObjects<kinds.core.Pod, kinds.apps.StatefulSet>;
  readonly claims: Claims;
  readonly names: Names;
  readonly events: EventRecorder;
}

/**
 * Claims have the owners that the policy of the set names, also after a policy that deletes them was removed. Most sets keep their
 * claims, which are then not read.
 */
async function setOwnersOfClaims(
  { set, pods }: StatefulSetState,
  claims: Claims,
  signal: AbortSignal,
): Promise<void> {
  const isNew = set.status?.observedGeneration !== set.metadata.generation;
  if (!deletesClaims(set) && !isNew) return;
  for (const pod of pods) {
    const ordinal = ordinalOf(pod, set) ?? 0;
    await claims.setOwners({ set, pod, isScaledDown: !isWanted(set, ordinal) }, ordinal, signal);
  }
}

/** Creates the claims of a pod before the pod; reports whether all claims could be used. */
async function carryOut(
  state: StatefulSetState,
  { owned, claims, names, events, history }: Writing & { readonly history: RevisionHistory },
  signal: AbortSignal,
): Promise<boolean> {
  const { set } = state;
  let isDone = true;
  const decision: StatefulSetDecision = decideStatefulSet(state);
  try {
    for (const { ordinal, revision } of decision.create) {
      if (!(await claims.create(set, ordinal, signal))) {
        isDone = false;
        break;
      }
      const template = history.templateOf(revision) ?? set.spec?.template ?? {};
      const pod = statefulPod(set, { ordinal, revision, template }, names);
      const created = await ignoreReasons(['AlreadyExists'], () => owned.create(set, pod, signal));
      if (created !== undefined) events.record(set, createdPod(set, created.metadata.name));
    }
  } catch (error) {
    if (!isTerminatingNamespace(error)) throw error;
  }
  for (const pod of decision.remove) {
    await owned.remove(pod, signal);
    events.record(set, deletedPod(set, pod.metadata.name));
  }
  return isDone;
}
