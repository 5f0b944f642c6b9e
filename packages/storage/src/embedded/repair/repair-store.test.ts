import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { seededRandom, testEnv } from '@orch/machinery/testing';
import { StoreError } from '../../store.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { flip } from '../testing/damaged-files.ts';
import { type Acknowledged, copyFiles, images, openStore, SEED, stateOf } from '../testing/store-images.ts';
import { type RepairReport, repairStore } from './repair-store.ts';

const { signal } = new AbortController();
const PAGE_BYTES = 4096;

const repair = (dir: string, dryRun = false) =>
  repairStore({ dir, dryRun, env: { ...testEnv(), random: seededRandom(SEED + 5) } });

const digests = (dir: string) =>
  readdirSync(dir)
    .filter((file) => !/-shm$|lock$/.test(file))
    .map((file) =>
      createHash('sha256')
        .update(readFileSync(join(dir, file)))
        .digest('hex'),
    );

/**
 * Checks that a repaired store holds what was acknowledged except for what the report names, and that its revisions
 * are higher.
 */
async function checkRepaired(dir: string, report: RepairReport, acknowledged: Acknowledged): Promise<void> {
  assert.ok(report.movedTo !== undefined && existsSync(join(report.movedTo, 'store.db')));
  const store = await openStore(dir, SEED + 6);
  try {
    const { items } = await stateOf(store);
    const kept = new Map(items.map((item) => [item.key, item]));
    assert.equal(items.length, report.keptKeys);
    if (report.droppedRevisions === undefined && !report.maybeMoreDropped) {
      for (const item of acknowledged.items) {
        if (report.droppedKeys.includes(item.key)) assert.ok(!kept.has(item.key));
        else assert.deepEqual(kept.get(item.key), item);
      }
    }
    for (const item of items) assert.ok(item.modRevision <= report.keptThrough);
    const next = await store.commit({ op: 'create', key: '/new', value: Buffer.from('x') }, signal);
    assert.deepEqual(next, { ok: true, rev: report.revision + 1 });
    assert.ok(next.rev > acknowledged.rev, 'a revision was given twice');
    await assert.rejects(
      store.watch({ start: '/', end: '0' }, acknowledged.rev, signal)[Symbol.asyncIterator]().next(),
      (error) => error instanceof StoreError && error.code === 'compacted',
      'clients that have seen dropped changes must list again',
    );
  } finally {
    await store.close();
  }
}

type Change = (dir: string, sources: { readonly older: string }) => void;

const changes: readonly (readonly [string, 'killed' | 'closed', Change, Partial<RepairReport>])[] = [
  ['a missing high-water mark', 'killed', (dir) => rmSync(join(dir, 'store.mark')), { droppedKeys: [] }],
  ['missing checksums', 'closed', (dir) => rmSync(join(dir, 'store.sums')), { droppedKeys: [] }],
  ['damaged checksums', 'killed', (dir) => flip(join(dir, 'store.sums'), 90), { droppedKeys: [] }],
  [
    'an older database',
    'closed',
    (dir, { older }) => copyFileSync(join(older, 'store.db'), join(dir, 'store.db')),
    {},
  ],
];

describe('repairStore on damaged files', () => {
  for (const [title, state, change, expected] of changes) {
    it(`repairStore on damaged files recovers a store from files with ${title}, and reports the same before in a dry run`, async () => {
      await using base = await tempDir('orch-repair-');
      const all = await images(base.path);
      const dir = all[state];
      change(dir, all.sources);
      await assert.rejects(openStore(dir), StoreError);
      const before = digests(dir);
      const planned = await repair(dir, true);
      assert.deepEqual(digests(dir), before, 'a dry run changes nothing');
      const report = await repair(dir);
      assert.deepEqual({ ...report, movedTo: undefined }, planned);
      for (const [key, value] of Object.entries(expected))
        assert.deepEqual(report[key as keyof RepairReport], value, key);
      await checkRepaired(dir, report, all.acknowledged);
    });
  }

  it('repairStore on damaged files reports the revisions that a damaged log has lost, and keeps everything before', async () => {
    await using base = await tempDir('orch-repair-');
    const { killed, acknowledged } = await images(base.path);
    const wal = join(killed, 'store.db-wal');
    flip(wal, 32 + 4120 * 2 + 500);
    const report = await repair(killed);
    assert.equal(report.findings[0]?.file, 'store.db-wal');
    assert.deepEqual(report.droppedRevisions, { first: report.keptThrough + 1, last: acknowledged.rev });
    await checkRepaired(killed, report, acknowledged);
  });

  it('repairStore on damaged files reports the revisions that were in a missing log', async () => {
    await using base = await tempDir('orch-repair-');
    const { killed, acknowledged } = await images(base.path);
    rmSync(join(killed, 'store.db-wal'));
    const report = await repair(killed);
    assert.deepEqual(report.droppedRevisions, { first: report.keptThrough + 1, last: acknowledged.rev });
    await checkRepaired(killed, report, acknowledged);
  });

  it(`repairStore on damaged files keeps every key outside of damaged pages, and no value from them, seed ${SEED}`, async (t) => {
    await using base = await tempDir('orch-repair-');
    const { closed, acknowledged } = await images(base.path);
    const random = seededRandom(SEED);
    const pages = readFileSync(join(closed, 'store.db')).length / PAGE_BYTES;
    let dropped = 0;
    for (let round = 0; round < 12; round++) {
      const dir = copyFiles(closed, join(base.path, 'damaged'));
      flip(join(dir, 'store.db'), random.int(pages * PAGE_BYTES));
      const report = await repair(dir);
      dropped += report.droppedKeys.length;
      assert.equal(report.findings[0]?.pages?.length, 1);
      await checkRepaired(dir, report, acknowledged);
      rmSync(dir, { recursive: true });
    }
    assert.ok(dropped > 0, 'no damage concerned a key');
    t.diagnostic(`${dropped} keys dropped`);
  });

  it('repairStore on damaged files keeps every key of a store whose first page is damaged', async () => {
    await using base = await tempDir('orch-repair-');
    const { closed, acknowledged } = await images(base.path);
    const descriptor = openSync(join(closed, 'store.db'), 'r+');
    writeSync(descriptor, Buffer.alloc(PAGE_BYTES, 0xaa), 0, PAGE_BYTES, 0);
    closeSync(descriptor);
    const report = await repair(closed);
    assert.deepEqual([report.droppedKeys, report.keptKeys], [[], acknowledged.items.length]);
    await checkRepaired(closed, report, acknowledged);
  });

  it('repairStore on damaged files leaves an undamaged store unchanged', async () => {
    await using base = await tempDir('orch-repair-');
    const { closed, acknowledged } = await images(base.path);
    const before = digests(closed);
    const report = await repair(closed);
    assert.deepEqual(
      [report.findings, report.movedTo, report.keptKeys],
      [[], undefined, acknowledged.items.length],
    );
    assert.deepEqual(digests(closed), before);
  });

  it('repairStore on damaged files rejects when nothing can be recovered, and when the store is in use', async () => {
    await using base = await tempDir('orch-repair-');
    const { killed, closed } = await images(base.path);
    truncateSync(join(killed, 'store.db'));
    await assert.rejects(repair(killed), /nothing can be recovered from .*store\.db is empty/);
    const store = await openStore(closed);
    await assert.rejects(repair(closed), /in use by another process/);
    await store.close();
    await assert.rejects(repair(join(base.path, 'nowhere')), /there is no directory/);
  });
});
