import { compareReleases, type Subresource } from '@orch/apis';
import {
  type ApiObject,
  errors,
  formatTime,
  hasDeletionTimestamp,
  isJsonObject,
  parseJson,
} from '@orch/machinery';
import { failedAfterWriting, type Reply, type ResourceContext } from '@orch/request';
import { readObject } from '../request/decode-object.ts';
import { type DeleteOptions, defaultDeleteOptions, deleteOptionsOf } from '../request/delete-options.ts';
import { formOf, queryOf, successReply } from '../request/reply.ts';
import { writeOptions } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { deleteOptionsContext, removeObject } from '../verbs/delete.ts';
import { checkName, checkNamespace } from '../write/object-meta.ts';
import { allowsUnready, budgetsOf, isReady, spend } from './disruption-budget.ts';

/** One eviction: what is to be deleted, how, and for whom. */
interface Evicting {
  readonly context: RegistryContext;
  readonly pods: StoredResource;
  readonly key: string;
  readonly options: DeleteOptions;
  readonly at: ResourceContext;
}

/** `pods/eviction`: a delete that asks for permission first. Takes every version of Eviction that the release knows. */
export async function evict(
  context: RegistryContext,
  pods: StoredResource,
  subresource: Subresource,
  at: ResourceContext,
): Promise<Reply> {
  const { info, request } = at;
  const key = keyOf(pods, info);
  const query = queryOf(request);
  const { dryRun, fieldValidation } = writeOptions(query, 'CreateOptions', context);
  const form = formOf(request, query, context.negotiator, 'plain');
  const { kind, accepts = [] } = subresource;
  const apiVersionOf = (of: Subresource['kind']): string => context.names.apiVersion(of.group, of.version);
  const { object: eviction } = await readObject(
    request,
    context.auxiliary(kind.group, kind.version, kind.kind),
    { kind: kind.kind, apiVersion: apiVersionOf(kind), otherApiVersions: accepts.map(apiVersionOf) },
    {
      limitBytes: context.limits.bodyBytes,
      protobuf: context.auxiliaryProtobuf(kind.group, kind.version, kind.kind),
      fieldValidation,
    },
  );
  checkName(eviction, info.name);
  checkNamespace(eviction, pods, info.namespace);
  const given = eviction['deleteOptions'];
  const asked = isJsonObject(given)
    ? deleteOptionsOf(given, deleteOptionsContext(context))
    : defaultDeleteOptions;
  const options = dryRun ? { ...asked, dryRun } : asked;
  await evictPod({ context, pods, key, options, at });
  return successReply(context, form, { code: 201, showCode: true });
}

/** Attempts on a pod that others change meanwhile. */
const MAX_ATTEMPTS = 8;

/**
 * Deletes a pod when its budget has a disruption to spare (facts: validation, PodDisruptionBudget). A pod that counts for
 * no budget, since it has not begun, has ended or is not ready, is deleted only in a state that says so: when that
 * changed meanwhile, its budget is asked.
 */
async function evictPod(evicting: Evicting): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const isFree = await permission(evicting, await currentPod(evicting));
    try {
      return await remove(evicting, isFree);
    } catch (cause) {
      if (!(cause instanceof CountsNow)) throw isFree === permitted ? failedAfterWriting(cause) : cause;
      if (attempt === MAX_ATTEMPTS)
        throw errors.conflict(subjectOf(evicting.pods, evicting.at.info.name), cause.message);
    }
  }
}

/** The pod was to go without a word of its budget, and counts for it by now. */
class CountsNow extends Error {
  override readonly name = 'CountsNow';

  constructor() {
    super('the state of the pod changed; please try again');
  }
}

type IsFree = (pod: ApiObject) => boolean;

async function currentPod({ pods, key, at }: Evicting): Promise<ApiObject> {
  await pods.cache.waitFresh({ kind: 'mostRecent' }, at.request.signal);
  const pod = pods.cache.get(key);
  if (pod === undefined) throw errors.notFound(subjectOf(pods, at.info.name));
  return parseJson(pod.json()) as ApiObject;
}

/** Gets the permission to delete a pod, or throws. What is returned says in which states it needs none. */
async function permission({ context, options, at }: Evicting, pod: ApiObject): Promise<IsFree> {
  const { namespace, name } = at.info;
  const { signal } = at.request;
  if (countsForNothing(pod)) return countsForNothing;
  const budgets = await budgetsOf(context, namespace, pod, signal);
  if (budgets.length > 1) {
    throw errors.plain(
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [budget] = budgets;
  if (budget === undefined) return always;
  const isFree: IsFree = (one) => countsForNothing(one) || !isReady(one);
  if (isFree(pod) && allowsUnready(budget)) return isFree;
  await spend(context, budget, name, { user: at.user, dryRun: options.dryRun, signal });
  return permitted;
}

/** No budget covers the pod. */
const always: IsFree = () => true;
/** A disruption of its budget was spent on the pod. */
const permitted: IsFree = () => true;

/** Pods that have not begun, have ended or are going anyway. */
function countsForNothing(pod: ApiObject): boolean {
  const phase = isJsonObject(pod['status']) ? pod['status']['phase'] : undefined;
  return (
    phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed' || hasDeletionTimestamp(pod.metadata)
  );
}

async function remove({ context, pods, key, options, at }: Evicting, isFree: IsFree): Promise<void> {
  const { info, request, user } = at;
  const removed = await removeObject(context, pods, {
    key,
    name: info.name,
    options,
    user,
    signal: request.signal,
    subresource: info.subresource,
    prepare(pod) {
      if (!isFree(pod)) throw new CountsNow();
      if (compareReleases(context.release, TARGET_RELEASE) >= 0) noteEvicted(pod, context);
    },
  });
  if (removed === undefined) throw errors.notFound(subjectOf(pods, info.name));
}

/** First release in which an evicted pod says so. */
const TARGET_RELEASE = '1.26';

function noteEvicted(pod: ApiObject, { env }: RegistryContext): void {
  const status = isJsonObject(pod['status']) ? pod['status'] : {};
  const conditions: readonly unknown[] = Array.isArray(status['conditions']) ? status['conditions'] : [];
  const isTarget = (condition: unknown): boolean =>
    isJsonObject(condition) && condition['type'] === 'DisruptionTarget';
  if (hasDeletionTimestamp(pod.metadata) || conditions.some(isTarget)) return;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: formatTime(env.clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  status['conditions'] = [...conditions, condition];
  pod['status'] = status;
}
