import assert from 'node:assert/strict';
import { type Env, type Random, silentLogger, systemRandom } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import {
  type Backend,
  besideRanges,
  type Committed,
  compactionKeyOf,
  eventKey,
  eventRevision,
  ForwardingStore,
  historyPrefixOf,
  type KeyRange,
  type KeyValue,
  type KvEvent,
  ModelStore,
  MovableStore,
  prefixRange,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type Store,
  StoreError,
  type WatchBatch,
  type Write,
} from '@orch/storage';

export const PREFIX = '/registry/';
const KEYS = 30;
/** Time passes faster than outside: pauses that are ended by other servers take ten seconds. */
const TICK_MS = 25;

/** The connection of one process to a store: it can be cut after a number of calls. */
export class Connection extends ForwardingStore {
  readonly #onCall: () => void;
  readonly #random: Random;
  isCut = false;
  #cut = new AbortController();
  #stalled: Promise<void> = Promise.resolve();

  constructor(inner: Store, random: Random, onCall: () => void = () => undefined) {
    super(inner);
    this.#random = random;
    this.#onCall = onCall;
  }

  cut(): void {
    this.isCut = true;
    this.#cut.abort();
  }

  heal(): void {
    this.isCut = false;
    this.#cut = new AbortController();
  }

  /** Requests are sent, and answers and events arrive, when the returned function was called: as when the process is stopped. */
  stall(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stalled = promise;
    return resolve;
  }

  override get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    return this.#call(() => super.get(key, signal));
  }

  override list(...args: Parameters<Store['list']>): ReturnType<Store['list']> {
    return this.#call(() => super.list(...args));
  }

  override async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    for await (const part of super.scan(range, options, signal)) {
      await this.#call(async () => undefined);
      yield part;
    }
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    const committed = await this.#call(() => super.commit(write, signal));
    // The reply is lost when the process or the network ends between the commit and it.
    if (this.isCut) throw new StoreError('outcomeUnknown', 'cut');
    return committed;
  }

  override async *watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    const either = AbortSignal.any([signal, this.#cut.signal]);
    for await (const batch of super.watch(range, after, either)) {
      await this.#stalled;
      yield batch;
    }
    if (!signal.aborted) throw new StoreError('unavailable', 'cut');
  }

  override currentRevision(signal: AbortSignal): Promise<Revision> {
    return this.#call(() => super.currentRevision(signal));
  }

  override async close(): Promise<void> {
    this.cut();
  }

  /** Other processes do something meanwhile. */
  async #transit(): Promise<void> {
    for (let ticks = this.#random.int(4); ticks > 0; ticks--)
      await new Promise((resolve) => setImmediate(resolve));
    await this.#stalled;
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    await this.#transit();
    if (this.isCut) throw new StoreError('unavailable', 'cut');
    this.#onCall();
    if (this.isCut) throw new StoreError('unavailable', 'cut');
    const result = await work();
    await this.#transit();
    return result;
  }
}

interface Acknowledged {
  readonly rev: Revision;
  readonly key: string;
  readonly value: string | undefined;
}

interface ServerOptions {
  readonly connections: readonly Connection[];
  /** The revision from which it watches. */
  readonly from: Revision;
  readonly earlier: readonly KvEvent[];
  readonly isRestarted: boolean;
}

/** A server: it writes, reads and watches all the time. */
export class Server {
  readonly events: KvEvent[] = [];
  readonly store: MovableStore;
  readonly #connections: readonly Connection[];
  readonly #world: World;
  readonly #stop = new AbortController();
  #work: readonly Promise<void>[] = [];
  failure: unknown;
  /** Writes that it has acknowledged. */
  acknowledged = 0;
  readonly isRestarted: boolean;
  /** What a server has listed that could not continue its watch. */
  base: { readonly rev: Revision; readonly items: readonly KeyValue[] } = { rev: 0, items: [] };
  readonly from: Revision;
  /** Those of the server that this one has replaced. */
  readonly earlier: readonly KvEvent[];

  constructor(world: World, store: MovableStore, options: ServerOptions) {
    this.#world = world;
    this.store = store;
    this.#connections = options.connections;
    this.from = options.from;
    this.earlier = options.earlier;
    this.isRestarted = options.isRestarted;
  }

