import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildGoProgram } from '@orch/testkit';
import type { Operation } from './clients/register-history.ts';
import { simulate } from './scenario.ts';
import { type Schedule, scheduleOf } from './schedule/schedule.ts';

const porcupine = await buildGoProgram(join(import.meta.dirname, 'go', 'histories'));
const SEEDS = Number(process.env['SEEDS'] ?? '8');
const TIMEOUT_MS = 120_000;

/** Which histories porcupine finds linearizable. */
function areLinearizable(histories: readonly (readonly Operation[])[]): readonly string[] {
  assert.equal(porcupine.kind, 'built');
  const input = histories.map((operations) => `${JSON.stringify(operations)}\n`).join('');
  const { stdout, stderr, status } = spawnSync(porcupine.program.path, {
    input,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  assert.equal(status, 0, stderr);
  return stdout.trim().split('\n');
}

/** Schedules of clients that share objects. */
const schedules = (count: number): readonly Schedule[] => {
  const found: Schedule[] = [];
  for (let seed = 1; found.length < count; seed++) {
    const schedule = scheduleOf(seed, 5);
    if (schedule.cast.registers > 0) found.push(schedule);
  }
  return found;
};

const base = { client: 0, key: 'default/x', value: '', expected: 0, known: '', revision: 0, read: '' };
const read = (position: number, value: string): Operation => ({
  ...base,
  call: 'get',
  start: position,
  end: position + 1,
  outcome: value === '' ? 'absent' : 'done',
  read: value,
});
const written = (position: number, call: 'create' | 'update', values: Partial<Operation>): Operation => ({
  ...base,
  call,
  start: position,
  end: position + 1,
  outcome: 'done',
  ...values,
});

describe('histories of simulated clients', {
  skip: porcupine.kind === 'missing' ? porcupine.reason : false,
}, () => {
  it(`porcupine finds the histories of ${SEEDS} simulations linearizable`, async () => {
    const histories: (readonly Operation[])[] = [];
    for (const schedule of schedules(SEEDS)) histories.push((await simulate(schedule)).operations);
    assert.ok(histories.every(({ length }) => length > 5));
    assert.deepEqual(
      areLinearizable(histories),
      histories.map(() => 'true'),
    );
  });

  it('porcupine refuses histories with an old read, a lost write and a write over another one', () => {
    const created = written(0, 'create', { value: 'a' });
    const updated = written(2, 'update', { value: 'b', known: 'a' });
    const unknown = written(2, 'update', { value: 'b', known: 'a', outcome: 'unknown' });
    const rows: readonly (readonly [string, readonly Operation[]])[] = [
      ['true', [created, updated, read(4, 'b')]],
      ['false', [created, updated, read(4, 'a')]],
      ['false', [created, read(2, '')]],
      ['false', [created, updated, written(4, 'update', { value: 'c', known: 'a' })]],
      ['true', [created, unknown, read(4, 'a'), read(6, 'b')]],
      ['false', [created, unknown, read(4, 'b'), read(6, 'a')]],
    ];
    assert.deepEqual(
      areLinearizable(rows.map(([, history]) => history)),
      rows.map(([expected]) => expected),
    );
  });
});
