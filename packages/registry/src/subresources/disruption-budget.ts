import { compareReleases } from '@orch/apis';
import { ApiError, type ApiObject, errors } from '@orch/machinery';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import { type LabelSelectorObject, labelSelectorFromObject, SelectorError } from '@orch/machinery/selectors';
import { formatTime } from '@orch/machinery/time';
import { FenceRefusal } from '../fencing/fence-refusal.ts';
import { everythingFilter } from '../request/object-filter.ts';
import type { WritePath } from '../resource/paths.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { Change, ChangeRequest } from '../write/change.ts';
import { changeObject } from '../write/change-object.ts';
import { changeTo } from '../write/update-object.ts';

/** The fields of a budget that evictions use, in the hub version. */
interface Budget extends ApiObject {
  spec: { readonly selector?: LabelSelectorObject; readonly unhealthyPodEvictionPolicy?: string };
  status: BudgetStatus;
}

interface BudgetStatus {
  readonly observedGeneration?: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  disruptionsAllowed: number;
  disruptedPods?: Record<string, string>;
  conditions?: Condition[];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** A budget that applies to a pod, with its key. */
export interface CoveringBudget {
  readonly resource: StoredResource;
  readonly key: string;
  readonly budget: Budget;
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
    const budget = parseJson(object.json()) as Budget;
    return covers(budget, pod) ? [{ resource, key, budget }] : [];
  });
}

/** A selector with values that no label can have passes validation, and matches nothing. */
function covers({ spec: { selector } }: Budget, pod: ApiObject): boolean {
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
  spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' ||
  (status.desiredHealthy > 0 && status.currentHealthy >= status.desiredHealthy);

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
      decide: (current): Change => {
        const next = current.object as Budget;
        refuseUnlessAllowed(next);
        return changeTo(resource, spent(path, next, podName), current);
      },
    });
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.status.reason !== 'Conflict' || cause instanceof FenceRefusal)
      throw cause;
    throw tooMany(`too many evictions at a time change the disruption budget ${name}`, BUSY_SECONDS);
  }
}

function refuseUnlessAllowed({ metadata, status }: Budget): void {
  const { name = '', generation = 0 } = metadata;
  const { observedGeneration = 0, disruptionsAllowed, desiredHealthy, currentHealthy } = status;
  const subject = { group: 'policy', kind: 'poddisruptionbudgets', name };
  if (observedGeneration < generation) {
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
function spent({ env, release }: WritePath, budget: Budget, podName: string): Budget {
  const now = formatTime(env.clock.now());
  const { status } = budget;
  status.disruptionsAllowed -= 1;
  status.disruptedPods = { ...status.disruptedPods, [podName]: now };
  if (status.disruptionsAllowed === 0 && compareReleases(release, '1.21') >= 0) noteExhausted(budget, now);
  return budget;
}

function noteExhausted({ metadata, status }: Budget, now: string): void {
  const type = 'DisruptionAllowed';
  const before = status.conditions?.find((condition) => condition.type === type);
  const condition: Condition = {
    type,
    status: 'False',
    observedGeneration: metadata.generation,
    lastTransitionTime: before?.status === 'False' ? before['lastTransitionTime'] : now,
    reason: 'InsufficientPods',
    message: '',
  };
  const others = (status.conditions ?? []).filter((one) => one.type !== type);
  status.conditions = [...others, condition];
}

/** Reports whether the condition Ready of a pod is true. */
export function isReady(pod: ApiObject): boolean {
  const status = isJsonObject(pod['status']) ? pod['status'] : {};
  const conditions = Array.isArray(status['conditions']) ? status['conditions'] : [];
  return conditions.some(
    (condition) => isJsonObject(condition) && condition['type'] === 'Ready' && condition['status'] === 'True',
  );
}
