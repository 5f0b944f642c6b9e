import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { StoreError } from '../store.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { checkStore, openDisk, writeImage } from './testing/disk/check-crash.ts';
import { callsOf, checkCrashes, reportsIn, withRot } from './testing/disk/crash-images.ts';
import type { DiskCall } from './testing/disk/disk-call.ts';
import { plantedDiskDefects } from './testing/disk/planted-disk-defects.ts';
import { recordSessions, tracingFails } from './testing/disk/recorded-calls.ts';
import { type DiskImage, SimulatedDisk } from './testing/disk/simulated-disk.ts';

const SEED = Number(process.env['SEED'] ?? 1);
/** How many times as many images and full disks are tried as in a run of all tests. */
const TIMES = Number(process.env['TIMES'] ?? 1);
const FULL_DISKS = 2 * TIMES;
/** Writes of a thread in a session: the disk becomes full at one of them. */
const WRITES = 120;

const randomOf = (call: number, i: number) => seededRandom(SEED * 1_000_003 + call * 1009 + i);

/** Losses of power at every call of which the number is divisible by `every`. */
const powerLosses =
  (every: number) =>
  (disk: SimulatedDisk, call: number): readonly DiskImage[] =>
    call % every > 0 ? [] : Array.from({ length: TIMES }, (_, i) => disk.powerLost(randomOf(call, i)));

describe('the embedded store on a simulated disk', { skip: await tracingFails() }, () => {
  let base: Awaited<ReturnType<typeof tempDir>>;
  let calls: readonly DiskCall[];
  let second = 0;
  before(async () => {
    base = await tempDir('orch-disk-');
    const recorded = await recordSessions(join(base.path, 'recorded'), [
      { seed: SEED, groups: 5, end: 'kill' },
      { seed: SEED + 1, groups: 5, end: 'close' },
      { seed: SEED + 2, groups: 2, end: 'kill' },
    ]);
    calls = recorded.calls;
    second = recorded.starts[1] ?? 0;
  });
  after(() => base[Symbol.asyncDispose]());

  const checked = (
    imagesOf: (disk: SimulatedDisk, call: number) => readonly DiskImage[],
    of = calls,
    accepts = (_: unknown): boolean => false,
  ) => checkCrashes(of, { dir: join(base.path, 'image'), imagesOf, accepts });

  it(`an embedded store that was killed at any system call has the content of one revision, with all acknowledged commits, seed ${SEED}`, async (t) => {
    const { images, failure } = await checked((disk) => [disk.killed()]);
    assert.equal(failure, undefined);
    t.diagnostic(`${calls.length} calls, ${images} images`);
  });

  it(`an embedded store that lost power at any system call has the content of one revision, with all acknowledged commits, seed ${SEED}`, async (t) => {
    const { images, failure } = await checked(powerLosses(1));
    assert.equal(failure, undefined);
    t.diagnostic(`${calls.length} calls, ${images} images`);
  });

  it(`an embedded store with a changed bit in a file after a kill has all acknowledged commits or does not open, seed ${SEED}`, async (t) => {
    const rotten = (disk: SimulatedDisk, call: number): readonly DiskImage[] =>
      call % 4 > 0 ? [] : Array.from({ length: TIMES }, (_, i) => withRot(disk.killed(), randomOf(call, i)));
    const refuses = (error: unknown): boolean => error instanceof StoreError && error.code === 'corrupt';
    const { images, accepted, failure } = await checked(rotten, calls, refuses);
    assert.equal(failure, undefined);
    assert.ok(accepted > images / 10, `${accepted} of ${images} were refused`);
    t.diagnostic(`${images} images, ${accepted} refused`);
  });

  for (const [title, file] of [
    ['the first commit of a log was written', 'store.db-wal'],
    ['the mark named a new log', 'store.mark'],
  ] as const)
    it(`an embedded store that was killed before ${title} can be killed again at any system call, seed ${SEED}`, async (t) => {
      const log = calls.findIndex(
        (call, number) =>
          number >= second && call.kind === 'write' && call.file === 'store.db-wal' && call.at === 0,
      );
      const crash = calls.findIndex(
        (call, number) => number > log && call.kind === 'write' && call.file === file,
      );
      const disk = new SimulatedDisk();
      for (const call of calls.slice(0, crash)) disk.apply(call);
      const folder = join(base.path, file);
      writeImage(join(folder, 'data'), disk.killed());
      const reports = calls.slice(0, crash).filter(({ kind }) => kind === 'report');
      const before = [...callsOf(disk.killed()), ...reports];
      const again = await recordSessions(folder, [{ seed: SEED + 9, groups: 2, end: 'kill' }], before.length);
      const { images, failure } = await checked(
        (both, number) => (number < before.length ? [] : [both.killed(), ...powerLosses(1)(both, number)]),
        [...before, ...again.calls],
      );
      assert.equal(failure, undefined);
      t.diagnostic(`${again.calls.length} calls, ${images} images`);
    });

  for (let disk = 0; disk < FULL_DISKS; disk++)
    it(`an embedded store whose disk is full for some writes refuses commits, stores no refused one, and continues, seed ${SEED + disk}`, async (t) => {
      const random = randomOf(0, disk);
      const fullDisk = { from: 1 + random.int(WRITES), writes: 1 + random.int(40) };
      const end = random.int(2) === 0 ? 'kill' : 'close';
      const folder = join(base.path, `full-${disk}`);
      const recorded = await recordSessions(folder, [
        { seed: random.int(1000), groups: 10, end, fullDisk },
        { seed: random.int(1000), groups: 4, end: 'kill' },
      ]);
      const reports = reportsIn(recorded.calls);
      const outcomes = reports.map(({ outcome }) => outcome);
      const allowed = new Set(['stored', 'full', 'unopened', 'closed']);
      assert.deepEqual(
        outcomes.filter((outcome) => !allowed.has(outcome)),
        [],
      );
      assert.ok(outcomes.includes('stored'), 'the store continues');
      const { failure } = await checked(powerLosses(8), recorded.calls);
      assert.equal(failure, undefined);
      const store = await openDisk(recorded.dir);
      await checkStore(store, { before: reports, all: reports });
      await store.close();
      const refused = outcomes.filter((outcome) => outcome === 'full').length;
      t.diagnostic(`full from write ${fullDisk.from} on for ${fullDisk.writes}, ${refused} commits refused`);
    });

  for (const [name, plant] of Object.entries(plantedDiskDefects))
    it(`the simulated disk finds the defect that ${name}`, async (t) => {
      const { images, failure } = await checked(powerLosses(1), plant(calls));
      assert.ok(failure !== undefined, 'no crash has shown it');
      t.diagnostic(`image ${images}: ${failure.split('\n')[0]}`);
    });
});
