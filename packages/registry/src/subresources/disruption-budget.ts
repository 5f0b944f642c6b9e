import { compareReleases } from '@orch/apis';
import type { Pod } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Condition } from '@orch/kinds/meta';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '@orch/kinds/policy';
import { ApiError, type ApiObject, errors } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { labelSelectorFromObject, SelectorError } from '@orch/machinery/selectors';
import { formatTime } from '@orch/machinery/time';
import type { WritePath } from '../context/paths.ts';
import { FenceRefusal } from '../fencing/fence-refusal.ts';
import { everythingFilter } from '../request/object-filter.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { ChangeRequest } from '../write/change.ts';
import { changeObject } from '../write/change-object.ts';
import { changeTo } from '../write/update-object.ts';

/** A budget that applies to a pod, with its key. */
export interface CoveringBudget {
  readonly resource: StoredResource;
  readonly key: string;
  readonly budget: PodDisruptionBudget;
}

const CAUSE = 'DisruptionBudget';
const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";
/** Evictions that the controller has not processed yet. */
const MAX_DISRUPTED = 2000;
const BUSY_SECONDS = 10;

/** The current budgets that cover a pod. */
export async function budgetsOf(
  path: WritePath,
  namespace: string,
  pod: ApiObject,
  signal: AbortSignal,
): Promise<readonly CoveringBudget[]> {
  const found = path.table.all.find(
    ({ type }) => type.group === 'policy' && type.resource === 'poddisruptionbudgets',
  );
  if (found === undefined) return [];
  const resource = path.stored(found);
  await resource.cache.waitFresh({ kind: 'mostRecent' }, signal);
  const scope = { prefix: `${namespace}/` };
  const { objects } = await resource.cache.list({ scope, filter: everythingFilter }, signal);
  return objects.flatMap((object) => {
    const { key, corrupt } = object;
    // It is unknown whether the budget applies to the pod: no pod may be evicted.
    if (corrupt) throw errors.internal(undefined, `the disruption budget ${key} cannot be read`);
    const budget = parseJson(object.json()) as PodDisruptionBudget;
    return covers(budget, pod) ? [{ resource, key, budget }] : [];
  });
}

/** A selector with values that no label can have passes validation, and matches nothing. */
function covers({ spec: { selector } = {} }: PodDisruptionBudget, pod: Pod): boolean {
  if (selector === undefined) return false;
  try {
    return labelSelectorFromObject(selector).matches(pod.metadata.labels ?? {});
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Reports whether unready pods may be evicted: when enough pods are healthy, or always when the budget permits it. */
export const allowsUnready = ({ budget: { spec, status } }: CoveringBudget): boolean =>
  spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' || hasEnough(status);

const hasEnough = ({ desiredHealthy = 0, currentHealthy = 0 }: PodDisruptionBudgetStatus = {}): boolean =>
  desiredHealthy > 0 && currentHealthy >= desiredHealthy;

/** Uses one disruption of a budget for the pod; refuses with 429 when none is allowed. */
export async function spend(
  path: WritePath,
  { resource, key, budget, podName }: CoveringBudget & { readonly podName: string },
  { user, dryRun, signal }: Pick<ChangeRequest, 'user' | 'dryRun' | 'signal'>,
): Promise<void> {
  const name = budget.metadata.name ?? '';
  try {
    // A budget that was deleted meanwhile applies to no pod.
    await changeObject(path, resource, {
      key,
      name,
      user,
      admittedAs: 'nothing',
      dryRun,
      signal,
      decide: (current) => {
        refuseUnlessAllowed(current.object);
        return changeTo(path, resource, spent(path, current.object, podName), current);
      },
    });
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.status.reason !== 'Conflict' || cause instanceof FenceRefusal)
      throw cause;
    throw tooMany(`too many evictions at a time change the disruption budget ${name}`, BUSY_SECONDS);
  }
}

function refuseUnlessAllowed({ metadata, status = {} }: PodDisruptionBudget): void {
  const { name = '', generation = 0 } = metadata;
  const { observedGeneration = 0, disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
  const subject = { group: 'policy', kind: 'poddisruptionbudgets', name };
  if (Number(observedGeneration) < generation) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, BUSY_SECONDS);
  }
  if (disruptionsAllowed < 0)
    throw errors.forbidden(subject, 'the number of allowed disruptions is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED) {
    throw errors.forbidden(subject, 'too many evictions were not confirmed yet');
  }
  if (disruptionsAllowed === 0) {
    throw tooMany(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      0,
    );
  }
}

const tooMany = (message: string, retryAfterSeconds: number): ApiError =>
  errors.tooManyRequests(REFUSED, retryAfterSeconds, [{ reason: CAUSE, message }]);

/** The budget with one disruption less, and the pod recorded until the controller observes its deletion. */
function spent({ env, release }: WritePath, object: ApiObject, podName: string): ApiObject {
  const now = formatTime(env.clock.now());
  const budget: Draft<PodDisruptionBudget> = object;
  budget.status ??= {};
  const { status } = budget;
  status.disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  status.disruptedPods = { ...status.disruptedPods, [podName]: now };
  if (status.disruptionsAllowed === 0 && compareReleases(release, '1.21') >= 0)
    status.conditions = exhausted(budget, now);
  return object;
}

/** The conditions of a budget without disruptions left. */
function exhausted({ metadata, status }: PodDisruptionBudget, now: string): readonly Condition[] {
  const type = 'DisruptionAllowed';
  const conditions = status?.conditions ?? [];
  const before = conditions.find((condition) => condition.type === type);
  const condition: Condition = {
    type,
    status: 'False',
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: (before?.status === 'False' ? before.lastTransitionTime : undefined) ?? now,
    reason: 'InsufficientPods',
    message: '',
  };
  return [...conditions.filter((one) => one.type !== type), condition];
}

/** Reports whether the condition Ready of a pod is true. */
export const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;
