import assert from 'node:assert/strict';
import { type Committed, type Revision, type Store, StoreError, type Write } from '../store.ts';
import type { Case, Fixture } from './fixture.ts';
import { seedsOf } from './seeds.ts';

const ROUNDS = 30;
const SEEDS = seedsOf(21, 1);
const VALUE = Buffer.from('the same bytes');

/** The result of one of the two. */
type Answer = { readonly took: Revision } | 'not written' | 'unknown';

async function answerTo(commit: Promise<Committed>): Promise<Answer> {
  try {
    const committed = await commit;
    return committed.ok ? { took: committed.rev } : 'not written';
  } catch (error) {
    assert.ok(error instanceof StoreError, `${error}`);
    if (error.code === 'outcomeUnknown') return 'unknown';
    assert.equal(error.code, 'unavailable', error.message);
    return 'not written';
  }
}

/** A write that two clients send concurrently, from the same state of the key. */
async function identical(f: Fixture, op: Write['op'], name: string): Promise<Write> {
  const key = f.key(name);
  if (op === 'create') return { op, key, value: VALUE };
  const expected = await f.create(name, 'before');
  return op === 'update' ? { op, key, value: VALUE, expected } : { op, key, expected };
}

async function race(f: Fixture, stores: readonly Store[], op: Write['op'], name: string): Promise<Answer[]> {
  const write = await identical(f, op, name);
  const answers = await Promise.all(stores.map((store) => answerTo(store.commit(write, f.signal))));
  const took = answers.flatMap((answer) => (typeof answer === 'object' ? [answer.took] : []));
  const kv = await f.get(name);
  const isWritten =
    write.op === 'update' ? kv?.modRevision !== write.expected : (kv !== undefined) === (op === 'create');
  const story = `${op} of ${write.key} was answered ${JSON.stringify(answers)}, and is at ${kv?.modRevision}`;
  assert.ok(took.length <= (isWritten ? 1 : 0), story);
  if (!answers.includes('unknown')) assert.equal(took.length, isWritten ? 1 : 0, story);
  if (kv !== undefined && isWritten)
    assert.ok(
      took.every((rev) => rev === kv.modRevision),
      story,
    );
  return answers;
}

export const identicalCases: readonly Case[] = (['create', 'update', 'delete'] as const).flatMap((op) => [
  [
    `exactly one of two identical ${op}s from the same state succeeds`,
    async (f: Fixture) => {
      for (let round = 0; round < ROUNDS; round++) {
        const answers = await race(f, [f.store, f.store], op, `k${round}`);
        assert.equal(answers.filter((answer) => answer === 'not written').length, 1);
      }
    },
  ] as const,
  ...SEEDS.map(
    (seed): Case => [
      `at most one of two identical ${op}s is acknowledged when requests and answers are lost (seed ${seed})`,
      async (f) => {
        await using clients = await f.lossyClients(seed);
        for (let round = 0; round < ROUNDS; round++) await race(f, clients.stores, op, `k${round}`);
      },
    ],
  ),
]);
