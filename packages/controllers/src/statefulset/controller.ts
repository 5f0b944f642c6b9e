import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type kinds,
  type Names,
  type Reconciled,
  type ResourceClient,
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
import { decideStatefulSet, type StatefulSetDecision, type StatefulSetState, statusOf } from './decide.ts';
import { claimsFor, ordinalOf, statefulPod } from './pod.ts';

type StatefulSet = Stored<kinds.apps.StatefulSet>;
type Pod = Stored<kinds.core.Pod>;
type Claim = kinds.core.PersistentVolumeClaim;

const CONCURRENCY = 5;

/** Keeps pods with names and claims of their own, in their order. */
export function statefulSetController({ client, informers, env }: ControllerContext): Controller {
  const { statefulsets, controllerrevisions } = typed(client).apps.v1;
  const { pods, persistentvolumeclaims: claims } = typed(client).core.v1;
  const informer = informers.informer(statefulsets.resource);
  const podInformer = informers.informer(pods.resource);
  const revisions = new Revisions(
    informers.informer(controllerrevisions.resource),
    controllerrevisions,
    statefulsets,
  );
  const owned = new OwnedObjects({ informer: podInformer, api: pods, owners: statefulsets });
  const work: Writing = { owned, claims, names: client.names };
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
      await carryOut(state, { ...work, history }, signal);
      const { status, recheckMs } = statusOf(state, collisions);
      await writeStatus(statefulsets, { read: set, status }, signal);
      const used = new Set([
        current,
        update,
        ...own.map(({ metadata }) => metadata.labels?.[REVISION_LABEL]),
      ]);
      await revisions.prune(set, history, { isUsed: (name) => used.has(name), signal });
      return recheckMs === undefined ? undefined : { requeueAfterMs: recheckMs };
    },
  });
}

interface Writing {
  readonly owned: OwnedObjects<kinds.core.Pod, kinds.apps.StatefulSet>;
  readonly claims: ResourceClient<Claim>;
  readonly names: Names;
}

/** Creates the claims of a pod before the pod. */
async function carryOut(
  state: StatefulSetState,
  { owned, claims, names, history }: Writing & { readonly history: RevisionHistory },
  signal: AbortSignal,
): Promise<void> {
  const { set } = state;
  const decision: StatefulSetDecision = decideStatefulSet(state);
  try {
    for (const { ordinal, revision } of decision.create) {
      for (const claim of claimsFor(set, ordinal)) await createClaim(claims, set, claim, signal);
      const template = history.templateOf(revision) ?? set.spec?.template ?? {};
      const pod = statefulPod(set, { ordinal, revision, template }, names);
      await ignoreReasons(['AlreadyExists'], () => owned.create(set, pod, signal));
    }
  } catch (error) {
    if (!isTerminatingNamespace(error)) throw error;
  }
  for (const pod of decision.remove) await owned.remove(pod, signal);
}

async function createClaim(
  claims: ResourceClient<Claim>,
  { metadata }: StatefulSet,
  claim: Claim,
  signal: AbortSignal,
): Promise<void> {
  const api = claims.in(metadata.namespace ?? '');
  await ignoreReasons(['AlreadyExists'], () => api.create(claim, {}, signal));
}
