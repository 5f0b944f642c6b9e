import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ProgramClock } from './clocks.ts';

const HOUR_MS = 3_600_000;
/** Much more than a start takes, and much less than a step. */
const TOLERANCE_MS = HOUR_MS / 4;

const folder = mkdtempSync(join(tmpdir(), 'orch-clock-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The times of a process and of one of its threads, from each way to read the wall clock, and a fixed date. */
const PROGRAM = `
  const { Worker } = require('node:worker_threads');
  const read = () => [Date.now(), new Date().getTime(), Date.parse(Date())];
  const worker = new Worker(
    "require('node:worker_threads').parentPort.postMessage(Date.now())",
    { eval: true },
  );
  worker.once('message', (time) => {
    console.log(JSON.stringify({ times: [...read(), time], fixed: new Date(5).getTime(), isDate: new Date() instanceof Date }));
  });
`;

interface Read {
  readonly times: readonly number[];
  readonly fixed: number;
  readonly isDate: boolean;
}

const readBy = (clock: ProgramClock): Read =>
  JSON.parse(execFileSync(process.execPath, ['-e', PROGRAM], { env: clock.env, encoding: 'utf8' })) as Read;

describe('the clock of a program in a soak run', () => {
  for (const stepMs of [0, HOUR_MS, -HOUR_MS])
    it(`the clock of a program in a soak run is ${stepMs} ms ahead in all of its threads`, () => {
      const clock = new ProgramClock(join(folder, `clock${stepMs}`));
      if (stepMs !== 0) clock.set(stepMs);
      const { times, fixed, isDate } = readBy(clock);
      for (const time of times) assert.ok(Math.abs(time - Date.now() - stepMs) < TOLERANCE_MS, `${time}`);
      assert.equal(fixed, 5);
      assert.ok(isDate);
    });

  it('the clock of a program in a soak run is that of the machine after a reset', () => {
    const clock = new ProgramClock(join(folder, 'clock'));
    clock.set(HOUR_MS);
    clock.reset();
    for (const time of readBy(clock).times) assert.ok(Math.abs(time - Date.now()) < TOLERANCE_MS);
  });
});
