import { anySignal, onAbort } from '@orch/machinery/concurrency';
import type { WatchRange } from '../keys.ts';
import { type Revision, StoreError, type WatchBatch } from '../store.ts';
import { eventRevision } from '../store-values.ts';
import type { Place } from './place.ts';

export interface WatchPlacesOptions {
  readonly range: WatchRange;
  readonly after: Revision;
  /** Rejects when events of the place are not those of the content that the server knows. */
  readonly confirm: (place: Place, signal: AbortSignal) => Promise<void> | undefined;
}

/** Watches a place, and continues in the next one after all events of this one. */
export async function* watchPlaces(
  first: Place,
  { range, after, confirm }: WatchPlacesOptions,
  signal: AbortSignal,
): AsyncGenerator<WatchBatch> {
  let position = after;
  for (let place = first; ; ) {
    for await (const batch of watchPlace(place, { range, after: position, confirm }, signal)) {
      position = batch.rev;
      yield batch;
    }
    if (signal.aborted || place.next === undefined) return;
    const { nextRevision } = place.next.migration;
    if (position > nextRevision)
      throw new StoreError('compacted', `the store was moved at revision ${nextRevision}`, {
        compactRevision: nextRevision,
      });
    place = place.next.place;
    if (position < nextRevision) yield { rev: nextRevision, events: [] };
    position = nextRevision;
  }
}

/** Ends when the place has moved and all of its events were yielded. */
async function* watchPlace(
  place: Place,
  { range, after, confirm }: WatchPlacesOptions,
  signal: AbortSignal,
): AsyncGenerator<WatchBatch> {
  let position = after;
  const isOver = (): boolean => place.next !== undefined && position >= place.next.migration.lastRevision;
  using scope = anySignal([signal]);
  const unregister = onAbort(place.left, () => {
    if (isOver()) scope.abort();
  });
  try {
    if (scope.signal.aborted) return;
    for await (const read of place.view.watch(range, after, scope.signal)) {
      await confirm(place, signal);
      // A batch that was on its way when the content was moved has nothing that was not yielded.
      if (isOver()) return;
      const batch = ofPlace(read, place);
      position = batch.rev;
      yield batch;
      if (isOver()) return;
    }
  } catch (error) {
    if (signal.aborted) return;
    // The earlier store was closed before the watch has read all of it.
    const isLost = place.next !== undefined && error instanceof StoreError && error.code === 'closed';
    throw isLost ? new StoreError('unavailable', 'the store was moved', { cause: error }) : error;
  } finally {
    unregister();
  }
}

/** Without the writes to the place after the content was moved, such as those of a migration back. */
function ofPlace(batch: WatchBatch, { next }: Place): WatchBatch {
  const last = next?.migration.lastRevision ?? batch.rev;
  if (batch.rev <= last) return batch;
  return { rev: last, events: batch.events.filter((event) => eventRevision(event) <= last) };
}
