import type { MessagePort } from 'node:worker_threads';
import { type Deferred, deferred } from '@orch/machinery/concurrency';
import type { Revision } from '@orch/storage';
import type { Retired } from '../objects/shared-slabs.ts';
import type { SlabSharing } from '../objects/slab.ts';
import type { State } from '../resource/resource-state.ts';
import type { UnreadableObject } from '../types.ts';
import { type EncodedResource, FeedEncoder, unreadableValue } from './encoder.ts';
import type { FeedMessage, FeedRequest, SentEvent, SentSlab } from './messages.ts';

/** Objects of one message of a load. */
const PART_OBJECTS = 512;
/** Parts that the reader has not used yet. */
const MAX_PARTS = 4;

/** The state of a resource, for a load. */
export interface FedState {
  readonly resource: EncodedResource;
  readonly state: State;
  readonly unreadable: readonly UnreadableObject[];
}

export interface FedSnapshot {
  readonly rev: Revision;
  readonly states: readonly FedState[];
}

/** The first thread, for a reader. */
export interface FeedHost {
  /** Resolves after the first load of the cache. */
  ready(): Promise<void>;
  /** The state of all resources that are loaded. */
  snapshot(): FedSnapshot;
  /** Brings the objects of a resource into the order of their keys in memory. */
  repack(prefix: string): void;
  /** Makes the cache learn of a revision that a reader waits for. */
  reach(rev: Revision): void;
}

/** Events that were encoded once for all readers. */
export interface EncodedBatch {
  readonly rev: Revision;
  readonly events: readonly SentEvent[];
  readonly encoder: FeedEncoder;
}

/** A further thread, for the feed of the first one. */
export class FeedReader {
  readonly #port: MessagePort;
  readonly #host: FeedHost;
  readonly #maxCost: number;
  /** Slabs that the thread knows, until they are retired. */
  readonly #known = new Set<number>();
  /** The load whose events are sent; 0 for none. */
  #load = 0;
  #follows = false;
  #unusedParts = 0;
  #unusedCost = 0;
  #room: Deferred<void> | undefined;

  constructor(port: MessagePort, host: FeedHost, maxCost: number) {
    this.#port = port;
    this.#host = host;
    this.#maxCost = maxCost;
    port.on('message', (request: FeedRequest) => this.#receive(request));
    port.unref();
  }

  get follows(): boolean {
    return this.#follows;
  }

  /** Sends events. A reader that has too many unused ones has to load the state again. */
  batch({ rev, events, encoder }: EncodedBatch): void {
    if (!this.#follows) return;
    const cost = 1 + events.length + encoder.cost;
    if (this.#unusedCost + cost > this.#maxCost) {
      this.lose('the thread is too far behind');
      return;
    }
    this.#unusedCost += cost;
    const slabs = this.#newSlabs(encoder.slabs);
    this.#send({ type: 'batch', load: this.#load, rev, slabs, labels: encoder.labels, events, cost });
  }

  retired({ slab, isCompacted }: Retired): void {
    const { sharing } = slab;
    if (sharing === undefined || !this.#known.delete(sharing.id)) return;
    const moved = sharing.moved.filter(({ slot }) => isCompacted && slot.live);
    moved.sort((a, b) => a.from - b.from);
    const encoder = new FeedEncoder();
    const to = Uint32Array.from(moved, ({ slot }) => encoder.slab(slot.slab) ?? 0);
    this.#send({
      type: 'retired',
      slab: sharing.id,
      slabs: this.#newSlabs(encoder.slabs),
      ...(isCompacted && { from: Uint32Array.from(moved, ({ from }) => from) }),
      to,
      offsets: Uint32Array.from(moved, ({ slot }) => slot.offset),
    });
  }

  /** The reader has missed events: it has to load the state again, which is sent at once when a snapshot is given. */
  lose(reason: string, snapshot?: FedSnapshot): void {
    if (!this.#follows) return;
    const load = this.#load;
    this.#end();
    this.#known.clear();
    const next = load + (load % 2 === 0 ? 1 : 2);
    this.#send({ type: 'lost', load, reason, ...(snapshot && { next }) });
    if (snapshot === undefined) return;
    this.#load = next;
    void this.#sendState(next, snapshot);
  }

  close(): void {
    this.#end();
    this.#port.close();
  }

  #receive(request: FeedRequest): void {
    switch (request.type) {
      case 'load':
        this.#end();
        this.#load = request.load;
        void this.#answer(request.load);
        break;
      case 'more':
        if (request.load === this.#load) this.#used();
        break;
      case 'used':
        if (request.load === this.#load) this.#unusedCost -= request.cost;
        break;
      case 'end':
        if (request.load === this.#load) this.#end();
        break;
      case 'scattered':
        this.#host.repack(request.prefix);
        break;
      case 'behind':
        this.#host.reach(request.rev);
    }
  }

  async #answer(load: number): Promise<void> {
    const isReady = await this.#host.ready().then(
      () => true,
      // The cache has stopped, and so does the thread.
      () => false,
    );
    if (isReady && this.#load === load) await this.#sendState(load, this.#host.snapshot());
  }

  /** Events after the snapshot are sent from now on, between the parts of it. */
  async #sendState(load: number, { rev, states }: FedSnapshot): Promise<void> {
    this.#follows = true;
    for (const state of states) {
      for (let after: string | undefined; ; ) {
        if (this.#unusedParts >= MAX_PARTS) await this.#whenRoom();
        if (this.#load !== load) return;
        after = this.#sendPart(state, { load, rev, after });
        if (after === undefined) break;
      }
    }
    this.#send({ type: 'loaded', load, rev });
  }

  /** Returns the last key; undefined when no object follows. */
  #sendPart(
    { resource, state, unreadable }: FedState,
    {
      load,
      rev,
      after,
    }: { readonly load: number; readonly rev: Revision; readonly after: string | undefined },
  ): string | undefined {
    const objects = state.collect('', after, PART_OBJECTS);
    const encoder = new FeedEncoder();
    const sent = objects.filter(({ corrupt }) => !corrupt).map((object) => encoder.object(resource, object));
    this.#unusedParts++;
    this.#send({
      type: 'part',
      load,
      rev,
      prefix: resource.prefix,
      form: resource.form,
      slabs: this.#newSlabs(encoder.slabs),
      labels: encoder.labels,
      objects: sent,
      unreadable: after === undefined ? unreadable.map((object) => unreadableValue(resource, object)) : [],
    });
    return objects.length < PART_OBJECTS ? undefined : objects.at(-1)?.key;
  }

  #used(): void {
    this.#unusedParts--;
    this.#room?.resolve();
  }

  #whenRoom(): Promise<void> {
    this.#room = deferred();
    return this.#room.promise;
  }

  #end(): void {
    this.#load = 0;
    this.#follows = false;
    this.#unusedParts = 0;
    this.#unusedCost = 0;
    this.#room?.resolve();
  }

  #newSlabs(slabs: Iterable<SlabSharing>): readonly SentSlab[] {
    const unknown: SentSlab[] = [];
    for (const { id, buffer } of slabs) {
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      unknown.push({ id, buffer });
    }
    return unknown;
  }

  #send(message: FeedMessage): void {
    this.#port.postMessage(message);
  }
}
