import type { ResourceClient } from '@orch/client';
import { ApiError, type ObjectMeta } from '@orch/machinery';
import { anySignal, type Semaphore } from '@orch/machinery/concurrency';
import { preconditionsOf } from '../api/writes.ts';
import { isLater } from './object-pages.ts';
import type { Pace } from './pace.ts';
import type { Progress } from './progress.ts';

/** Refusals whose reasons are kept. */
const MAX_REFUSALS = 3;
const MAX_REASON_CHARS = 512;

/** Failures that depend on the object, not on the state of the server. */
const refusalCodes: ReadonlySet<number> = new Set([400, 403, 405, 413, 415, 422]);

/** The result for an object: stored again, or in the storage version already, or refused for a reason. */
type Outcome = 'stored' | 'current' | { readonly refused: string };

export interface StoreAgain {
  readonly objects: ResourceClient;
  readonly permits: Semaphore;
  readonly pace: Pace;
}

/** Stores objects again that have not been written since `since`, and returns the progress after them. */
export async function storeAgain(
  parts: StoreAgain,
  {
    items,
    since,
    before,
  }: { readonly items: readonly ObjectMeta[]; readonly since: string; readonly before: Progress },
  signal: AbortSignal,
): Promise<Progress> {
  const outcomes = await all(items, signal, async (meta, own): Promise<Outcome> => {
    if (isLater(meta.resourceVersion ?? '', since)) return 'current';
    return await parts.permits.run(own, async () => {
      await parts.pace.turn(own);
      return await storeOne(parts.objects, meta, own);
    });
  });
  const refusals = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome.refused] : []));
  return {
    ...before,
    examined: before.examined + items.length,
    stored: before.stored + outcomes.filter((outcome) => outcome === 'stored').length,
    refused: before.refused + refusals.length,
    refusals: [...before.refusals, ...refusals].slice(0, MAX_REFUSALS),
  };
}

/** The results for all items. The first failure aborts the others and is thrown. */
async function all<T, R>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<readonly R[]> {
  using scope = anySignal([signal]);
  const results: R[] = [];
  let failure: { readonly cause: unknown } | undefined;
  const one = async (item: T): Promise<void> => {
    try {
      results.push(await work(item, scope.signal));
    } catch (cause) {
      failure ??= { cause };
      scope.abort(cause);
    }
  };
  await Promise.all(items.map(one));
  signal.throwIfAborted();
  if (failure !== undefined) throw failure.cause;
  return results;
}

/**
 * Writes an object unchanged, by a patch that contains only its identity: the server stores the object in the storage
 * version and changes nothing else. An object that was written or deleted meanwhile needs no write.
 */
async function storeOne(objects: ResourceClient, meta: ObjectMeta, signal: AbortSignal): Promise<Outcome> {
  const { name = '', namespace } = meta;
  const own = namespace === undefined ? objects : objects.in(namespace);
  try {
    const { metadata } = await own.patch.merge(name, { metadata: preconditionsOf(meta) }, {}, signal);
    return metadata.resourceVersion === meta.resourceVersion ? 'current' : 'stored';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, details, message = '' } = error.status;
    if (code === 404 && details?.name === name) return 'current';
    if (code === 409 && (await hasChanged(own, meta, signal))) return 'current';
    if (!refusalCodes.has(code)) throw error;
    const subject = namespace === undefined ? name : `${namespace}/${name}`;
    return { refused: `${subject}: ${message}`.slice(0, MAX_REASON_CHARS) };
  }
}

/** Reports whether another write is the reason of a conflict: webhooks and fences cause conflicts, too. */
async function hasChanged(objects: ResourceClient, meta: ObjectMeta, signal: AbortSignal): Promise<boolean> {
  const { items } = await objects.list({ fieldSelector: `metadata.name=${meta.name}` }, signal);
  const [now] = items;
  return now?.metadata.resourceVersion !== meta.resourceVersion;
}
