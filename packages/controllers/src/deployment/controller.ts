import {
  type Controller,
  type ControllerContext,
  controller,
  controllerOf,
  type EventNote,
  type EventRecorder,
  informerSource,
  isAlreadyExists,
  keyOf,
  type kinds,
  type Reconciled,
  type ResourceClient,
  type Store,
  type Stored,
  typed,
} from '@orch/client';
import { labelSelectorFromObject } from '@orch/machinery/selectors';
import { writeStatus } from '../api/write-status.ts';
import { ignoreReasons, isTerminatingNamespace } from '../api/writes.ts';
import { BEHIND_MS, OwnedObjects } from '../pods/owned-objects.ts';
import { ownerSources } from '../pods/owner-sources.ts';
import { hasEnded } from '../pods/pod-state.ts';
import { type Keys, keysOf } from './annotations.ts';
import {
  currentSet,
  type DeploymentState,
  decideDeployment,
  isSameTemplate,
  type SetChange,
} from './decide.ts';
import { replicasOf } from './replica-counts.ts';
import { statusOf } from './status.ts';

type Deployment = Stored<kinds.apps.Deployment>;
type ReplicaSet = Stored<kinds.apps.ReplicaSet>;
type Pod = kinds.core.Pod;

const CONCURRENCY = 5;

/** Rolls out the template of a Deployment by ReplicaSets. */
export function deploymentController(
  { client, informers, env, events }: ControllerContext,
  { showsTerminating }: { readonly showsTerminating: boolean },
): Controller {
  const { deployments, replicasets } = typed(client).apps.v1;
  const { pods } = typed(client).core.v1;
  const informer = informers.informer(deployments.resource);
  const setInformer = informers.informer(replicasets.resource);
  const podInformer = informers.informer(pods.resource);
  const owned = new OwnedObjects({ informer: setInformer, api: replicasets, owners: deployments });
  const podsOf = new OwnedObjects<Pod, kinds.apps.ReplicaSet>({
    informer: podInformer,
    api: pods,
    owners: replicasets,
  });
  const keys = keysOf(client.names);
  const work: Writing = { owned, replicasets, keys, events };
  return controller({
    name: 'deployment',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(informer),
      ...ownerSources(setInformer, informer),
      // Recreate waits for the end of old pods.
      informerSource(podInformer, {
        filter: ({ type }) => type === 'deleted',
        keys: deploymentKeys(setInformer.store),
      }),
    ],
    async reconcile(key, signal): Promise<Reconciled | undefined> {
      const deployment = informer.store.get(key);
      if (deployment === undefined) return;
      if (owned.isBehind(deployment.metadata.uid)) return { requeueAfterMs: BEHIND_MS };
      const claimed = await owned.claim(
        deployment,
        labelSelectorFromObject(deployment.spec?.selector),
        signal,
      );
      const sets = [...claimed].sort(byAge);
      const hasRunningPods = (set: ReplicaSet): boolean =>
        podsOf.of(set.metadata.uid).some((pod) => !hasEnded(pod));
      const state = { deployment, sets, hasRunningPods, keys };
      const { annotations, created, collisionCount } = await carryOut(state, work, signal);
      const next = created ?? currentSet(state);
      const isCreated = created !== undefined;
      const nowMs = env.clock.now();
      const observed = { deployment, sets, next, isCreated, collisionCount, showsTerminating, nowMs };
      const { status, recheckMs } = statusOf(observed);
      await writeStatus(deployments, { read: deployment, status, annotations }, signal);
      return recheckMs === undefined ? undefined : { requeueAfterMs: recheckMs };
    },
  });
}

/** The keys of the Deployments of pods, through their sets. */
const deploymentKeys =
  (sets: Store<kinds.apps.ReplicaSet>) =>
  ({ metadata }: Pod): readonly string[] => {
    const { namespace } = metadata;
    const set = sets.get(keyOf(namespace, controllerOf({ metadata })?.name ?? ''));
    const owner = set === undefined ? undefined : controllerOf(set);
    return owner?.kind === 'Deployment' ? [keyOf(namespace, owner.name)] : [];
  };

function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const age = ({ metadata }: ReplicaSet): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
  return age(a) < age(b) ? -1 : 1;
}

interface Writing {
  readonly owned: OwnedObjects<kinds.apps.ReplicaSet, kinds.apps.Deployment>;
  readonly replicasets: ResourceClient<kinds.apps.ReplicaSet>;
  readonly keys: Keys;
  readonly events: EventRecorder;
}

interface Written {
  /** Annotations of the Deployment, which are written with its status: so its generation does not change. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly created?: ReplicaSet;
  readonly collisionCount: number;
}

/** Carries out the next step of a Deployment. */
async function carryOut(state: DeploymentState, work: Writing, signal: AbortSignal): Promise<Written> {
  const { deployment } = state;
  const { create, changes, remove, revision } = decideDeployment(state);
  const collisionCount = deployment.status?.collisionCount ?? 0;
  const annotations = revision === undefined ? {} : { [work.keys.revision]: String(revision) };
  for (const change of changes) {
    await work.owned.update(deployment, changedSet(change), signal);
    const { set, replicas } = change;
    if (replicas !== undefined)
      work.events.record(deployment, scaledSet(set.metadata.name, replicasOf(set), replicas));
  }
  await Promise.all(remove.map((set) => work.owned.remove(set, signal)));
  if (create === undefined) return { annotations, collisionCount };
  const created = await createSet(deployment, create, work, signal);
  if (created === 'taken') return { annotations, collisionCount: collisionCount + 1 };
  if (created !== undefined && replicasOf(created) > 0)
    work.events.record(deployment, scaledSet(created.metadata.name, 0, replicasOf(created)));
  return { annotations, collisionCount, ...(created !== undefined && { created }) };
}

const scaledSet = (name: string, from: number, to: number): EventNote => ({
  type: 'Normal',
  reason: 'ScalingReplicaSet',
  message: `Scaled ${to > from ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`,
});

const changedSet = ({ set, replicas, minReadySeconds, annotations }: SetChange): ReplicaSet => ({
  ...set,
  metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...annotations } },
  spec: {
    selector: null,
    ...set.spec,
    ...(replicas !== undefined && { replicas }),
    ...(minReadySeconds !== undefined && { minReadySeconds }),
  },
});

/** Creates a set; `taken` when a set of another template has its name, undefined when nothing can be created. */
async function createSet(
  deployment: Deployment,
  set: kinds.apps.ReplicaSet,
  { owned, replicasets }: Writing,
  signal: AbortSignal,
): Promise<ReplicaSet | 'taken' | undefined> {
  try {
    return await owned.create(deployment, set, signal);
  } catch (error) {
    if (isTerminatingNamespace(error)) return undefined;
    if (!isAlreadyExists(error)) throw error;
    const { namespace = '', name } = deployment.metadata;
    const api = replicasets.in(namespace);
    const found = await ignoreReasons(['NotFound'], () => api.get(set.metadata.name ?? name, {}, signal));
    const isOwn = found !== undefined && controllerOf(found)?.uid === deployment.metadata.uid;
    // The informer delivers a set of this Deployment soon.
    return isOwn && isSameTemplate(found, set) ? undefined : 'taken';
  }
}
