import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { ModelStore } from './model-store.ts';
import { type Resolution, resolveCommit } from './resolve.ts';
import type { Revision, Write } from './store.ts';

const KEY = '/k';
const { signal } = new AbortController();
const value = (text: string) => Buffer.from(text);
const create = (text: string): Write => ({ op: 'create', key: KEY, value: value(text) });
const update = (text: string, expected: Revision): Write => ({
  op: 'update',
  key: KEY,
  value: value(text),
  expected,
});
const remove = (expected: Revision): Write => ({ op: 'delete', key: KEY, expected });

/** Commits and returns the revision. */
async function apply(store: ModelStore, write: Write): Promise<Revision> {
  const result = await store.commit(write, signal);
  assert.ok(result.ok);
  return result.rev;
}

interface Scenario {
  readonly title: string;
  /** Applies what happened before and after, and returns the write in question. */
  readonly history: (store: ModelStore) => Promise<Write>;
  readonly outcome: Resolution['outcome'];
  /** When the request is known to be dead. */
  readonly settled: Resolution['outcome'];
}

const scenarios: readonly Scenario[] = [
  {
    title: 'a create that took effect',
    history: async (s) => {
      await apply(s, create('ours'));
      return create('ours');
    },
    outcome: 'committed',
    settled: 'committed',
  },
  {
    title: 'a create that took effect and was overwritten and deleted since',
    history: async (s) => {
      const rev = await apply(s, create('ours'));
      await apply(s, remove(await apply(s, update('theirs', rev))));
      return create('ours');
    },
    outcome: 'committed',
    settled: 'committed',
  },
  {
    title: 'a create beaten by another',
    history: async (s) => {
      await apply(s, create('theirs'));
      return create('ours');
    },
    outcome: 'unknown',
    settled: 'lost',
  },
  {
    title: 'a create that never arrived',
    history: async () => create('ours'),
    outcome: 'unknown',
    settled: 'notWritten',
  },
  {
    title: 'an update that took effect',
    history: async (s) => {
      const write = update('ours', await apply(s, create('before')));
      await apply(s, write);
      return write;
    },
    outcome: 'committed',
    settled: 'committed',
  },
  {
    title: 'an update that took effect and was replaced since',
    history: async (s) => {
      const write = update('ours', await apply(s, create('before')));
      await apply(s, update('theirs', await apply(s, write)));
      return write;
    },
    outcome: 'committed',
    settled: 'committed',
  },
  {
    title: 'an update beaten by another',
    history: async (s) => {
      const before = await apply(s, create('before'));
      await apply(s, update('theirs', before));
      return update('ours', before);
    },
    outcome: 'lost',
    settled: 'lost',
  },
  {
    title: 'an update beaten by another, whose winner later wrote the same bytes',
    history: async (s) => {
      const before = await apply(s, create('before'));
      await apply(s, update('ours', await apply(s, update('theirs', before))));
      return update('ours', before);
    },
    outcome: 'lost',
    settled: 'lost',
  },
  {
    title: 'an update beaten by a deletion',
    history: async (s) => {
      const before = await apply(s, create('before'));
      await apply(s, remove(before));
      return update('ours', before);
    },
    outcome: 'lost',
    settled: 'lost',
  },
  {
    title: 'an update that has not arrived',
    history: async (s) => update('ours', await apply(s, create('before'))),
    outcome: 'unknown',
    settled: 'notWritten',
  },
  {
    title: 'a deletion, when the key was deleted at that version',
    history: async (s) => {
      const write = remove(await apply(s, create('before')));
      await apply(s, write);
      return write;
    },
    outcome: 'unknown',
    settled: 'unknown',
  },
  {
    title: 'a deletion beaten by an update',
    history: async (s) => {
      const before = await apply(s, create('before'));
      await apply(s, update('theirs', before));
      return remove(before);
    },
    outcome: 'lost',
    settled: 'lost',
  },
];

describe('resolveCommit', () => {
  for (const { title, history, outcome, settled } of scenarios) {
    it(`${title}: ${outcome}, ${settled} when settled`, async () => {
      const store = new ModelStore({ clock: new FakeClock() });
      const sentAfter = await store.currentRevision(signal);
      const write = await history(store);
      assert.equal((await resolveCommit(store, write, { sentAfter }, signal)).outcome, outcome);
      assert.equal(
        (await resolveCommit(store, write, { sentAfter, settled: true }, signal)).outcome,
        settled,
      );
    });
  }

  it('tells the revision of a commit and what a lost one lost to', async () => {
    const store = new ModelStore({ clock: new FakeClock() });
    const first = await apply(store, create('ours'));
    const won = await resolveCommit(store, create('ours'), { sentAfter: 1 }, signal);
    assert.deepEqual(won, { outcome: 'committed', rev: first });
    const second = await apply(store, update('theirs', first));
    const lost = await resolveCommit(store, update('mine', first), { sentAfter: 1 }, signal);
    assert.ok(lost.outcome === 'lost' && lost.current?.modRevision === second);
  });

  it('believes a mark instead of bytes when there is one', async () => {
    const store = new ModelStore({ clock: new FakeClock() });
    const before = await apply(store, create('before'));
    const write = update('same', before);
    await apply(store, write);
    const options = { sentAfter: 1, isOurs: () => false };
    assert.equal((await resolveCommit(store, write, options, signal)).outcome, 'lost');
  });

  it('fails with compacted when the history that would decide is gone', async () => {
    const store = new ModelStore({ clock: new FakeClock() });
    const before = await apply(store, create('before'));
    const after = await apply(store, update('theirs', before));
    await store.compact(await apply(store, update('others', after)), signal);
    await assert.rejects(resolveCommit(store, update('ours', before), { sentAfter: 1 }, signal), {
      code: 'compacted',
    });
  });
});
