import type {
  Committed,
  KeyRange,
  Page,
  Revision,
  ScanOptions,
  ScanPart,
  Store,
  WatchBatch,
  Write,
} from '@orch/storage';
import type { SpanStart, Tracing } from './tracing.ts';

/**
 * A store whose calls on behalf of a request are spans of it. What one request asks for and others wait for too is a
 * span of the first. Keys name objects: only the part that names the resource is told.
 */
export const tracedStore = (store: Store, prefix: string, tracing: Tracing | undefined): Store =>
  tracing === undefined ? store : new TracedStore(store, prefix, tracing);

class TracedStore implements Store {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #tracing: Tracing;

  constructor(store: Store, prefix: string, tracing: Tracing) {
    this.#store = store;
    this.#prefix = prefix;
    this.#tracing = tracing;
  }

  get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    return this.#tracing.spanned(this.#start('get', key), () => this.#store.get(key, signal));
  }

  list(range: KeyRange, options: Parameters<Store['list']>[1], signal: AbortSignal): Promise<Page> {
    return this.#tracing.spanned(this.#start('list', range.start), () =>
      this.#store.list(range, options, signal),
    );
  }

  scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<ScanPart> {
    return this.#store.scan(range, options, signal);
  }

  commit(write: Write, signal: AbortSignal): Promise<Committed> {
    return this.#tracing.spanned(this.#start(write.op, write.key), () => this.#store.commit(write, signal));
  }

  currentRevision(signal: AbortSignal): Promise<Revision> {
    return this.#tracing.spanned(this.#start('revision', ''), () => this.#store.currentRevision(signal));
  }

  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    return this.#store.watch(range, after, signal);
  }

  compact(through: Revision, signal: AbortSignal): Promise<void> {
    return this.#store.compact(through, signal);
  }

  size(signal: AbortSignal): ReturnType<Store['size']> {
    return this.#store.size(signal);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #start(operation: string, key: string): SpanStart {
    const end = key.startsWith(this.#prefix) ? key.indexOf('/', this.#prefix.length) : -1;
    const resource = end < 0 ? '' : key.slice(this.#prefix.length, end);
    return {
      name: `store ${operation}`,
      kind: 'client',
      attributes: {
        'db.operation.name': operation,
        ...(resource === '' ? {} : { 'db.collection.name': resource }),
      },
    };
  }
}
