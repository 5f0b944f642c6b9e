import { isBeingDeleted, type kinds, ownerReferenceTo, type Stored } from '@orch/client';
import { jsonEquals } from '@orch/machinery/json';
import { hashOf } from '../pods/template.ts';
import { type Keys, missingAnnotations, numberAt, setAnnotations } from './annotations.ts';
import { type Limits, limitsOf, replicasOf } from './replica-counts.ts';
import { newSetSize, rollingSizes, type Sizes } from './rolling-update.ts';
import { scaledSizes } from './scaling.ts';

type Deployment = Stored<kinds.apps.Deployment>;
type ReplicaSet = Stored<kinds.apps.ReplicaSet>;
type PodTemplate = kinds.core.PodTemplateSpec;

/** The label that distinguishes the pods of the sets of a Deployment. */
export const TEMPLATE_HASH = 'pod-template-hash';

export interface DeploymentState {
  readonly deployment: Deployment;
  /** The sets that it controls, oldest first. */
  readonly sets: readonly ReplicaSet[];
  /** Reports whether a pod of a set has not ended. */
  hasRunningPods(set: ReplicaSet): boolean;
  readonly keys: Keys;
}

/** A change of an existing set. */
export interface SetChange {
  readonly set: ReplicaSet;
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface DeploymentDecision {
  readonly create?: kinds.apps.ReplicaSet;
  readonly changes: readonly SetChange[];
  /** Old sets without pods beyond the limit of the history. */
  readonly remove: readonly ReplicaSet[];
  /** The revision of the current template, which the annotation of the Deployment shows. */
  readonly revision?: number;
}

const nothing: DeploymentDecision = { changes: [], remove: [] };

/** The set whose template is the current one; the oldest of several. */
export const currentSet = ({ deployment, sets }: DeploymentState): ReplicaSet | undefined => {
  const wanted = withoutHash(deployment.spec?.template);
  return sets.find(({ spec }) => jsonEquals(withoutHash(spec?.template), wanted));
};

/** Reports whether two sets create the same pods. */
export const isSameTemplate = (a: kinds.apps.ReplicaSet, b: kinds.apps.ReplicaSet): boolean =>
  jsonEquals(withoutHash(a.spec?.template), withoutHash(b.spec?.template));

/** A template as a Deployment has it. */
function withoutHash(template: PodTemplate | undefined): PodTemplate {
  // Some servers send a creation time of null, which others omit.
  const { labels: all, creationTimestamp: _time, ...metadata } = template?.metadata ?? {};
  const { [TEMPLATE_HASH]: _hash, ...labels } = all ?? {};
  return { ...template, metadata: { ...metadata, labels } };
}

/** The next step of a Deployment: one change of sizes at a time, which the status of its sets then reflects. */
export function decideDeployment(state: DeploymentState): DeploymentDecision {
  const { deployment, sets } = state;
  if (isBeingDeleted(deployment)) return nothing;
  const next = currentSet(state);
  const old = sets.filter((set) => set !== next);
  const rollout: Rollout = { ...state, next, old, limits: limitsOf(deployment) };
  if (deployment.spec?.paused === true || isScaled(rollout))
    return withSizes(rollout, scaledSizes(scaling(rollout)));
  const revision = revisionOf(rollout);
  const plan = deployment.spec?.strategy?.type === 'Recreate' ? recreate(rollout) : update(rollout);
  const create = plan.create === undefined ? {} : { create: newSet(rollout, plan.create, revision) };
  const changes = withSizes(rollout, plan.sizes ?? new Map(), revision);
  return { ...changes, ...create, revision, remove: isComplete(deployment, next) ? surplus(rollout) : [] };
}

interface Rollout extends DeploymentState {
  readonly next: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  readonly limits: Limits;
}

interface Plan {
  /** The size of the set to create. */
  readonly create?: number;
  readonly sizes?: Sizes;
}

/** Reports whether the number of replicas has changed since a set with pods was scaled. */
const isScaled = ({ deployment, sets, keys }: Rollout): boolean =>
  sets.some((set) => {
    const desired = replicasOf(set) > 0 ? numberAt(set, keys.desired) : undefined;
    return desired !== undefined && desired !== replicasOf(deployment);
  });

const scaling = ({ deployment, limits, next, old, keys }: Rollout) => ({
  replicas: replicasOf(deployment),
  isRolling: deployment.spec?.strategy?.type !== 'Recreate',
  limits,
  next,
  old,
  formerMaximum: (set: ReplicaSet) => numberAt(set, keys.maximum) ?? deployment.status?.replicas ?? 0,
});

function update({ deployment, next, old, sets, limits }: Rollout): Plan {
  const replicas = replicasOf(deployment);
  if (next === undefined) return { create: newSetSize(replicas, { current: 0, all: sets }, limits) };
  return { sizes: rollingSizes(replicas, { next, old }, limits) };
}

/** The old pods end before the first new one is created. */
function recreate({ deployment, next, old, hasRunningPods }: Rollout): Plan {
  const active = old.filter((set) => replicasOf(set) > 0);
  if (active.length > 0) return { sizes: new Map(active.map((set) => [set, 0])) };
  if (old.some((set) => (set.status?.replicas ?? 0) > 0 || hasRunningPods(set))) return {};
  const replicas = replicasOf(deployment);
  if (next === undefined) return { create: replicas };
  return replicasOf(next) === replicas ? {} : { sizes: new Map([[next, replicas]]) };
}

/** One more than that of the old sets, or that of the current one. */
function revisionOf({ old, next, keys }: Rollout): number {
  const latest = old.reduce((most, set) => Math.max(most, numberAt(set, keys.revision) ?? 0), 0);
  return Math.max(latest + 1, next === undefined ? 0 : (numberAt(next, keys.revision) ?? 0));
}

/** The changes of sets: their sizes and annotations, and those of the current set that follow the Deployment. */
function withSizes(rollout: Rollout, sizes: Sizes, revision?: number): DeploymentDecision {
  const { deployment, next, sets, keys, limits } = rollout;
  const replicas = replicasOf(deployment);
  const bounds = { [keys.desired]: String(replicas), [keys.maximum]: String(replicas + limits.maxSurge) };
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const changes = sets.flatMap((set): readonly SetChange[] => {
    const size = sizes.get(set);
    const isCurrent = set === next && revision !== undefined;
    // A set keeps its bounds until it is scaled: proportional scaling refers to them.
    const isBounded = size !== undefined || (revision === undefined && replicasOf(set) > 0) || isCurrent;
    const annotations = missingAnnotations(set, {
      ...(isBounded && bounds),
      ...(isCurrent && setAnnotations(deployment, set, { keys, revision })),
    });
    const isOtherSize = size !== undefined && size !== replicasOf(set);
    const isOtherWait = isCurrent && (set.spec?.minReadySeconds ?? 0) !== minReadySeconds;
    if (!isOtherSize && !isOtherWait && Object.keys(annotations).length === 0) return [];
    return [
      { set, annotations, ...(isOtherSize && { replicas: size }), ...(isOtherWait && { minReadySeconds }) },
    ];
  });
  return { changes, remove: [] };
}

/** The set of the current template. */
function newSet(rollout: Rollout, replicas: number, revision: number): kinds.apps.ReplicaSet {
  const { deployment, keys, limits } = rollout;
  const { name, namespace } = deployment.metadata;
  const {
    template = {},
    selector = null,
    minReadySeconds,
  } = deployment.spec ?? { template: {}, selector: null };
  const hash = hashOf(template, deployment.status?.collisionCount ?? 0);
  const labels = { ...template.metadata?.labels, [TEMPLATE_HASH]: hash };
  const desired = replicasOf(deployment);
  return {
    apiVersion: deployment.apiVersion,
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace !== undefined && { namespace }),
      labels,
      annotations: {
        ...setAnnotations(deployment, undefined, { keys, revision }),
        [keys.desired]: String(desired),
        [keys.maximum]: String(desired + limits.maxSurge),
      },
      ownerReferences: [ownerReferenceTo(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [TEMPLATE_HASH]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** Reports whether all pods are of the current template and available. */
export const isComplete = (
  { spec, metadata, status = {} }: Deployment,
  next: ReplicaSet | undefined,
): boolean =>
  next !== undefined &&
  [status.updatedReplicas, status.replicas, status.availableReplicas].every(
    (each) => (each ?? 0) === (spec?.replicas ?? 1),
  ) &&
  Number(status.observedGeneration ?? 0) >= Number(metadata.generation ?? 0);

/** Old sets without pods, those of the oldest revisions, beyond the limit of the history. */
function surplus({ deployment, old, keys }: Rollout): readonly ReplicaSet[] {
  const limit = deployment.spec?.revisionHistoryLimit ?? 10;
  const isEmpty = (set: ReplicaSet): boolean =>
    replicasOf(set) === 0 &&
    (set.status?.replicas ?? 0) === 0 &&
    Number(set.status?.observedGeneration ?? 0) >= Number(set.metadata.generation ?? 0);
  const kept = old.filter((set) => !isBeingDeleted(set));
  const byRevision = [...kept].sort(
    (a, b) => (numberAt(a, keys.revision) ?? 0) - (numberAt(b, keys.revision) ?? 0),
  );
  return byRevision.slice(0, Math.max(0, kept.length - limit)).filter(isEmpty);
}
