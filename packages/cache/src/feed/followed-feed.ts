import type { MessagePort } from 'node:worker_threads';
import { AsyncQueue } from '@orch/machinery/concurrency';
import {
  type KeyRange,
  prefixRange,
  type Revision,
  type ScanOptions,
  type Store,
  StoreError,
} from '@orch/storage';
import { AdoptedSlabs } from '../objects/adopted-slabs.ts';
import type { ObjectSource, SourceBatch, SourcePart } from '../objects/object-source.ts';
import type { CachedResource } from '../types.ts';
import { FeedDecoder } from './decode.ts';
import type { FeedMessage, FeedRequest } from './messages.ts';

export interface FollowedFeedOptions {
  /** The other end is connected to the `ObjectFeed` of the first thread. */
  readonly port: MessagePort;
  /** Serves what the first thread does not have. */
  readonly store: Pick<Store, 'scan'>;
  /** The resources that this thread caches now. */
  readonly resources: () => Iterable<CachedResource>;
}

/** Part of a load, or its end. */
type Loaded = SourcePart & { readonly resource?: Pick<CachedResource, 'prefix' | 'form'> };

/** A batch with its cost, or a change of slabs that takes effect between two batches. */
type Followed = (SourceBatch & { readonly cost: number }) | (() => void);

/** More than a reader can have unused: the first thread bounds them. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** One load, and the events after it. */
class Subscription {
  readonly load: number;
  readonly parts = new AsyncQueue<Loaded>(UNBOUNDED);
  readonly batches = new AsyncQueue<Followed>(UNBOUNDED);
  /** The batch that the caller has not used yet: it is delivered again when the caller fails. */
  current: (SourceBatch & { readonly cost: number }) | undefined;
  usedCost = 0;
  /** A scan has begun to use it. */
  isUsed = false;

  constructor(load: number) {
    this.load = load;
  }

  fail(error: StoreError): void {
    this.parts.fail(error);
    this.batches.fail(error);
  }
}

/** The cost of used batches that is reported at a time. */
const REPORTED_COST = 256;

/** The state and the events of the watch cache of the first thread, for the watch cache of a further one. */
export class FollowedFeed implements ObjectSource {
  readonly #options: FollowedFeedOptions;
  readonly #slabs = new AdoptedSlabs();
  readonly #decoder = new FeedDecoder(this.#slabs);
  #loads = 0;
  #subscription: Subscription | undefined;

  constructor(options: FollowedFeedOptions) {
    this.#options = options;
    const { port } = options;
    port.on('message', (message: FeedMessage) => this.#receive(message));
    port.on('close', () =>
      this.#subscription?.fail(new StoreError('unavailable', 'the first thread has ended')),
    );
  }

  /** Slabs of the first thread that this one knows. */
  get slabs(): number {
    return this.#slabs.size;
  }

  /** The current state comes from the first thread, other ones and resources that it does not have from the store. */
  async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<SourcePart> {
    if (options.at !== undefined) {
      yield* this.#options.store.scan(range, options, signal);
      return;
    }
    const subscription = this.#unused() ?? this.#subscribe();
    subscription.isUsed = true;
    let isComplete = false;
    try {
      const found = new Set<string>();
      let rev: Revision = 0;
      for await (const part of subscription.parts.iterate(signal)) {
        rev = part.rev;
        if (part.resource === undefined) break;
        if (this.#isRead(part.resource)) {
          found.add(part.resource.prefix);
          yield part;
        }
        this.#send({ type: 'more', load: subscription.load });
      }
      yield { rev, items: [] };
      for (const { prefix } of this.#options.resources()) {
        if (found.has(prefix)) continue;
        yield* this.#options.store.scan(prefixRange(prefix), { ...options, at: rev }, signal);
      }
      isComplete = true;
    } finally {
      if (!isComplete) this.#end(subscription);
    }
  }

  async *watch(_range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const subscription = this.#subscription;
    if (subscription === undefined)
      throw new StoreError('compacted', 'no state of the first thread was loaded');
    for (;;) {
      const batch = subscription.current ?? (await this.#next(subscription, signal));
      if (batch === undefined) return;
      subscription.current = batch;
      if (batch.rev > after) yield batch;
      subscription.current = undefined;
      this.#used(subscription, batch.cost);
    }
  }

  /** Makes the first thread learn of a revision that this one waits for. */
  behind(rev: Revision): void {
    this.#send({ type: 'behind', rev });
  }

  /** Makes the first thread repack the objects of a resource. */
  scattered({ prefix }: Pick<CachedResource, 'prefix'>): void {
    this.#send({ type: 'scattered', prefix });
  }

  close(): void {
    this.#options.port.close();
  }

  #isRead({ prefix, form }: Pick<CachedResource, 'prefix' | 'form'>): boolean {
    for (const own of this.#options.resources()) if (own.prefix === prefix) return own.form === form;
    return false;
  }

  /** A load that the first thread has begun because it has lost events. */
  #unused(): Subscription | undefined {
    return this.#subscription?.isUsed === false ? this.#subscription : undefined;
  }

  #subscribe(): Subscription {
    this.#drop(this.#subscription);
    this.#loads += this.#loads % 2 === 0 ? 2 : 1;
    const subscription = this.#begin(this.#loads);
    this.#send({ type: 'load', load: subscription.load });
    return subscription;
  }

