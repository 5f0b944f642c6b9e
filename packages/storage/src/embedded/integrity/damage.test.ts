import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { type Store, StoreError } from '../../store.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { damagesOf } from '../testing/damaged-files.ts';
import {
  type Acknowledged,
  copyFiles,
  FILES,
  images,
  openStore,
  SEED,
  stateOf,
} from '../testing/store-images.ts';

const { signal } = new AbortController();

/** Numbers of bytes that are changed, one at a time. Files without data need few. */
const CHANGES: Readonly<Record<string, number>> = {
  'store.db': 12,
  'store.db-wal': 12,
  'store.sums': 12,
  'store.mark': 4,
};

const digest = (dir: string) =>
  readdirSync(dir)
    .filter((file) => file !== 'store.db-shm' && file !== 'store.lock')
    .map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(dir, file)))
        .digest('hex'),
    ]);

/**
 * Checks that the store opens with everything acknowledged, or refuses and leaves the files unchanged; returns the
 * error.
 */
async function openOrRefusal(
  dir: string,
  acknowledged: Acknowledged,
  title: string,
): Promise<string | undefined> {
  const before = digest(dir);
  let store: Store;
  try {
    store = await openStore(dir, SEED + 99);
  } catch (error) {
    assert.ok(error instanceof StoreError && error.code === 'corrupt', `${title}: ${error}`);
    assert.match(error.message, /orch repair --data-dir=/, title);
    assert.deepEqual(digest(dir), before, `${title}: a refusal must change nothing`);
    return error.message;
  }
  try {
    assert.deepEqual((await stateOf(store)).items, acknowledged.items, title);
    const next = await store.commit({ op: 'create', key: '/new', value: Buffer.from('x') }, signal);
    assert.ok(next.ok && next.rev > acknowledged.rev, `${title}: a revision was given twice`);
  } finally {
    await store.close();
  }
  return undefined;
}

describe('a damaged embedded store', () => {
  let made: Awaited<ReturnType<typeof tempDir>>;
  let all: Awaited<ReturnType<typeof images>>;
  before(async () => {
    made = await tempDir('orch-images-');
    all = await images(made.path);
  });
  after(() => made[Symbol.asyncDispose]());

  for (const state of ['killed', 'closed'] as const) {
    for (const file of FILES) {
      it(`a damaged embedded store opens with everything acknowledged or refuses to open when ${file} was damaged after it was ${state}, seed ${SEED}`, async (t) => {
        await using base = await tempDir('orch-damage-');
        const image = all[state];
        const random = seededRandom(SEED);
        let refused = 0;
        const size = statSync(join(image, file), { throwIfNoEntry: false })?.size ?? 0;
        const choice = { sources: all.sources, random, changes: CHANGES[file] ?? 3 };
        const damages = damagesOf(file, size, choice);
        for (const { title, apply } of damages) {
          const dir = copyFiles(image, join(base.path, 'damaged'));
          if (apply(dir)) {
            const refusal = await openOrRefusal(dir, all.acknowledged, title);
            if (refusal !== undefined) {
              refused++;
              const named = /of another store|as it was earlier/.test(title) ? 'store.' : `${file} `;
              assert.ok(refusal.includes(named), `${title}: ${refusal}`);
            }
          }
          rmSync(dir, { recursive: true });
        }
        t.diagnostic(`${damages.length} damages, ${refused} refused`);
      });
    }
  }

  it('the error names the damaged page of the database', async () => {
    await using base = await tempDir('orch-damage-');
    const closed = copyFiles(all.closed, join(base.path, 'closed'));
    const bytes = readFileSync(join(closed, 'store.db'));
    bytes[4096 * 6 + 17] = (bytes[4096 * 6 + 17] ?? 0) ^ 1;
    writeFileSync(join(closed, 'store.db'), bytes);
    await assert.rejects(openStore(closed), /store\.db is damaged in page 7 of \d+\./);
  });

  it('a damaged embedded store opens a directory of a version that had only the database and its log', async () => {
    await using base = await tempDir('orch-unchecked-');
    for (const state of ['killed', 'closed'] as const) {
      const dir = copyFiles(all[state], join(base.path, state));
      for (const file of ['store.mark', 'store.sums', 'store.reserve'])
        rmSync(join(dir, file), { force: true });
      const db = new DatabaseSync(join(dir, 'store.db'));
      db.exec('PRAGMA wal_autocheckpoint = 0; DROP TABLE identity; PRAGMA user_version = 1');
      db.close();
      assert.equal(await openOrRefusal(dir, all.acknowledged, 'an earlier version'), undefined);
      assert.ok(existsSync(join(dir, 'store.mark')) && existsSync(join(dir, 'store.sums')));
    }
  });

  it('a damaged embedded store opens after a process has exited without closing the store', async () => {
    await using base = await tempDir('orch-unclosed-');
    const killed = copyFiles(all.killed, join(base.path, 'killed'));
    assert.equal(await openOrRefusal(killed, all.acknowledged, 'killed'), undefined);
    assert.ok(!existsSync(join(killed, 'store.db-wal')), 'a closed store needs no log');
  });
});

describe('the lock of the data directory', () => {
  it('the lock of the data directory is released by a kill, independently of the content and the times of its file', async () => {
    await using base = await tempDir('orch-lock-');
    const { killed, acknowledged } = await images(base.path);
    const lock = join(killed, 'store.lock');
    for (const content of ['', '4711', 'x'.repeat(5000)]) {
      writeFileSync(lock, content);
      const future = new Date('2100-01-01');
      utimesSync(lock, future, future);
      const dir = copyFiles(killed, join(base.path, 'again'));
      utimesSync(join(dir, 'store.lock'), future, future);
      assert.equal(await openOrRefusal(dir, acknowledged, `lock ${content.length}`), undefined);
      rmSync(dir, { recursive: true });
    }
  });
});