  start(): void {
    const { signal } = this.#stop;
    const kept = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => {
        if (!signal.aborted) this.failure ??= error;
      });
    this.#work = [
      kept(this.store.run(signal)),
      kept(this.#watch(signal)),
      kept(this.#write(signal)),
      kept(this.#read(signal)),
      kept(this.#writeBeside(signal)),
    ];
  }

  /** As when its process is killed: nothing of it reaches a store any more. */
  get position(): Revision {
    const last = this.events.at(-1);
    return last === undefined ? this.from : eventRevision(last);
  }

  kill(): void {
    this.#stop.abort();
    for (const connection of this.#connections) connection.cut();
  }

  /** As when its process is stopped by a signal, until the returned function is called. */
  stall(): () => void {
    const resume = this.#connections.map((connection) => connection.stall());
    return () => {
      for (const one of resume) one();
    };
  }

  /** Resolves when the server has ended all work by itself. */
  async ended(): Promise<void> {
    await Promise.all(this.#work);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#work);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let position = this.from;
    await this.#repeated(async () => {
      try {
        for await (const { rev, events } of this.store.watch(prefixRange(PREFIX), position, signal)) {
          assert.ok(rev >= position, `a watch went back from ${position} to ${rev}`);
          for (const event of events)
            assert.ok(eventRevision(event) > position && eventRevision(event) <= rev);
          position = rev;
          this.events.push(...events);
        }
      } catch (error) {
        // Only a server that was started after the move lacks history.
        if (!(error instanceof StoreError) || error.code !== 'compacted' || !this.isRestarted) throw error;
        const { rev, items } = await this.store.list(prefixRange(PREFIX), {}, signal);
        position = rev;
        this.base = { rev, items };
      }
    }, signal);
  }

  async #write(signal: AbortSignal): Promise<void> {
    const { random, acknowledged, unknown } = this.#world;
    let n = 0;
    await this.#repeated(async () => {
      const key = `${PREFIX}maps/${random.int(KEYS)}`;
      const { kv } = await this.store.get(key, signal);
      const text = `${n++} ${random.int(1000)}`;
      const value = Buffer.from(text);
      const write: Write =
        kv === undefined
          ? { op: 'create', key, value, ...(random.int(4) === 0 ? { ttlSeconds: 10_000 } : {}) }
          : random.int(3) === 0
            ? { op: 'delete', key, expected: kv.modRevision }
            : { op: 'update', key, value, expected: kv.modRevision };
      const guards = kv === undefined ? {} : { guards: [{ key, revision: kv.modRevision }] as const };
      unknown.add(key);
      const committed = await this.store.commit({ ...write, ...guards }, signal).catch((error: unknown) => {
        const isUnknown = signal.aborted || (error instanceof StoreError && error.code === 'outcomeUnknown');
        if (!isUnknown) unknown.delete(key);
        throw error;
      });
      unknown.delete(key);
      if (committed.ok) this.acknowledged++;
      if (committed.ok)
        acknowledged.push({ rev: committed.rev, key, value: write.op === 'delete' ? undefined : text });
    }, signal);
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { acknowledged } = this.#world;
    await this.#repeated(async () => {
      const last = acknowledged.at(-1)?.rev ?? 0;
      const rev = await this.store.currentRevision(signal);
      assert.ok(rev >= last, `a consistent read at ${rev} lacks the write of ${last}`);
    }, signal);
  }

  /** As the compactor and the history do: keys that are not moved, with the revisions of the store in which they are. */
  async #writeBeside(signal: AbortSignal): Promise<void> {
    const { random } = this.#world;
    const key = compactionKeyOf(PREFIX);
    const history = historyPrefixOf(PREFIX);
    await this.#repeated(async () => {
      const { kv, rev } = await this.store.get(key, signal);
      assert.ok(kv === undefined || kv.value.toString() === 'own', `${kv?.value} was left in the store`);
      assert.ok((kv?.modRevision ?? 0) <= rev);
      const also = [{ key: `${history}${rev}/${random.int(1_000_000)}`, value: Buffer.from('own') }];
      const value = Buffer.from('own');
      await this.store.commit(
        kv === undefined
          ? { op: 'create', key, value, also }
          : { op: 'update', key, value, also, expected: kv.modRevision },
        signal,
      );
      for await (const { items } of this.store.scan(prefixRange(history), { keysOnly: true }, signal))
        for (const item of items) assert.ok(item.modRevision > 0, item.key);
      const { items } = await this.store.list(prefixRange(history), { limit: 10 }, signal);
      for (const item of items) assert.equal(item.value.toString(), 'own', item.key);
    }, signal);
  }

  /** As clients do: again after failures that pass. */
  async #repeated(step: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await step();
      } catch (error) {
        if (this.store.gate.failed.aborted) throw error;
        const passes = error instanceof StoreError && /unavailable|outcomeUnknown/.test(error.code);
        if (!passes) throw error;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Two stores in memory, servers that use the first one, and everything that was acknowledged to their clients. */
export class World implements AsyncDisposable {
  readonly random: Random;
  readonly isShared: boolean;
  readonly clock = new FakeClock();
  readonly models = { a: new ModelStore({ clock: this.clock }), b: new ModelStore({ clock: this.clock }) };
  readonly servers: Server[] = [];
  readonly acknowledged: Acknowledged[] = [];
  /** Keys whose last write has an unknown outcome. */
  readonly unknown = new Set<string>();
  firstRevision: Revision = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(random: Random, isShared: boolean) {
    this.random = random;
    this.isShared = isShared;
    this.models.a.skipRevisions(random.int(5000));
    this.models.b.skipRevisions(random.int(5000));
    const left = Buffer.from('earlier content');
    for (const { start } of besideRanges(PREFIX))
      this.models.b.commitTogether([{ op: 'create', key: start, value: left }]);
    this.firstRevision = this.models.a.skipRevisions(1);
    this.#timer = setInterval(() => this.clock.advance(TICK_MS), 1);
  }

  get env(): Pick<Env, 'clock' | 'random' | 'log'> {
    return { clock: this.clock, random: systemRandom, log: silentLogger };
  }

  backend(name: 'a' | 'b', onCall?: () => void): Backend & { readonly store: Connection } {
    const store = new Connection(this.models[name], this.random, onCall);
    // The embedded store in one direction: it has one server.
    return { store, isShared: this.isShared || name === 'b', name };
  }

  /** Starts a server with the flags of the first store; `after` another one that was killed. */
  async server({
    onCall = () => undefined,
    after,
  }: {
    readonly onCall?: () => void;
    readonly after?: Server;
  } = {}): Promise<Server> {
    const backend = this.backend('a', onCall);
    const opened: Connection[] = [backend.store];
    const openMoved = async ({ to }: { readonly to: string }): Promise<Backend> => {
      const next = this.backend(to === 'a' ? 'a' : 'b', onCall);
      opened.push(next.store);
      return next;
    };
    const signal = AbortSignal.timeout(20_000);
    const store = await MovableStore.open(backend, { prefix: PREFIX, openMoved, env: this.env }, signal);
    const isRestarted = after !== undefined;
    const from = after?.position ?? this.firstRevision;
    const earlier = after?.events ?? [];
    const server = new Server(this, store, { connections: opened, from, earlier, isRestarted });
    this.servers.push(server);
    server.start();
    return server;
  }

  /** Waits until a write of every server was acknowledged. */
  async writing(servers: readonly Server[] = this.servers): Promise<void> {
    for (const server of servers) {
      const seen = server.events.length;
      while (server.events.length < seen + 20 && server.failure === undefined)
        await new Promise((resolve) => setTimeout(resolve, 1));
      assert.equal(server.failure, undefined);
    }
  }

  /** Every acknowledged write is an event once, at all servers in the same order, and the content is what they result in. */
  async check(servers: readonly Server[], content: Store): Promise<void> {
    const [first] = servers;
    assert.ok(first !== undefined);
    const { signal } = new AbortController();
    const probe = `${PREFIX}probe`;
    const committed = await first.store.commit({ op: 'create', key: probe, value: Buffer.from('x') }, signal);
    assert.ok(committed.ok);
    for (const server of servers) {
      while (!server.events.some((event) => eventKey(event) === probe)) {
        assert.equal(server.failure, undefined);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await server.stop();
      assert.deepEqual(
        server.events.slice(0, first.events.length).map(described),
        first.events.slice(0, server.events.length).map(described),
      );
    }
    const events = new Map(first.events.map((event) => [eventRevision(event), event]));
    assert.equal(events.size, first.events.length, 'an event was repeated');
    const { base } = first;
    for (const { rev, key, value } of this.acknowledged) {
      if (rev <= first.position && rev > Math.max(base.rev, first.from))
        assert.deepEqual([rev, key, value], [rev, ...writtenBy(events.get(rev))]);
    }
    this.#checkBase(first);
    const expected = new Map<string, string>();
    for (const kv of base.items) expected.set(kv.key, described({ type: 'put', kv }));
    for (const event of base.rev === 0 ? [...first.earlier, ...first.events] : first.events)
      if (event.type === 'put') expected.set(event.kv.key, described(event));
      else expected.delete(event.key);
    const last = eventRevision(first.events.at(-1) ?? assert.fail());
    const { items } = await content.list(prefixRange(PREFIX), { at: last }, signal);
    assert.deepEqual(
      items.map((kv) => described({ type: 'put', kv })),
      [...expected.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
    );
  }

  /** What a restarted server has listed has the last acknowledged write of each key. */
  #checkBase({ base }: Server): void {
    const last = new Map(this.acknowledged.filter(({ rev }) => rev <= base.rev).map((one) => [one.key, one]));
    for (const [key, { rev, value }] of last) {
      if (this.unknown.has(key)) continue;
      const found = base.items.find((kv) => kv.key === key);
      assert.deepEqual(
        [found?.value.toString(), found?.modRevision],
        value === undefined ? [undefined, undefined] : [value, rev],
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server.stop();
    clearInterval(this.#timer);
  }
}

const writtenBy = (event: KvEvent | undefined): readonly (string | undefined)[] =>
  event === undefined ? ['lost'] : [eventKey(event), textOf(event)];

const textOf = (event: KvEvent): string | undefined =>
  event.type === 'put' ? event.kv.value.toString() : undefined;

const described = (event: KvEvent): string =>
  `${eventKey(event)} ${eventRevision(event)} ${textOf(event) ?? 'deleted'}`;
