import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Revision, Write } from '../../store.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { openConnection, query } from '../database/sqlite.ts';
import { storeFiles } from '../files/store-files.ts';
import { adoptStore } from '../integrity/adopt-store.ts';
import { FileGuard } from '../integrity/file-guard.ts';
import { SpaceReserve } from '../space/space-reserve.ts';
import { encodeBatch, Results } from './batch-codec.ts';
import { Writer } from './writer.ts';

async function opened() {
  const dir = await tempDir('orch-writer-');
  const files = storeFiles(dir.path);
  adoptStore(files, '00'.repeat(16));
  const db = openConnection(files.database, 1 << 20);
  const space = new SpaceReserve(files, db, { maxBytes: 0, reserveBytes: 0 });
  const open = () => {
    const opened = new Writer(db, new FileGuard(files, db), space);
    opened.begin();
    return opened;
  };
  const writer = open();
  return {
    db,
    writer,
    open,
    /** Commits all in one batch; returns the revisions of the successful ones. */
    batch(...writes: Write[]): Revision[] {
      const { meta, bytes } = encodeBatch(writes.map((write) => ({ write, expires: undefined })));
      const [reply] = writer.commit([{ meta, bytes }]);
      assert.ok(reply?.type === 'committed', JSON.stringify(reply));
      const results = new Results(reply.results);
      return writes.map((_, i) => results.wonAt(i)).filter((rev) => rev > 0);
    },
    /** Revisions with rows in the log. */
    log: () =>
      query(db, 'SELECT rev FROM log ORDER BY rev')
        .all()
        .map((row) => row[0]),
    async [Symbol.asyncDispose]() {
      writer.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const value = Buffer.from('v');
const create = (key: string): Write => ({ op: 'create', key, value });
const update = (key: string, expected: Revision): Write => ({ op: 'update', key, value, expected });
const remove = (key: string, expected: Revision): Write => ({ op: 'delete', key, expected });

describe('Writer of the embedded store', () => {
  it('the writer syncs every commit', async () => {
    await using w = await opened();
    const pragma = (name: string) => query(w.db, `PRAGMA ${name}`).get()?.[0];
    assert.deepEqual([pragma('journal_mode'), pragma('synchronous')], ['wal', 2]);
  });

  it('the writer applies each write of a batch to the state after the writes before it', async () => {
    await using w = await opened();
    assert.deepEqual(
      w.batch(create('a'), create('a'), update('a', 2), remove('a', 3), create('a')),
      [2, 3, 4, 5],
    );
  });

  it('the writer deletes replaced versions and deletions in small steps, and no version that can still be read', async () => {
    await using w = await opened();
    const revisions = w.batch(
      create('a'),
      create('b'),
      update('a', 2),
      remove('b', 3),
      create('c'),
      update('a', 4),
    );
    assert.deepEqual(revisions, [2, 3, 4, 5, 6, 7]);
    assert.equal(w.writer.compact(5).type, 'done');
    assert.deepEqual(w.log(), revisions);
    while (w.writer.sweepPending) assert.equal(w.writer.sweep(), undefined);
    assert.deepEqual(w.log(), [4, 6, 7]);
    w.writer.compact(7);
    while (w.writer.sweepPending) w.writer.sweep();
    assert.deepEqual(w.log(), [6, 7]);
  });

  it('the writer continues sweeping where it stopped, and keeps its revision when the log ends with deletions', async () => {
    await using w = await opened();
    w.batch(create('a'), remove('a', 2));
    w.writer.compact(3);
    const again = w.open();
    assert.ok(again.sweepPending);
    again.sweep();
    assert.deepEqual(w.log(), []);
    assert.equal(w.open().rev, 3);
  });

  it('the writer never decreases the compacted revision', async () => {
    await using w = await opened();
    w.batch(create('a'), update('a', 2), update('a', 3));
    w.writer.compact(4);
    w.writer.compact(2);
    assert.equal(query(w.db, 'SELECT compacted FROM state').get()?.[0], 4);
  });

  it('the writer rolls back a failed batch, and afterwards has the right state of its keys', async () => {
    await using w = await opened();
    w.batch(create('a'));
    w.db.exec(
      `CREATE TRIGGER refuse BEFORE INSERT ON log WHEN NEW.key = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    const writes = [update('a', 2), create('b'), create('bad')].map((write) => ({
      write,
      expires: undefined,
    }));
    const { meta, bytes } = encodeBatch(writes);
    const [reply] = w.writer.commit([{ meta, bytes }]);
    assert.ok(reply?.type === 'failed' && reply.code === 'unavailable', JSON.stringify(reply));
    assert.deepEqual(w.log(), [2]);
    assert.deepEqual(w.batch(update('a', 2), create('b')), [3, 4]);
  });

  it('the writer expires due keys, oldest first, up to a limit, and returns when the next is due', async () => {
    await using w = await opened();
    const timed = [30, 10, 20, 40].map((expires) => ({ write: create(`k${expires}`), expires }));
    const { meta, bytes } = encodeBatch(timed);
    w.writer.commit([{ meta, bytes }]);
    assert.deepEqual(w.writer.expire(30, 2), {
      type: 'expired',
      keys: ['k10', 'k20'],
      firstRev: 6,
      next: 30,
    });
    assert.deepEqual(w.writer.expire(30, 2), { type: 'expired', keys: ['k30'], firstRev: 8, next: 40 });
    assert.deepEqual(w.writer.expire(30, 2), { type: 'expired', keys: [], firstRev: 9, next: 40 });
    assert.deepEqual(w.batch(create('k10')), [9]);
  });
});
