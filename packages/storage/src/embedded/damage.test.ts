import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { seededRandom, testEnv } from '@orch/machinery/testing';
import { prefixRange } from '../keys.ts';
import { type KeyValue, type Store, StoreError, type Write } from '../store.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { openEmbeddedStore } from './open.ts';
import { damagesOf } from './testing/damaged-files.ts';

const { signal } = new AbortController();
const SEED = Number(process.env.SEED ?? 7);
const FILES = ['store.db', 'store.db-wal', 'store.mark', 'store.sums', 'store.lock', 'store.reserve'];
/** Places at which a byte is changed, in turn. What holds no data needs few. */
const CHANGES: Readonly<Record<string, number>> = {
  'store.db': 40,
  'store.db-wal': 40,
  'store.sums': 40,
  'store.mark': 8,
};
const OPTIONS = { checkpointBytes: 2 * 1024 * 1024, reserveBytes: 64 * 1024 };

const openStore = (dir: string, seed = SEED) =>
  openEmbeddedStore({ dir, env: { ...testEnv(), random: seededRandom(seed) }, ...OPTIONS });

/** Copies the files of a quiet store: of an open one, they are what a killed process leaves. */
function copyFiles(from: string, to: string): string {
  mkdirSync(to, { recursive: true });
  for (const file of FILES) if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file));
  return to;
}

/** Writes until the store has copied its log back more than once. */
async function writeMuch(store: Store, seed: number, count: number): Promise<void> {
  const random = seededRandom(seed);
  for (let i = 0; i < count; i++) {
    const key = `/k/${random.int(40)}`;
    const { kv } = await store.get(key, signal);
    const value = Buffer.alloc(1 + random.int(6000), i);
    const expected = kv?.modRevision ?? 0;
    const write: Write =
      kv === undefined
        ? { op: 'create', key, value }
        : random.int(6) === 0
          ? { op: 'delete', key, expected }
          : { op: 'update', key, value, expected };
    assert.ok((await store.commit(write, signal)).ok);
  }
}

interface Acknowledged {
  readonly rev: number;
  readonly items: readonly KeyValue[];
}

async function stateOf(store: Store): Promise<Acknowledged> {
  const { rev, items } = await store.list(prefixRange('/k/'), {}, signal);
  return { rev, items };
}

/** Images of one store: as a killed process leaves it, and closed; both with everything in `acknowledged`. */
async function images(base: string) {
  const origin = join(base, 'origin');
  const other = await openStore(join(base, 'other'), SEED + 1);
  await writeMuch(other, SEED + 1, 60);
  const otherImage = copyFiles(join(base, 'other'), join(base, 'other-image'));
  await other.close();
  const store = await openStore(origin);
  await writeMuch(store, SEED, 60);
  const older = copyFiles(origin, join(base, 'older'));
  await writeMuch(store, SEED + 2, 45);
  const acknowledged = await stateOf(store);
  const killed = copyFiles(origin, join(base, 'killed'));
  await store.close();
  const closed = copyFiles(origin, join(base, 'closed'));
  return { killed, closed, acknowledged, sources: { other: otherImage, older } };
}

const digest = (dir: string) =>
  readdirSync(dir)
    .filter((file) => file !== 'store.db-shm' && file !== 'store.lock')
    .map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(dir, file)))
        .digest('hex'),
    ]);

/** Opens with everything acknowledged, or refuses and leaves the files as they are; the refusal. */
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

describe('embedded store, damaged', () => {
  for (const state of ['killed', 'closed'] as const) {
    for (const file of FILES) {
      it(`opens with everything acknowledged or refuses, with ${file} damaged after it was ${state}, seed ${SEED}`, async (t) => {
        await using base = await tempDir('orch-damage-');
        const all = await images(base.path);
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

  it('names the page of the database that is damaged', async () => {
    await using base = await tempDir('orch-damage-');
    const { closed } = await images(base.path);
    const bytes = readFileSync(join(closed, 'store.db'));
    bytes[4096 * 6 + 17] = (bytes[4096 * 6 + 17] ?? 0) ^ 1;
    writeFileSync(join(closed, 'store.db'), bytes);
    await assert.rejects(openStore(closed), /store\.db is damaged in page 7 of \d+\./);
  });

  it('opens a directory of a version that kept only the database and its log', async () => {
    await using base = await tempDir('orch-unchecked-');
    const { killed, closed, acknowledged } = await images(base.path);
    for (const dir of [killed, closed]) {
      for (const file of ['store.mark', 'store.sums', 'store.reserve'])
        rmSync(join(dir, file), { force: true });
      const db = new DatabaseSync(join(dir, 'store.db'));
      db.exec('PRAGMA wal_autocheckpoint = 0; DROP TABLE identity; PRAGMA user_version = 1');
      db.close();
      assert.equal(await openOrRefusal(dir, acknowledged, 'an earlier version'), undefined);
      assert.ok(existsSync(join(dir, 'store.mark')) && existsSync(join(dir, 'store.sums')));
    }
  });

  it('opens after a process that ended without closing the store', async () => {
    await using base = await tempDir('orch-unclosed-');
    const { killed, acknowledged } = await images(base.path);
    assert.equal(await openOrRefusal(killed, acknowledged, 'killed'), undefined);
    assert.ok(!existsSync(join(killed, 'store.db-wal')), 'a closed store needs no log');
  });
});

describe('lock of the data directory', () => {
  it('is free after a kill, whatever its file holds and whatever its times are', async () => {
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
