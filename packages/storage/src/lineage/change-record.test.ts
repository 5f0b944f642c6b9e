import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { ForwardingStore } from '../forwarding-store.ts';
import { ModelStore } from '../model-store.ts';
import { type Committed, type Store, StoreError, type Write } from '../store.ts';
import { changeRecord } from './change-record.ts';
import {
  newStoreRecord,
  readStoreRecord,
  type StoredRecord,
  type StoreRecord,
  storeRecordKey,
  writeStoreRecord,
} from './store-record.ts';

const key = storeRecordKey('/registry/');
const migration = { id: 'm1', from: 'a', to: 'b', lastRevision: 40, nextRevision: 52 };
const moved: StoreRecord = { ...newStoreRecord, state: 'moved', migration };
const foreign: StoreRecord = { ...newStoreRecord, state: 'moved', migration: { ...migration, id: 'm2' } };

/** The outcome of the first commit is unknown; `beforeNext` happens before the second one. */
class LateStore extends ForwardingStore {
  readonly #beforeNext: (first: Write) => Promise<void>;
  #first: Write | undefined;

  constructor(inner: Store, beforeNext: (first: Write) => Promise<void>) {
    super(inner);
    this.#beforeNext = beforeNext;
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    if (this.#first === undefined) {
      this.#first = write;
      throw new StoreError('outcomeUnknown', 'the reply is missing');
    }
    await this.#beforeNext(this.#first);
    return super.commit(write, signal);
  }
}

async function readyRecord(store: Store): Promise<StoredRecord> {
  const { signal } = new AbortController();
  const from = { record: newStoreRecord, revision: undefined };
  return writeStoreRecord(store, key, { from, to: { ...newStoreRecord, backupId: 'b1' }, signal });
}

describe('changeRecord after a write whose outcome is unknown', () => {
  const { signal } = new AbortController();

  it('changeRecord after a write whose outcome is unknown succeeds when the first write takes effect before the second one, which is then a conflict', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const from = await readyRecord(inner);
    const store = new LateStore(inner, async (first) => void (await inner.commit(first, signal)));
    const changed = await changeRecord(store, key, { from, to: moved, signal });
    assert.deepEqual(changed, await readStoreRecord(inner, key, signal));
    assert.deepEqual(changed.record, moved);
  });

  it('changeRecord after a write whose outcome is unknown succeeds when the first write takes effect and the store cannot be reached for the second one', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const from = await readyRecord(inner);
    const store = new LateStore(inner, async (first) => {
      await inner.commit(first, signal);
      throw new StoreError('unavailable', 'no connection');
    });
    assert.deepEqual((await changeRecord(store, key, { from, to: moved, signal })).record, moved);
  });

  it('changeRecord after a write whose outcome is unknown rejects when another program has changed the record before the second write', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const from = await readyRecord(inner);
    const store = new LateStore(
      inner,
      async () => void (await writeStoreRecord(inner, key, { from, to: foreign, signal })),
    );
    await assert.rejects(changeRecord(store, key, { from, to: moved, signal }), {
      code: 'unavailable',
      message: /another program has changed the record/,
    });
    assert.deepEqual((await readStoreRecord(inner, key, signal)).record, foreign);
  });

  it('changeRecord after a write whose outcome is unknown reports that the outcome is not known when the signal aborts before the second write', async () => {
    const inner = new ModelStore({ clock: new FakeClock() });
    const from = await readyRecord(inner);
    const stop = new AbortController();
    const store = new LateStore(inner, async () => stop.abort());
    await assert.rejects(changeRecord(store, key, { from, to: moved, signal: stop.signal }), {
      code: 'outcomeUnknown',
    });
  });
});
