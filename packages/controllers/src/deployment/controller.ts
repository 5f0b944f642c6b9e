import {
  type Controller,
  type ControllerContext,
  controller,
  controllerOf,
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
import { type Keys, keysOf, numberAt } from './annotations.ts';
import {
  currentSet,
  type DeploymentState,
  decideDeployment,
  isSameTemplate,
  type SetChange,
} from './decide.ts';
import { statusOf } from './status.ts';

type Deployment = Stored<kinds.apps.Deployment>;
type ReplicaSet = Stored<kinds.apps.ReplicaSet>;
type Pod = kinds.core.Pod;

const CONCURRENCY = 5;

/** Rolls out the template of a Deployment by ReplicaSets. */
export function deploymentController({ client, informers, env }: ControllerContext): Controller {
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
  const work: Writing = { owned, deployments, replicasets, keys };
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
      const { read, created, collisionCount } = await carryOut(state, work, signal);
      const next = created ?? currentSet(state);
      const observed = { deployment, sets, next, isCreated: created !== undefined, collisionCount };
      const { status, recheckMs } = statusOf({ ...observed, nowMs: env.clock.now() });
      await writeStatus(deployments, { read, status }, signal);
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
  readonly deployments: ResourceClient<kinds.apps.Deployment>;
  readonly replicasets: ResourceClient<kinds.apps.ReplicaSet>;
  readonly keys: Keys;
}

interface Written {
  /** The Deployment, with the version of its latest write. */
  readonly read: Deployment;
  readonly created?: ReplicaSet;
  readonly collisionCount: number;
}

/** Carries out the next step of a Deployment. */
async function carryOut(state: DeploymentState, work: Writing, signal: AbortSignal): Promise<Written> {
  const { deployment } = state;
  const { create, changes, remove, revision } = decideDeployment(state);
  const collisionCount = deployment.status?.collisionCount ?? 0;
  const read = revision === undefined ? deployment : await withRevision(deployment, revision, work, signal);
  for (const change of changes) await work.owned.update(deployment, changedSet(change), signal);
  await Promise.all(remove.map((set) => work.owned.remove(set, signal)));
  if (create === undefined) return { read, collisionCount };
  const created = await createSet(deployment, create, work, signal);
  if (created === 'taken') return { read, collisionCount: collisionCount + 1 };
  return { read, collisionCount, ...(created !== undefined && { created }) };
}

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

/** Writes the revision into the annotation of the Deployment. */
async function withRevision(
  deployment: Deployment,
  revision: number,
  { deployments, keys }: Writing,
  signal: AbortSignal,
): Promise<Deployment> {
  if (numberAt(deployment, keys.revision) === revision) return deployment;
  const { metadata } = deployment;
  const annotations = { ...metadata.annotations, [keys.revision]: String(revision) };
  const next = { ...deployment, metadata: { ...metadata, annotations } };
  return await deployments.in(metadata.namespace ?? '').update(next, {}, signal);
}

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
