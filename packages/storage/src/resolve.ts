import { keyAfter } from './keys.ts';
import type { KeyValue, KvEvent, Revision, Store, Write } from './store.ts';

/**
 * What a re-read established about a write whose reply was lost.
 *
 * - `committed`: it took effect, as revision `rev`.
 * - `lost`: it did not and never will; another write came first. `current` is what the key holds at `rev`.
 * - `notWritten`: it did not and never will, although nothing stood in its way.
 * - `unknown`: not established.
 */
export type Resolution =
  | { readonly outcome: 'committed'; readonly rev: Revision }
  | { readonly outcome: 'lost'; readonly rev: Revision; readonly current?: KeyValue }
  | { readonly outcome: 'notWritten' }
  | { readonly outcome: 'unknown' };

export interface ResolveOptions {
  /** A revision that the store had reached before the write was sent. The key's history is read from there. */
  readonly sentAfter: Revision;
  /**
   * Whether this version can only come from the write in question. The default compares bytes, which is sound only
   * when no two writers ever send the same bytes: a fresh uid in a created object, or a mark the backend adds.
   */
  readonly isOurs?: (kv: KeyValue) => boolean;
  /** The request is known to be dead: had it not taken effect by now, it never will. Default false. */
  readonly settled?: boolean;
}

/**
 * Decides an ambiguous commit by reading the history of its key; it never sends the write again. Success is proven by
 * a version that only this write can have made. Failure is proven when the compare can no longer succeed:
 *
 * - update and delete: the first event of the key after `expected` consumed that version, and revisions never come
 *   back. Ours: `committed`. Somebody else's put, or a deletion when ours was an update: `lost`. A deletion when ours
 *   was one too carries no mark and stays `unknown`. No event yet: the request may still be on its way, so `unknown`
 *   – or `notWritten` when it is `settled`.
 * - create: a version of ours after `sentAfter` is `committed`. Without one, a request on its way may still find the
 *   key absent later, so only `settled` proves `lost` (the key is taken) or `notWritten` (it is absent, or was
 *   taken and freed in between).
 *
 * Rejects as `get` and `watch` do: with `compacted` when the history is gone, `unavailable` when it cannot be read.
 */
export async function resolveCommit(
  store: Pick<Store, 'get' | 'watch'>,
  write: Write,
  options: ResolveOptions,
  signal: AbortSignal,
): Promise<Resolution> {
  const { rev, kv } = await store.get(write.key, signal);
  const settled = options.settled ?? false;
  const lost: Resolution =
    kv === undefined ? { outcome: 'lost', rev } : { outcome: 'lost', rev, current: kv };
  const isOurs = (event: KvEvent) =>
    event.type === 'put' && write.op !== 'delete' && (options.isOurs ?? sameBytes(write.value))(event.kv);

  if (write.op === 'create') {
    const ours = await firstEvent(
      store,
      write.key,
      { after: options.sentAfter, through: rev, accept: isOurs },
      signal,
    );
    if (ours !== undefined) return { outcome: 'committed', rev: revisionOf(ours) };
    if (!settled) return { outcome: 'unknown' };
    return kv === undefined ? { outcome: 'notWritten' } : lost;
  }
  // Nothing consumed the expected version: no need for its history.
  if (kv?.modRevision === write.expected) return { outcome: settled ? 'notWritten' : 'unknown' };
  const span = { after: write.expected, through: rev, accept: () => true };
  const next = await firstEvent(store, write.key, span, signal);
  // The key does not hold that version and nothing replaced it: a revision the key has never had.
  if (next === undefined) return settled ? lost : { outcome: 'unknown' };
  if (isOurs(next)) return { outcome: 'committed', rev: revisionOf(next) };
  return next.type === 'delete' && write.op === 'delete' ? { outcome: 'unknown' } : lost;
}

function sameBytes(value: Buffer): (kv: KeyValue) => boolean {
  return (kv) => kv.value.equals(value);
}

function revisionOf(event: KvEvent): Revision {
  return event.type === 'put' ? event.kv.modRevision : event.modRevision;
}

interface Span {
  readonly after: Revision;
  readonly through: Revision;
  readonly accept: (event: KvEvent) => boolean;
}

/** The first acceptable event of `key` in `(after, through]`. */
async function firstEvent(
  store: Pick<Store, 'watch'>,
  key: string,
  span: Span,
  signal: AbortSignal,
): Promise<KvEvent | undefined> {
  if (span.after >= span.through) return undefined;
  for await (const batch of store.watch({ start: key, end: keyAfter(key) }, span.after, signal)) {
    const found = batch.events.find((event) => revisionOf(event) <= span.through && span.accept(event));
    if (found !== undefined || batch.rev >= span.through) return found;
  }
  signal.throwIfAborted();
  return undefined;
}
