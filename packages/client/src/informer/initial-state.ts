import { type ApiObject, type Env, errors, type Names } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import type { FieldSelection, LabelSelection } from '../rest/selection.ts';
import type { ResourceClient, Stored } from '../rest/types.ts';
import { isExpired } from './faults.ts';

/** All objects as of one resourceVersion. */
export interface State<T extends ApiObject> {
  readonly items: readonly Stored<T>[];
  readonly resourceVersion: string;
}

export interface Selection {
  readonly labelSelector?: LabelSelection;
  readonly fieldSelector?: FieldSelection;
}

export interface Reading<T extends ApiObject> {
  readonly client: ResourceClient<T>;
  readonly selection: Selection;
  /** Converts an object on arrival, so that a large list is never in memory in both forms. */
  readonly keep: (object: Stored<T>) => Stored<T>;
}

/** Items of a page: a compromise between the cost of requests and the time of decoding a page. */
const PAGE_ITEMS = 500;
/** Limit for the initial events of a streaming list, after which a list is used instead. */
const STREAM_DEADLINE_MS = 120_000;

/**
 * The state by lists of pages, consistent with the time of the request. After the expiration of a continue token the
 * state is read by a single list.
 */
export async function listState<T extends ApiObject>(
  reading: Reading<T>,
  signal: AbortSignal,
): Promise<State<T>> {
  try {
    return await listPages(reading, PAGE_ITEMS, signal);
  } catch (error) {
    if (!isExpired(error)) throw error;
    return await listPages(reading, undefined, signal);
  }
}

async function listPages<T extends ApiObject>(
  { client, selection, keep }: Reading<T>,
  limit: number | undefined,
  signal: AbortSignal,
): Promise<State<T>> {
  const items: Stored<T>[] = [];
  const pages = client.pages(limit === undefined ? selection : { ...selection, limit }, signal);
  let resourceVersion = '';
  for await (const page of ahead(pages)) {
    resourceVersion ||= page.metadata.resourceVersion;
    // Pages of different versions are not a consistent state: events between them would be missed or reverted.
    if (resourceVersion !== page.metadata.resourceVersion)
      throw errors.expired('the pages of a list have different resourceVersions');
    for (const item of page.items) items.push(keep(item));
  }
  return { items, resourceVersion };
}

/** The same with read-ahead: the server prepares the next page while this one is processed. */
async function* ahead<P>(source: AsyncIterable<P>): AsyncGenerator<P, void, undefined> {
  const pages = source[Symbol.asyncIterator]();
  let next = pages.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = pages.next();
      // Its failure is thrown when the page is awaited.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await pages.return?.();
  }
}

/**
 * The state by a watch with initial events, which needs no memory for a whole list. Throws the error of servers without
 * support.
 */
export async function streamState<T extends ApiObject>(
  { client, selection, keep }: Reading<T>,
  { env, names }: { readonly env: Pick<Env, 'clock'>; readonly names: Names },
  signal: AbortSignal,
): Promise<State<T>> {
  using deadline = withDeadline(signal, env.clock, STREAM_DEADLINE_MS);
  const items = new Map<string, Stored<T>>();
  const events = client.watch(
    {
      ...selection,
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowBookmarks: true,
      timeoutSeconds: STREAM_DEADLINE_MS / 1000,
    },
    deadline.signal,
  );
  for await (const { type, object } of events) {
    const { metadata } = object;
    if (type === 'BOOKMARK') {
      if (metadata.annotations?.[names.annotations.initialEventsEnd] === undefined) continue;
      return { items: [...items.values()], resourceVersion: metadata.resourceVersion ?? '' };
    }
    const key = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
    if (type === 'DELETED') items.delete(key);
    else items.set(key, keep(object));
  }
  throw errors.serviceUnavailable('the watch ended before its initial events did', 0);
}
