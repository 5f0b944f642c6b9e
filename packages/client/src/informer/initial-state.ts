import { type ApiObject, errors, type Names } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { objectKey } from '../objects/object-key.ts';
import type { FieldSelection, LabelSelection } from '../rest/selection.ts';
import type { ResourceClient, Stored } from '../rest/types.ts';
import { isExpired } from './faults.ts';
import type { OpenWatch } from './open-watch.ts';

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
/** Limits for initial events, after which a list is used instead: a server that does not know them may send nothing. */
const limits = { silentMs: 30_000, totalMs: 120_000 };

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
 * The state from the initial events of a watch, which needs no memory for a whole list. The watch goes on after it. Throws the
 * error of a server without support, and `DeadlineExceeded` when the events do not come to an end.
 */
export async function streamedState<T extends ApiObject>(
  watch: OpenWatch<T>,
  { keep }: Pick<Reading<T>, 'keep'>,
  { annotations }: Pick<Names, 'annotations'>,
): Promise<State<T>> {
  const items = new Map<string, Stored<T>>();
  using limit = watch.limitInitialEvents(limits);
  const read = async (): Promise<State<T>> => {
    for await (const { type, object } of watch.events()) {
      watch.signal.throwIfAborted();
      limit.heard();
      if (type === 'DELETED') items.delete(objectKey(object));
      else if (type !== 'BOOKMARK') items.set(objectKey(object), keep(object));
      else if (object.metadata.annotations?.[annotations.initialEventsEnd] !== undefined)
        return { items: [...items.values()], resourceVersion: object.metadata.resourceVersion ?? '' };
    }
    throw errors.serviceUnavailable('the watch ended before its initial events did', 0);
  };
  // Waiting here instead of in the loop also ends when a transport ignores its signal, and costs nothing for each event.
  return await abortable(read(), watch.signal);
}
