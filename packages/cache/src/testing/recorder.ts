import assert from 'node:assert/strict';
import type { Revision } from '@orch/storage';
import type {
  EventEncoder,
  ResourceCache,
  WatchEnd,
  WatchHandle,
  WatchItem,
  WatchQuery,
  WatchSink,
} from '../types.ts';
import type { Pod } from './fixture.ts';
import type { Seen } from './writer.ts';

const encoder: EventEncoder = {
  id: 'test',
  encode: (type, object) => Buffer.from(`{"type":"${type}","object":${object.json().toString()}}`),
};

/** A sink that records the items of a watch, and checks that the bytes of each event match its attributes. */
export class Recorder implements WatchSink {
  readonly items: WatchItem[] = [];
  readonly deliveries: number[] = [];
  ended: WatchEnd | undefined;
  closed = false;
  /** Blocks after each delivery until `resume`. */
  blocking = false;
  #failure: unknown;
  #handle: WatchHandle | undefined;

  async start(resource: ResourceCache, query: WatchQuery, signal: AbortSignal): Promise<this> {
    this.#handle = await resource.watch(query, this, signal);
    return this;
  }

  deliver(items: readonly WatchItem[]): boolean {
    try {
      this.#check(items);
    } catch (error) {
      this.#failure ??= error;
    }
    return !this.blocking;
  }

  #check(items: readonly WatchItem[]): void {
    assert.equal(this.ended, undefined, 'nothing is delivered after the end');
    assert.ok(items.length > 0);
    this.deliveries.push(items.length);
    for (const item of items) {
      this.items.push(item);
      if (item.type === 'BOOKMARK') continue;
      const frame = JSON.parse(item.encoded(encoder).toString()) as { type: string; object: Pod };
      assert.equal(frame.type, item.type);
      assert.equal(
        frame.object.metadata.resourceVersion,
        String(item.rev),
        'the object carries the revision of the event',
      );
      assert.equal(`${frame.object.metadata.namespace}/${frame.object.metadata.name}`, item.object.key);
    }
  }

  end(reason: WatchEnd): void {
    assert.equal(this.ended, undefined, 'a watch ends once');
    this.ended = reason;
  }

  resume(): void {
    this.#handle?.resume();
  }

  drain(): void {
    this.#handle?.drain();
  }

  close(): void {
    this.closed = true;
    this.#handle?.close();
  }

  /** Events without bookmarks. */
  get seen(): readonly Seen[] {
    if (this.#failure !== undefined) throw this.#failure;
    return this.items.flatMap((item) =>
      item.type === 'BOOKMARK' ? [] : [{ type: item.type, rev: item.rev, key: item.object.key }],
    );
  }

  get bookmarks(): readonly Revision[] {
    return this.items.flatMap((item) => (item.type === 'BOOKMARK' ? [item.rev] : []));
  }
}
