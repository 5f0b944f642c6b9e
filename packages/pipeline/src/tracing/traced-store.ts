import {
  type Committed,
  ForwardingStore,
  type KeyRange,
  type Page,
  type Revision,
  type Store,
  type Write,
} from '@orch/storage';
import type { SpanStart, Tracing } from './tracing.ts';

/**
 * A store whose calls for a request are spans of it. A call that several requests share is a span of the first. Keys
 * contain object names: only the resource part is recorded.
 */
export const tracedStore = (store: Store, prefix: string, tracing: Tracing | undefined): Store =>
  tracing === undefined ? store : new TracedStore(store, prefix, tracing);

class TracedStore extends ForwardingStore {
  readonly #prefix: string;
  readonly #tracing: Tracing;

  constructor(store: Store, prefix: string, tracing: Tracing) {
    super(store);
    this.#prefix = prefix;
    this.#tracing = tracing;
  }

  override get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    return this.#tracing.spanned(this.#start('get', key), () => super.get(key, signal));
  }

  override list(range: KeyRange, options: Parameters<Store['list']>[1], signal: AbortSignal): Promise<Page> {
    return this.#tracing.spanned(this.#start('list', range.start), () => super.list(range, options, signal));
  }

  override commit(write: Write, signal: AbortSignal): Promise<Committed> {
    return this.#tracing.spanned(this.#start(write.op, write.key), () => super.commit(write, signal));
  }

  override currentRevision(signal: AbortSignal): Promise<Revision> {
    return this.#tracing.spanned(this.#start('revision', ''), () => super.currentRevision(signal));
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