  #begin(load: number): Subscription {
    this.#loads = load;
    this.#subscription = new Subscription(load);
    return this.#subscription;
  }

  #end(subscription: Subscription): void {
    this.#drop(subscription);
    if (this.#subscription === subscription) this.#subscription = undefined;
    this.#send({ type: 'end', load: subscription.load });
  }

  /** The changes of slabs take effect also when the batches are not used. */
  #drop(subscription: Subscription | undefined): void {
    for (let next = subscription?.batches.take(); next !== undefined; next = subscription?.batches.take())
      if (typeof next === 'function') next();
  }

  async #next(subscription: Subscription, signal: AbortSignal) {
    for (;;) {
      const next = await subscription.batches.next(signal);
      if (next.done === true) return undefined;
      if (typeof next.value !== 'function') return next.value;
      next.value();
    }
  }

  #used(subscription: Subscription, cost: number): void {
    subscription.usedCost += cost;
    if (subscription.usedCost < REPORTED_COST) return;
    this.#send({ type: 'used', load: subscription.load, cost: subscription.usedCost });
    subscription.usedCost = 0;
  }

  #receive(message: FeedMessage): void {
    if ('slabs' in message) this.#decoder.learn(message);
    if (message.type === 'retired') {
      this.#retire(message);
      return;
    }
    // The first thread sends all slabs again, also when this one has asked for another load meanwhile.
    if (message.type === 'lost') this.#slabs.clear();
    const subscription = this.#subscription;
    if (subscription === undefined || subscription.load !== message.load) return;
    switch (message.type) {
      case 'part': {
        const { rev, prefix, form } = message;
        const resource = form === undefined ? { prefix } : { prefix, form };
        subscription.parts.push({ rev, items: this.#decoder.part(message), resource });
        break;
      }
      case 'loaded':
        subscription.parts.push({ rev: message.rev, items: [] });
        break;
      case 'batch': {
        const { rev, cost } = message;
        subscription.batches.push({ rev, events: this.#decoder.events(message), cost });
        break;
      }
      case 'lost':
        subscription.fail(new StoreError('compacted', message.reason));
        if (message.next !== undefined) this.#begin(message.next);
    }
  }

  #retire(message: Extract<FeedMessage, { type: 'retired' }>): void {
    const moves = this.#decoder.moves(message);
    const slab = this.#slabs.remove(message.slab);
    if (moves === undefined) return;
    const retire = (): void => slab.retire(moves);
    if (this.#subscription?.batches.push(retire) !== true) retire();
  }

  #send(request: FeedRequest): void {
    this.#options.port.postMessage(request);
  }
}
