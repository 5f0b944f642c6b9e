import assert from 'node:assert/strict';
import type { Random } from '@orch/machinery';
import { FakeClock, seededRandom } from '@orch/machinery/testing';
import type { KeyRange } from '../keys.ts';
import { ModelStore } from '../model-store.ts';
import type { Committed, Guard, KeyValue, Revision, Write } from '../store.ts';
import { StoreError } from '../store.ts';
import type { Case, Fixture } from './fixture.ts';
import { seedsOf } from './seeds.ts';

const SEEDS = seedsOf(1, 2);
const STEPS = 150;
const NAMES = ['a', 'a/1', 'b', 'c', 'c0', 'd'];

/** The store under test and the model, with the same calls; revisions are mapped between them. */
class Pair {
  readonly #f: Fixture;
  readonly #model = new ModelStore({ clock: new FakeClock() });
  /** Model revision by store revision, of every commit; and those revisions in order. */
  readonly #toModel = new Map<Revision, Revision>();
  readonly revisions: Revision[] = [];

  private constructor(f: Fixture) {
    this.#f = f;
  }

  static async open(f: Fixture): Promise<Pair> {
    const pair = new Pair(f);
    pair.#relate(await f.revision(), await pair.#model.currentRevision(f.signal));
    return pair;
  }

  async commit(write: Write): Promise<void> {
    const { signal } = this.#f;
    const modelWrite = this.#modelWrite(write);
    const [actual, expected] = [
      await this.#f.store.commit(write, signal),
      await this.#model.commit(modelWrite, signal),
    ];
    if (actual.ok && expected.ok) this.#relate(actual.rev, expected.rev);
    assert.deepEqual(this.#outcome(actual), outcomeOf(expected));
  }

  async get(key: string): Promise<KeyValue | undefined> {
    const [actual, expected] = [
      await this.#f.store.get(key, this.#f.signal),
      await this.#model.get(key, this.#f.signal),
    ];
    assert.deepEqual(this.#translated(actual.kv), expected.kv);
    return actual.kv;
  }

  async list(range: KeyRange, limit: number, at?: Revision): Promise<void> {
    const { signal, store } = this.#f;
    const options = (rev: Revision | undefined) => (rev === undefined ? { limit } : { limit, at: rev });
    const modelAt = at === undefined ? undefined : this.#modelRevision(at);
    const actual = await codeOr(async () => {
      const page = await store.list(range, options(at), signal);
      return { items: page.items.map((kv) => this.#translated(kv)), more: page.more, count: page.count };
    });
    const expected = await codeOr(async () => {
      const { items, more, count } = await this.#model.list(range, options(modelAt), signal);
      return { items, more, count };
    });
    assert.deepEqual(actual, expected);
  }

  async compact(through: Revision): Promise<void> {
    await this.#f.store.compact(through, this.#f.signal);
    await this.#model.compact(this.#modelRevision(through), this.#f.signal);
  }

  #modelWrite(write: Write): Write {
    const own = write.op === 'create' ? write : { ...write, expected: this.#modelRevision(write.expected) };
    const modelGuard = (guard: Guard): Guard => ({
      ...guard,
      revision: this.#modelRevision(guard.revision),
    });
    return write.guards === undefined ? own : { ...own, guards: write.guards.map(modelGuard) };
  }

  #relate(store: Revision, model: Revision): void {
    this.#toModel.set(store, model);
    this.revisions.push(store);
  }

  #modelRevision(rev: Revision): Revision {
    const translated = this.#toModel.get(rev);
    assert.ok(translated !== undefined, `revision ${rev} belongs to no commit of the test`);
    return translated;
  }

  #translated(kv: KeyValue | undefined): KeyValue | undefined {
    if (kv === undefined) return undefined;
    const modRevision = this.#modelRevision(kv.modRevision);
    return { ...kv, modRevision, createRevision: this.#modelRevision(kv.createRevision) };
  }

  #outcome(result: Committed): unknown {
    return result.ok
      ? outcomeOf(result)
      : { ...outcomeOf(result), current: this.#translated(result.current) };
  }
}

function outcomeOf(result: Committed): object {
  return result.ok
    ? { ok: true }
    : { ok: false, current: result.current, guardFailed: result.guardFailed === true };
}

async function codeOr<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

/** A guard on any key, including the written one: mostly one that holds, when the key exists. */
async function guardOf(f: Fixture, pair: Pair, random: Random): Promise<Guard> {
  const key = f.key(NAMES[random.int(NAMES.length)] ?? 'a');
  const any = pair.revisions[random.int(pair.revisions.length)] ?? 1;
  const revision = random.int(4) === 0 ? any : ((await pair.get(key))?.modRevision ?? any);
  return { key, revision };
}

/** One guard or two. */
async function guardsOf(f: Fixture, pair: Pair, random: Random): Promise<Pick<Write, 'guards'>> {
  const first = await guardOf(f, pair, random);
  return { guards: random.int(2) === 0 ? [first] : [first, await guardOf(f, pair, random)] };
}

/** One random step: mostly writes with a current or a stale expectation, then reads, sometimes a compaction. */
async function step(f: Fixture, pair: Pair, random: Random, i: number): Promise<void> {
  const key = f.key(NAMES[random.int(NAMES.length)] ?? 'a');
  const value = Buffer.from(`${i}`);
  const anyRevision = () => pair.revisions[random.int(pair.revisions.length)] ?? 1;
  const dice = random.int(20);
  const guards = random.int(3) === 0 ? await guardsOf(f, pair, random) : {};
  if (dice < 5) return pair.commit({ op: 'create', key, value, ...guards });
  if (dice < 12) {
    const current = await pair.get(key);
    const expected = random.int(4) === 0 ? anyRevision() : (current?.modRevision ?? anyRevision());
    return pair.commit(
      random.int(3) === 0
        ? { op: 'delete', key, expected, ...guards }
        : { op: 'update', key, value, expected, ...guards },
    );
  }
  if (dice < 19) {
    const [start, end] = [
      f.key(NAMES[random.int(NAMES.length)] ?? 'a'),
      f.key(NAMES[random.int(NAMES.length)] ?? 'z'),
    ];
    const range = random.int(3) === 0 ? { start, end } : f.all;
    return pair.list(range, 1 + random.int(7), random.int(3) === 0 ? undefined : anyRevision());
  }
  return random.int(4) === 0 ? pair.compact(anyRevision()) : undefined;
}

export const equivalenceCases: readonly Case[] = SEEDS.map((seed) => [
  `a random history gives the same answers as the model (seed ${seed})`,
  async (f) => {
    const random = seededRandom(seed);
    const pair = await Pair.open(f);
    for (let i = 0; i < STEPS; i++) await step(f, pair, random, i);
  },
]);
