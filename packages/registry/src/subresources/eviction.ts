import { compareReleases, type Subresource } from '@orch/apis';
import type { Pod } from '@orch/kinds/core';
import { type ApiObject, errors, fieldError, hasDeletionTimestamp, type Names } from '@orch/machinery';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import { failedAfterWriting, type Reply, type ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { type DeleteOptions, defaultDeleteOptions, nestedDeleteOptions } from '../request/delete-options.ts';
import { auxiliaryKind, readPost } from '../request/read-write-request.ts';
import { successReply } from '../request/reply.ts';
import { IGNORES_READ_ERRORS, ignoresReadErrorsIn } from '../request/unsafe-deletion.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { admitPosted } from '../write/admit-posted.ts';
import { deleteObject } from '../write/delete-object.ts';
import { checkNamespace, requireName } from '../write/rules/object-meta.ts';
import { allowsUnready, budgetsOf, isReady, spend } from './disruption-budget.ts';

/** An eviction in progress. */
interface Eviction {
  readonly path: WritePath;
  readonly pods: StoredResource;
  readonly key: string;
  readonly options: DeleteOptions;
  readonly call: ResourceContext;
}

/** `pods/eviction`: a delete that respects disruption budgets. Accepts every version of Eviction that the release has. */
export async function evict(
  path: RequestPath & WritePath,
  pods: StoredResource,
  { kind, accepts }: Subresource,
  call: ResourceContext,
): Promise<Reply> {
  const { info } = call;
  const {
    object: eviction,
    options,
    format,
  } = await readPost(path, call, auxiliaryKind(path, kind, accepts));
  requireName(eviction, info.name);
  checkNamespace(eviction, pods, info.namespace);
  refuseIgnoredReadErrors(eviction, path.names);
  await admitPosted(path, pods, {
    call,
    object: eviction,
    name: info.name,
    dryRun: isDryRun(eviction, options),
  });
  const given = eviction['deleteOptions'];
  const requested = isJsonObject(given) ? nestedDeleteOptions(given, path) : defaultDeleteOptions;
  await evictPod({
    path,
    pods,
    key: keyOf(pods, info),
    options: { ...requested, dryRun: requested.dryRun || options.dryRun },
    call,
  });
  return successReply(path, format, { code: 201, showCode: true });
}

/** The permission to evict does not include that of deleting what cannot be decrypted (422). */
function refuseIgnoredReadErrors({ metadata, deleteOptions }: ApiObject, names: Names): void {
  if (!ignoresReadErrorsIn(deleteOptions)) return;
  const subject = { group: names.group('policy'), kind: 'Eviction', name: metadata.name ?? '' };
  const field = `deleteOptions.${IGNORES_READ_ERRORS}`;
  throw errors.invalid(subject, [fieldError.invalid(field, true, 'cannot be set for an eviction')]);
}

/** A dry run is requested by the query or by the options of the deletion. */
const isDryRun = ({ deleteOptions }: ApiObject, { dryRun }: Pick<DeleteOptions, 'dryRun'>): boolean =>
  dryRun ||
  (isJsonObject(deleteOptions) &&
    Array.isArray(deleteOptions['dryRun']) &&
    deleteOptions['dryRun'].includes('All'));

/** Maximum attempts on a pod that other clients change meanwhile. */
const MAX_ATTEMPTS = 8;

/**
 * Deletes a pod when its budget allows a disruption (facts: validation, PodDisruptionBudget). A pod that has not
 * started, has ended or is not ready may not count for the budget; it is deleted only while it is in such a state: when
 * its state has changed meanwhile, its budget is checked again.
 */
async function evictPod(eviction: Eviction): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const needsNoBudget = await permission(eviction, await currentPod(eviction));
    try {
      return await remove(eviction, needsNoBudget);
    } catch (cause) {
      if (!(cause instanceof CountedMeanwhile))
        throw needsNoBudget === permitted ? failedAfterWriting(cause) : cause;
      if (attempt === MAX_ATTEMPTS)
        throw errors.conflict(subjectOf(eviction.pods, eviction.call.info.name), cause.message);
    }
  }
}

/** The pod was about to be deleted without using its budget, which counts it now. */
class CountedMeanwhile extends Error {
  override readonly name = 'CountedMeanwhile';

  constructor() {
    super('the state of the pod changed; please try again');
  }
}

type NeedsNoBudget = (pod: ApiObject) => boolean;

async function currentPod({ pods, key, call }: Eviction): Promise<ApiObject> {
  await pods.cache.waitFresh({ kind: 'mostRecent' }, call.request.signal);
  const pod = pods.cache.get(key);
  if (pod === undefined) throw errors.notFound(subjectOf(pods, call.info.name));
  return parseJson(pod.json()) as ApiObject;
}

/**
 * Gets the permission to delete a pod, or throws. The result contains the states in which the deletion needs no budget.
 */
async function permission({ path, options, call }: Eviction, pod: ApiObject): Promise<NeedsNoBudget> {
  const { namespace, name } = call.info;
  const { signal } = call.request;
  if (isUncounted(pod)) return isUncounted;
  const budgets = await budgetsOf(path, namespace, pod, signal);
  if (budgets.length > 1) {
    throw errors.plain(
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [budget] = budgets;
  if (budget === undefined) return always;
  const needsNoBudget: NeedsNoBudget = (one) => isUncounted(one) || !isReady(one);
  if (needsNoBudget(pod) && allowsUnready(budget)) return needsNoBudget;
  await spend(path, { ...budget, podName: name }, { user: call.user, dryRun: options.dryRun, signal });
  return permitted;
}

/** No budget applies to the pod. */
const always: NeedsNoBudget = () => true;
/** A disruption of its budget was used for the pod. */
const permitted: NeedsNoBudget = () => true;

/** Pods that have not started, have ended or are being deleted. */
function isUncounted({ metadata, status }: Pod): boolean {
  const phase = status?.phase;
  return phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed' || hasDeletionTimestamp(metadata);
}

async function remove(
  { path, pods, key, options, call }: Eviction,
  needsNoBudget: NeedsNoBudget,
): Promise<void> {
  const { info, request, user } = call;
  const removed = await deleteObject(path, pods, {
    key,
    name: info.name,
    options,
    user,
    signal: request.signal,
    trace: call.trace,
    isAdmitted: true,
    prepare(pod) {
      if (!needsNoBudget(pod)) throw new CountedMeanwhile();
      if (compareReleases(path.release, TARGET_RELEASE) >= 0) noteEvicted(pod, path);
    },
  });
  if (removed === undefined) throw errors.notFound(subjectOf(pods, info.name));
}

/** First release in which an evicted pod gets the condition DisruptionTarget. */
const TARGET_RELEASE = '1.26';

function noteEvicted(pod: ApiObject, { env }: WritePath): void {
  const { metadata, status = {} }: Pod = pod;
  const { conditions = [] } = status;
  if (hasDeletionTimestamp(metadata) || conditions.some(({ type }) => type === 'DisruptionTarget')) return;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: formatTime(env.clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  pod['status'] = { ...status, conditions: [...conditions, condition] };
}
