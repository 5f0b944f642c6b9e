import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '../../testing/temp-dir.ts';
import { openConnection, query } from '../database/sqlite.ts';
import { FRAME_BYTES, WAL_HEADER_BYTES } from './wal-file.ts';
import { lastVersions, readFramePages, readWalIndex } from './wal-index.ts';

describe('the index of a write-ahead log', () => {
  it('the index of a write-ahead log has the page of every frame, across several of its blocks, from any frame on', async () => {
    await using dir = await tempDir('orch-index-');
    const path = join(dir.path, 'a.db');
    const db = openConnection(path, 1 << 20);
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, value BLOB)');
    const insert = query(db, 'INSERT INTO t (value) VALUES (zeroblob(20000))');
    for (let i = 0; i < 1500; i++) insert.run();
    const { frames } = readWalIndex(`${path}-shm`);
    assert.ok(frames > 4062 + 4096, `${frames} frames`);
    const wal = readFileSync(`${path}-wal`);
    const expected = Array.from({ length: frames }, (_, i) =>
      wal.readUInt32BE(WAL_HEADER_BYTES + i * FRAME_BYTES),
    );
    for (const known of [0, 1, 4061, 4062, 4063, 4062 + 4096, frames - 1, frames])
      assert.deepEqual([...readFramePages(`${path}-shm`, known, frames)], expected.slice(known), `${known}`);
    db.close();
  });

  it('the index determines which frames hold the last version of a page of the database', () => {
    assert.deepEqual(lastVersions(Uint32Array.of(2, 3, 2, 9, 1, 3, 4), 4), [2, 4, 5, 6]);
    assert.deepEqual(lastVersions(new Uint32Array(0), 4), []);
  });
});
