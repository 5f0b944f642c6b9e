import type { CachedObject, EventEncoder, WatchEnd, WatchHandle, WatchItem, WatchSink } from '@orch/cache';

type ChangeItem = Exclude<WatchItem, { readonly type: 'BOOKMARK' }>;

/** Objects in the version that is watched; see `ResourceEncodings.view`. */
type View = (objects: readonly CachedObject[]) => readonly CachedObject[] | Promise<readonly CachedObject[]>;

export interface ConvertingSinkOptions {
  readonly view: View;
  /** Receives the items in their order, with converted objects. */
  readonly sink: WatchSink;
  /** Called instead of the rest of the watch when a conversion failed. */
  readonly failed: (error: unknown) => void;
}

/**
 * Converts the items from the cache for a watch of a version that a service converts. Items whose objects must be
 * converted first delay later ones; meanwhile the cache delivers no further items.
 */
export class ConvertingSink implements WatchSink {
  readonly #options: ConvertingSinkOptions;
  #handle: WatchHandle | undefined;
  /** Deliveries that came while one was converted. */
  readonly #queue: (readonly WatchItem[])[] = [];
  #converting = false;
  #ended: WatchEnd | undefined;
  #hasFailed = false;

  constructor(options: ConvertingSinkOptions) {
    this.#options = options;
  }

  attach(handle: WatchHandle): void {
    this.#handle = handle;
  }

  deliver(items: readonly WatchItem[]): boolean {
    if (this.#hasFailed) return true;
    if (this.#converting) {
      this.#queue.push(items);
      return false;
    }
    const converted = this.#converted(items);
    if (!(converted instanceof Promise)) return this.#options.sink.deliver(converted);
    this.#converting = true;
    this.#drainQueue(converted).catch((error: unknown) => this.#fail(error));
    return false;
  }

  end(reason: WatchEnd): void {
    if (this.#hasFailed) return;
    if (this.#converting) this.#ended = reason;
    else this.#options.sink.end(reason);
  }

  async #drainQueue(first: Promise<readonly WatchItem[]>): Promise<void> {
    let accepted = this.#options.sink.deliver(await first);
    for (let items = this.#queue.shift(); items !== undefined; items = this.#queue.shift())
      accepted = this.#options.sink.deliver(await this.#converted(items));
    this.#converting = false;
    if (this.#ended !== undefined) this.#options.sink.end(this.#ended);
    // A sink that has fallen behind resumes by itself.
    else if (accepted) this.#handle?.resume();
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#converting = false;
    this.#queue.length = 0;
    this.#options.failed(error);
  }

  #converted(items: readonly WatchItem[]): readonly WatchItem[] | Promise<readonly WatchItem[]> {
    const changes = items.filter((item): item is ChangeItem => item.type !== 'BOOKMARK');
    const objects = changes.map(({ object }) => object);
    const view = this.#options.view(objects);
    return view instanceof Promise
      ? view.then((converted) => withObjects(items, converted))
      : withObjects(items, view);
  }
}

/** The items with converted objects, in the order of the items that have one. */
function withObjects(items: readonly WatchItem[], objects: readonly CachedObject[]): readonly WatchItem[] {
  let next = 0;
  return items.map((item) => {
    if (item.type === 'BOOKMARK') return item;
    const object = objects[next++];
    return object === undefined || object === item.object ? item : withObject(item, object);
  });
}

const withObject = (item: ChangeItem, object: CachedObject): WatchItem => ({
  type: item.type,
  rev: item.rev,
  object,
  encoded: (encoder: EventEncoder) =>
    item.encoded({ id: encoder.id, encode: (type) => encoder.encode(type, object) }),
});
