import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { ModelStore } from '../model-store.ts';
import { readStoreRecord, type StoreRecord, storeRecordKey, writeStoreRecord } from './store-record.ts';

const never = new AbortController().signal;
const key = storeRecordKey('/registry/');
const earlier = { revisionOffset: 0, carriedThrough: 0, carriedFrom: 0, backupId: '', migration: undefined };
const migration = { id: 'm1', from: 'embedded', to: 'etcd', lastRevision: 40, nextRevision: 52 };

/** Records, and their bytes in stores since commit e6a56bf6. */
const stored: readonly (readonly [string, StoreRecord, string])[] = [
  [
    'after a restore',
    { ...earlier, state: 'ready', revisionOffset: 1000, backupId: 'b1' },
    '{"format":1,"state":"ready","revisionOffset":1000,"backupId":"b1"}',
  ],
  [
    'while it is restored',
    { ...earlier, state: 'restoring', backupId: 'b1' },
    '{"format":1,"state":"restoring","revisionOffset":0,"backupId":"b1"}',
  ],
  ...(['filling', 'moving', 'moved'] as const).map((state): readonly [string, StoreRecord, string] => [
    `with a migration, ${state}`,
    { ...earlier, state, migration },
    `{"format":2,"state":"${state}","revisionOffset":0,"backupId":"","carriedThrough":0,"carriedFrom":0,"migration":{"id":"m1","from":"embedded","to":"etcd","lastRevision":40,"nextRevision":52}}`,
  ]),
  [
    'after a migration',
    { ...earlier, state: 'ready', revisionOffset: -12, carriedThrough: 52, carriedFrom: 40, migration },
    '{"format":2,"state":"ready","revisionOffset":-12,"backupId":"","carriedThrough":52,"carriedFrom":40,"migration":{"id":"m1","from":"embedded","to":"etcd","lastRevision":40,"nextRevision":52}}',
  ],
];

/** The same since records have the identifier of the first store, which earlier versions ignore. */
const identified: typeof stored = (['filling', 'moving', 'moved'] as const).map((state) => [
  `with a migration from an identified store, ${state}`,
  { ...earlier, state, migration: { ...migration, fromStore: 's1' } },
  `{"format":2,"state":"${state}","revisionOffset":0,"backupId":"","carriedThrough":0,"carriedFrom":0,"migration":{"id":"m1","from":"embedded","to":"etcd","lastRevision":40,"nextRevision":52,"fromStore":"s1"}}`,
]);

const howToUpdate =
  'earlier versions of the program read and write these bytes during a rolling upgrade; other bytes need another format number, and ' +
  'the bytes in this test are changed when that is intended';

describe('the stored record of a store', () => {
  for (const [title, record, bytes] of [...stored, ...identified]) {
    it(`the stored record of a store is read from the bytes of earlier versions, and written as the same bytes: ${title}`, async () => {
      const store = new ModelStore({ clock: new FakeClock() });
      assert.ok((await store.commit({ op: 'create', key, value: Buffer.from(bytes) }, never)).ok);
      const from = await readStoreRecord(store, key, never);
      assert.deepEqual(from.record, record, howToUpdate);
      await writeStoreRecord(store, key, { from, to: from.record, signal: never });
      const { kv } = await store.get(key, never);
      assert.equal(String(kv?.value), bytes, howToUpdate);
    });
  }

  for (const bytes of ['{"format":3,"state":"ready","revisionOffset":0,"backupId":""}', '{}', 'x', ''])
    it(`the stored record of a store is refused when it is damaged or of a later version: ${JSON.stringify(bytes)}`, async () => {
      const store = new ModelStore({ clock: new FakeClock() });
      assert.ok((await store.commit({ op: 'create', key, value: Buffer.from(bytes) }, never)).ok);
      await assert.rejects(readStoreRecord(store, key, never), { code: 'corrupt' });
    });
});
