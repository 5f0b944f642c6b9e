import assert from 'node:assert/strict';
import type { Random } from '@orch/machinery';
import {
  compactionKeyOf,
  eventRevision,
  historyPrefixOf,
  type KeyValue,
  type KvEvent,
  type MovableStore,
  prefixRange,
  type Revision,
  type SideWrites,
  StoreError,
  type Write,
} from '@orch/storage';
import type { Connection } from './migration-connection.ts';

export const PREFIX = '/registry/';
const KEYS = 30;

/** A write that a server has acknowledged to its client. */
export interface Acknowledged {
  readonly rev: Revision;
  readonly key: string;
  readonly value: string | undefined;
}

/** The writes that the servers of one world share. */
export interface ServedWrites {
  readonly random: Random;
  readonly acknowledged: Acknowledged[];
  /** Keys whose last write has an unknown outcome. */
  readonly unknown: Set<string>;
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
  readonly #writes: ServedWrites;
  readonly #stop = new AbortController();
  #work: readonly Promise<void>[] = [];
  failure: unknown;
  /** Writes that it has acknowledged. */
  acknowledged = 0;
  readonly isRestarted: boolean;
  /** The list of a server that could not continue its watch. */
  base: { readonly rev: Revision; readonly items: readonly KeyValue[] } = { rev: 0, items: [] };
  readonly from: Revision;
  /** Events of the server that this one has replaced. */
  readonly earlier: readonly KvEvent[];

  constructor(writes: ServedWrites, store: MovableStore, options: ServerOptions) {
    this.#writes = writes;
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

  get position(): Revision {
    const last = this.events.at(-1);
    return last === undefined ? this.from : eventRevision(last);
  }

  /** Acts as if the process were killed: nothing that it does reaches a store any more. */
  kill(): void {
    this.#stop.abort();
    for (const connection of this.#connections) connection.cut();
  }

  /** Acts as if the process were stopped by a signal, until the returned function is called. */
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
    const { random, acknowledged, unknown } = this.#writes;
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
    const { acknowledged } = this.#writes;
    await this.#repeated(async () => {
      const last = acknowledged.at(-1)?.rev ?? 0;
      const rev = await this.store.currentRevision(signal);
      assert.ok(rev >= last, `a consistent read at ${rev} lacks the write of ${last}`);
    }, signal);
  }

  /**
   * Writes keys that are not moved, as the compactor and the history do, with the revisions of the store in which they
   * are.
   */
  async #writeBeside(signal: AbortSignal): Promise<void> {
    const { random } = this.#writes;
    const key = compactionKeyOf(PREFIX);
    const history = historyPrefixOf(PREFIX);
    await this.#repeated(async () => {
      const { kv, rev } = await this.store.get(key, signal);
      assert.ok(kv === undefined || kv.value?.toString() === 'own', `${kv?.value} was left in the store`);
      assert.ok((kv?.modRevision ?? 0) <= rev);
      const also = [{ key: `${history}${rev}/${random.int(1_000_000)}`, value: Buffer.from('own') }];
      const value = Buffer.from('own');
      const write: Write & SideWrites =
        kv === undefined
          ? { op: 'create', key, value, also }
          : { op: 'update', key, value, also, expected: kv.modRevision };
      await this.store.commit(write, signal);
      for await (const { items } of this.store.scan(prefixRange(history), { keysOnly: true }, signal))
        for (const item of items) assert.ok(item.modRevision > 0, item.key);
      const { items } = await this.store.list(prefixRange(history), { limit: 10 }, signal);
      for (const item of items) assert.equal(item.value?.toString(), 'own', item.key);
    }, signal);
  }

  /** Repeats work after temporary failures, as clients do. */
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
