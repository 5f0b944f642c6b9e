import assert from 'node:assert/strict';
import type { Clock, Random } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import type { SideWrites } from '../../../extensions/write-extensions.ts';
import { prefixRange } from '../../../keys.ts';
import { type Revision, type Store, StoreError, type Write } from '../../../store.ts';
import type { EtcdLog } from './etcd-log.ts';
import { checkBatch, USER_PREFIX, type WriteHistory } from './write-history.ts';

export const DEADLINES = { openMs: 15_000, readMs: 2000, commitMs: 2000, resolveMs: 1500, watchMs: 2000 };
/** The precision of deadlines, and the delays of a process. */
const SLACK_MS = 500;
/** Two shared calls for a mark, the commit, and the resolution of its outcome. */
const MAX_COMMIT_MS = 3 * DEADLINES.commitMs + DEADLINES.resolveMs + SLACK_MS;
const KEYS = 6;
const MAX_THINK_MS = 120;
/** Callers that stop waiting do so before this time. */
const MAX_PATIENCE_MS = 200;

export interface ProgramEnv {
  readonly name: string;
  readonly store: Store;
  readonly log: EtcdLog;
  readonly history: WriteHistory;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborts when the programs should end. */
  readonly stop: AbortSignal;
  note(line: string): void;
}

/** Rejects when a call ends later than `limitMs`. */
async function timed<T>(env: ProgramEnv, limitMs: number, call: () => Promise<T>): Promise<T> {
  const begun = env.clock.monotonic();
  let isOver = false;
  const late = Promise.withResolvers<never>();
  const cancel = env.clock.schedule(limitMs + SLACK_MS, () => {
    if (!isOver) late.reject(new assert.AssertionError({ message: `no end ${limitMs} ms after ${begun}` }));
  });
  try {
    return await Promise.race([call(), late.promise]);
  } finally {
    isOver = true;
    cancel();
  }
}

/** Reads and writes a few keys. */
export class Writer {
  readonly #env: ProgramEnv;
  #writes = 0;

  constructor(env: ProgramEnv) {
    this.#env = env;
  }

  async run(): Promise<void> {
    const { clock, random, stop } = this.#env;
    while (!stop.aborted) {
      await sleep(clock, random.int(MAX_THINK_MS), stop).catch(() => undefined);
      if (!stop.aborted) await this.#step();
    }
  }

  async #step(): Promise<void> {
    const { random } = this.#env;
    const key = `${USER_PREFIX}${random.int(KEYS)}`;
    const expected = await this.#read(key);
    if (expected === undefined) return;
    // Several writes after one read: the later ones are refused, unless the earlier ones did not take effect.
    for (let n = random.int(3); n >= 0; n--) await this.#write(this.#choose(key, expected));
  }

  /** The revision of a key, 0 when it is absent; undefined when it cannot be read. */
  async #read(key: string): Promise<Revision | undefined> {
    const { store, log, note, name } = this.#env;
    const before = log.rev;
    const read = () => store.get(key, new AbortController().signal);
    const got = await timed(this.#env, DEADLINES.readMs, read).catch(unlessUnavailable);
    note(`${name} reads ${key}: ${got?.rev} ${got?.kv?.modRevision}`);
    if (got === undefined) return undefined;
    assert.ok(got.rev >= before, `a read at ${got.rev}, though ${before} was stored before`);
    const actual = log.history.read(key, got.rev)?.modRevision;
    assert.equal(got.kv?.modRevision, actual, `${key} at ${got.rev}`);
    return actual ?? 0;
  }

  #choose(key: string, expected: Revision): Write & SideWrites {
    const value = Buffer.from(`${this.#env.name}-${++this.#writes}`);
    const also = Array.from({ length: this.#env.random.int(3) }, (_, i) => ({
      key: `${key}/${value}/${i}`,
      value: Buffer.from('beside'),
    }));
    if (expected === 0) return { op: 'create', key, value, also };
    if (this.#env.random.int(3) === 0) return { op: 'delete', key, expected };
    return { op: 'update', key, expected, value, also };
  }

  async #write(write: Write): Promise<void> {
    const { history, store, clock, random, name, note } = this.#env;
    const abort = new AbortController();
    const cancel =
      random.int(4) === 0
        ? clock.schedule(random.int(MAX_PATIENCE_MS), () => abort.abort(new Error('aborted')))
        : undefined;
    history.called(write);
    const commit = () => store.commit(write, abort.signal);
    try {
      const committed = await timed(this.#env, MAX_COMMIT_MS, commit);
      note(`${name} ${write.op} ${write.key}: ${committed.ok} ${committed.rev}`);
      history.answered(write, committed);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      note(`${name} ${write.op} ${write.key}: ${history.failed(write, error, abort.signal.aborted)}`);
    }
    cancel?.();
  }
}

const unlessUnavailable = (error: unknown): undefined => {
  if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
};

/** Follows a range, and compares what it receives with the log. */
export class Watcher {
  readonly #env: ProgramEnv;
  readonly #range;
  /** Everything up to it was received. */
  position: Revision = 0;

  constructor(env: ProgramEnv, prefix: string) {
    this.#env = env;
    this.#range = prefixRange(prefix);
  }

  /** Until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, log, note, name } = this.#env;
    while (!signal.aborted) {
      try {
        for await (const batch of store.watch(this.#range, this.position, signal)) {
          note(`${name} receives ${batch.rev}: ${batch.events.length}`);
          checkBatch(log, this.#range, this.position, batch);
          this.position = batch.rev;
        }
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== 'compacted') throw error;
        note(`${name} was at ${this.position}: compacted`);
        assert.ok(this.position < log.compacted, `history after ${this.position} exists`);
        this.position = log.rev;
      }
    }
  }
}

/** Compacts what is older than some revisions. */
export async function runCompactions(env: ProgramEnv): Promise<void> {
  const { clock, random, stop, store, log, note } = env;
  while (!stop.aborted) {
    await sleep(clock, 500 + random.int(3000), stop).catch(() => undefined);
    if (stop.aborted) return;
    const through = Math.max(1, log.rev - random.int(8));
    await store.compact(through, stop).catch((error: unknown) => {
      if (!stop.aborted) unlessUnavailable(error);
    });
    note(`compacted through ${log.compacted}`);
  }
}
