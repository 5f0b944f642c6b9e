import type { Revision, WatchBatch } from './store.ts';

/** The state of a store that a watch reads. */
export interface WatchSource {
  /** Set whenever the store reaches a revision, and when it closes. */
  readonly changed: AutoResetEvent;
  /** The newest revision. Throws when the store is closed, or has compacted events after `position`. */
  revision(position: Revision): Revision;
  /** The next events after `position`; called when `revision` is greater. */
  read(position: Revision): WatchBatch | Promise<WatchBatch>;
}

/** Yields the batches after revision `after` as the store reaches them, until the signal aborts. */
export async function* watchLoop(
  source: WatchSource,
  after: Revision,
  signal: AbortSignal,
): AsyncGenerator<WatchBatch> {
  const { changed } = source;
  const onAbort = (): void => changed.set();
  signal.addEventListener('abort', onAbort);
  try {
    for (let position = after; !signal.aborted; ) {
      if (position >= source.revision(position)) {
        await changed.wait();
        continue;
      }
      const read = source.read(position);
      const batch = read instanceof Promise ? await read : read;
      position = batch.rev;
      yield batch;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Releases one waiting loop. `set` without a waiter is kept for the next `wait`, so that a change between a check and
 * the wait is never missed.
 */
export class AutoResetEvent {
  #isSet = false;
  #resolve: (() => void) | undefined;

  set(): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    if (resolve === undefined) this.#isSet = true;
    else resolve();
  }

  /** Resolves at the next `set`, or at once when there was one since the last wait. One caller at a time. */
  wait(): Promise<void> {
    if (this.#isSet) {
      this.#isSet = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}
