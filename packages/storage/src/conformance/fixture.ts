import assert from 'node:assert/strict';
import { type KeyRange, prefixRange } from '../keys.ts';
import {
  type Committed,
  type ReadableKeyValue,
  type Revision,
  type Store,
  StoreError,
  type StoreErrorCode,
} from '../store.ts';
import { readable } from '../store-values.ts';
import type { LossyClients, OpenedStore } from './opened-store.ts';
import { WatchRecorder } from './watch-recorder.ts';

/** One promise of the contract and the code that checks it. */
export type Case = readonly [title: string, check: (f: Fixture) => Promise<void>];

const DEFAULT_PREFIX = '/conformance/';

/** An opened store and shorthands over names relative to the test's prefix. */
export class Fixture {
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly prefix: string;
  readonly all: KeyRange;
  readonly #opened: OpenedStore;

  constructor(opened: OpenedStore) {
    this.#opened = opened;
    this.store = opened.store;
    this.signal = opened.signal;
    this.prefix = opened.prefix ?? DEFAULT_PREFIX;
    this.all = prefixRange(this.prefix);
  }

  key(name: string): string {
    return this.prefix + name;
  }

  /** Keys `start <= name < end`. */
  range(start: string, end: string): KeyRange {
    return { start: this.key(start), end: this.key(end) };
  }

  /** Creates a key that must be absent; returns the revision of the commit. */
  async create(name: string, value: string | Buffer = name, ttlSeconds?: number): Promise<Revision> {
    const write = { op: 'create', key: this.key(name), value: Buffer.from(value) } as const;
    const result = await this.store.commit(
      ttlSeconds === undefined ? write : { ...write, ttlSeconds },
      this.signal,
    );
    assert.ok(result.ok, `create of ${name} lost a race`);
    return result.rev;
  }

  async update(
    name: string,
    expected: Revision,
    value: string | Buffer,
    ttlSeconds?: number,
  ): Promise<Revision> {
    const write = { op: 'update', key: this.key(name), value: Buffer.from(value), expected } as const;
    const result = await this.store.commit(
      ttlSeconds === undefined ? write : { ...write, ttlSeconds },
      this.signal,
    );
    assert.ok(result.ok, `update of ${name} lost a race`);
    return result.rev;
  }

  async delete(name: string, expected: Revision): Promise<Revision> {
    const result = await this.store.commit({ op: 'delete', key: this.key(name), expected }, this.signal);
    assert.ok(result.ok, `delete of ${name} lost a race`);
    return result.rev;
  }

  async get(name: string): Promise<ReadableKeyValue | undefined> {
    return readable((await this.store.get(this.key(name), this.signal)).kv);
  }

  /** Names in the range, at `at` or at the current revision, in one page. */
  async names(range: KeyRange = this.all, at?: Revision): Promise<string[]> {
    const page = await this.store.list(range, at === undefined ? {} : { at }, this.signal);
    return page.items.map((kv) => kv.key.slice(this.prefix.length));
  }

  revision(): Promise<Revision> {
    return this.store.currentRevision(this.signal);
  }

  watch(after: Revision, range: KeyRange = this.all): WatchRecorder {
    return new WatchRecorder(this.store, range, { after, signal: this.signal });
  }

  /** Two clients that lose requests and answers; the store itself, twice, when nothing can be lost. */
  async lossyClients(seed: number): Promise<LossyClients> {
    const open = this.#opened.lossyClients;
    if (open !== undefined) return open(seed);
    return { stores: [this.store, this.store], [Symbol.asyncDispose]: async () => undefined };
  }

  /** Whether the clock is a fake. */
  get canAdvance(): boolean {
    return this.#opened.advance !== undefined;
  }

  /** Advances a fake clock; real time passes by itself. */
  async advance(ms: number): Promise<void> {
    await this.#opened.advance?.(ms);
  }
}

/** Checks a conflict and returns the current version of the key. */
export function lost(result: Committed): ReadableKeyValue | undefined {
  assert.equal(result.ok, false, 'the commit should have lost');
  return result.ok ? undefined : readable(result.current);
}

/** Checks the code of a rejection. */
export function failsWith(code: StoreErrorCode): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof StoreError, `expected a StoreError ${code}, got ${error}`);
    assert.equal(error.code, code);
    return true;
  };
}
