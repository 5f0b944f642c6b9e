import type { KeyRange, WatchRange } from './keys.ts';
import type { Committed, Page, Revision, ScanOptions, ScanPart, Store, WatchBatch, Write } from './store.ts';

/** A store that forwards every call to another one. Decorators extend it and override what they change. */
export class ForwardingStore implements Store {
  /** The store that calls are forwarded to. */
  readonly inner: Store;

  constructor(inner: Store) {
    this.inner = inner;
  }

  get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    return this.inner.get(key, signal);
  }

  list(range: KeyRange, options: Parameters<Store['list']>[1], signal: AbortSignal): Promise<Page> {
    return this.inner.list(range, options, signal);
  }

  scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<ScanPart> {
    return this.inner.scan(range, options, signal);
  }

  commit(write: Write, signal: AbortSignal): Promise<Committed> {
    return this.inner.commit(write, signal);
  }

  watch(range: WatchRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    return this.inner.watch(range, after, signal);
  }

  currentRevision(signal: AbortSignal): Promise<Revision> {
    return this.inner.currentRevision(signal);
  }

  compact(through: Revision, signal: AbortSignal): Promise<void> {
    return this.inner.compact(through, signal);
  }

  size(signal: AbortSignal): ReturnType<Store['size']> {
    return this.inner.size(signal);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
