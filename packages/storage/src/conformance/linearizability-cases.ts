import assert from 'node:assert/strict';
import type { Random } from '@orch/machinery';
import { FakeClock, seededRandom } from '@orch/machinery/testing';
import { keyAfter } from '../keys.ts';
import { ModelStore } from '../model-store.ts';
import type { Committed, KeyValue, Revision, Write } from '../store.ts';
import { eventRevision } from '../store-values.ts';
import type { Case, Fixture } from './fixture.ts';
import { seedsOf } from './seeds.ts';

const SEEDS = seedsOf(11, 1);
const CLIENTS = 16;
const OPERATIONS_EACH = 40;
const NAMES = ['x', 'y', 'z'];

/** A finished call. `floor` is the newest revision in any answer before the call was made. */
type Operation =
  | { readonly kind: 'commit'; readonly floor: Revision; readonly write: Write; readonly result: Committed }
  | {
      readonly kind: 'get';
      readonly floor: Revision;
      readonly key: string;
      readonly rev: Revision;
      readonly kv?: KeyValue;
    };

/** Clients that read and write the same few keys concurrently, and their results. */
class Clients {
  readonly history: Operation[] = [];
  readonly #f: Fixture;
  readonly #random: Random;
  /** The last observed revision of a key. */
  readonly #heard = new Map<string, Revision>();
  #newest: Revision = 0;

  constructor(f: Fixture, seed: number) {
    this.#f = f;
    this.#random = seededRandom(seed);
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.#client(client)));
  }

  async #client(client: number): Promise<void> {
    let known: KeyValue | undefined;
    for (let i = 0; i < OPERATIONS_EACH; i++) {
      const key = this.#f.key(NAMES[this.#random.int(NAMES.length)] ?? 'x');
      if (known === undefined || known.key !== key || this.#random.int(4) === 0) {
        known = await this.#get(key);
        if (this.#random.int(2) === 0) continue;
      }
      known = await this.#commit(this.#guarded(this.#choose(key, known, `${client}.${i}`)), known);
    }
  }

  #choose(key: string, known: KeyValue | undefined, unique: string): Write {
    const value = Buffer.from(unique);
    if (known === undefined) return { op: 'create', key, value };
    const expected = known.modRevision;
    return this.#random.int(4) === 0
      ? { op: 'delete', key, expected }
      : { op: 'update', key, value, expected };
  }

  /** Some writes are guarded by the last observed revision of a key, which may be old. */
  #guarded(write: Write): Write {
    const key = this.#f.key(NAMES[this.#random.int(NAMES.length)] ?? 'x');
    const revision = this.#heard.get(key);
    return revision === undefined || this.#random.int(3) > 0
      ? write
      : { ...write, guards: [{ key, revision }] };
  }

  async #get(key: string): Promise<KeyValue | undefined> {
    const floor = this.#newest;
    const read = await this.#f.store.get(key, this.#f.signal);
    this.#newest = Math.max(this.#newest, read.rev);
    if (read.kv !== undefined) this.#heard.set(key, read.kv.modRevision);
    this.history.push({ kind: 'get', floor, key, ...read });
    return read.kv;
  }

  /** The state of the key that the client observes afterwards. */
  async #commit(write: Write, known: KeyValue | undefined): Promise<KeyValue | undefined> {
    const floor = this.#newest;
    const result = await this.#f.store.commit(write, this.#f.signal);
    this.#newest = Math.max(this.#newest, result.rev);
    this.history.push({ kind: 'commit', floor, write, result });
    if (!result.ok) return result.guardFailed === true ? known : result.current;
    if (write.op === 'delete') return undefined;
    this.#heard.set(write.key, result.rev);
    return { key: write.key, value: write.value, createRevision: result.rev, modRevision: result.rev };
  }
}

type Win = { readonly write: Write; readonly rev: Revision; readonly prev: KeyValue | undefined };

function winsOf(history: readonly Operation[]): Win[] {
  const wins = history.flatMap((op) =>
    op.kind === 'commit' && op.result.ok
      ? [{ write: op.write, rev: op.result.rev, prev: op.result.prev }]
      : [],
  );
  return wins.sort((a, b) => a.rev - b.rev);
}

/** Replays the commits on the model in the order of their revisions: every successful one must succeed. */
async function replay(wins: readonly Win[], f: Fixture): Promise<ModelStore> {
  const model = new ModelStore({ clock: new FakeClock() });
  let at = await model.currentRevision(f.signal);
  for (const { write, rev, prev } of wins) {
    assert.ok(rev > at, `revision ${rev} was given twice`);
    at = model.skipRevisions(rev - at - 1) + 1;
    const result = await model.commit(write, f.signal);
    assert.ok(
      result.ok && result.rev === rev,
      `${write.op} of ${write.key} at ${rev} could not have succeeded`,
    );
    if (prev !== undefined) assert.deepEqual(prev, result.prev);
  }
  return model;
}

async function stateAt(
  model: ModelStore,
  key: string,
  { at, signal }: { readonly at: Revision; readonly signal: AbortSignal },
): Promise<KeyValue | undefined> {
  return (await model.list({ start: key, end: keyAfter(key) }, { at }, signal)).items[0];
}

/** The key was in the expected state, and the guard's key was not. */
async function checkGuardFailed(
  write: Write,
  state: KeyValue | undefined,
  when: { readonly model: ModelStore; readonly at: Revision; readonly signal: AbortSignal },
): Promise<void> {
  const [guarded] = write.guards ?? [];
  assert.ok(guarded !== undefined, 'a write without a guard cannot fail because of a guard');
  const { key, revision } = guarded;
  assert.equal(state?.modRevision, write.op === 'create' ? undefined : write.expected);
  const guard = await stateAt(when.model, key, when);
  assert.notEqual(guard?.modRevision, revision, `the guard ${key} at ${when.at}`);
}

/** Every read must return the state at its revision, which is no older than any observed before the call. */
async function checkAnswers(history: readonly Operation[], model: ModelStore, f: Fixture): Promise<void> {
  const last = await model.currentRevision(f.signal);
  for (const op of history) {
    const rev = op.kind === 'get' ? op.rev : op.result.rev;
    const isWin = op.kind === 'commit' && op.result.ok;
    assert.ok(
      isWin ? rev > op.floor : rev >= op.floor,
      `${op.kind} returned revision ${rev} after ${op.floor} was observed`,
    );
    if (isWin) continue;
    const key = op.kind === 'get' ? op.key : op.write.key;
    const at = Math.min(rev, last);
    const state = await stateAt(model, key, { at, signal: f.signal });
    if (op.kind === 'commit' && !op.result.ok && op.result.guardFailed === true) {
      await checkGuardFailed(op.write, state, { model, at, signal: f.signal });
      continue;
    }
    const seen = op.kind === 'get' ? op.kv : op.result.ok ? undefined : op.result.current;
    assert.deepEqual(seen, state, `${op.kind} of ${key} at ${rev}`);
  }
}

export const linearizabilityCases: readonly Case[] = SEEDS.map((seed) => [
  `${CLIENTS} concurrent clients on ${NAMES.length} keys leave a linearizable history (seed ${seed})`,
  async (f) => {
    await using watch = f.watch(await f.revision());
    const clients = new Clients(f, seed);
    await clients.run();
    const wins = winsOf(clients.history);
    const model = await replay(wins, f);
    await checkAnswers(clients.history, model, f);
    const events = await watch.received(wins.length);
    assert.deepEqual(
      events.map(eventRevision),
      wins.map((win) => win.rev),
    );
  },
]);
