import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '@orch/testkit';
import { RunRecord } from './record.ts';
import { risingSeries, writeReport } from './report.ts';

const HOUR_MS = 3_600_000;

describe('records of soak runs', () => {
  it('a run that was killed while it wrote continues with its entries and its time', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'new', 'record.jsonl');
    let now = 5000;
    const first = new RunRecord(path, () => now);
    first.note({ kind: 'piece', date: 'Monday' });
    now += 700;
    first.note({ kind: 'work', counts: { writes: 3 } });
    appendFileSync(path, '{"kind":"sam');
    now = 10;
    const second = new RunRecord(path, () => now);
    assert.deepEqual(second.entries, first.entries);
    now += 300;
    second.note({ kind: 'piece', date: 'Tuesday' });
    const third = new RunRecord(path, () => now);
    assert.equal(third.elapsedMs, 1000);
    assert.deepEqual(
      third.entries.map(({ at, kind }) => [at, kind]),
      [
        [0, 'piece'],
        [700, 'work'],
        [1000, 'piece'],
      ],
    );
  });

  it('a report names the faults, the broken promises and the series that rise', () => {
    using folder = temporaryFolder();
    let now = 0;
    const record = new RunRecord(join(folder.path, 'record.jsonl'), () => now);
    record.note({ kind: 'piece', date: 'Monday' });
    for (let i = 0; i < 200; i++) {
      now = (i * HOUR_MS) / 100;
      const series = {
        'memory of server without faults': 100 + i,
        'memory of server 1': 100 + i,
        'store of file': 80 + (i % 7),
      };
      record.note({ kind: 'sample', series });
    }
    for (const recoveredMs of [100, 2000, 300])
      record.note({ kind: 'fault', name: 'server killed', lastedMs: 1, recoveredMs });
    record.note({ kind: 'violation', text: 'counter-1 is 4 after 5' });
    assert.deepEqual(risingSeries(record.entries), ['memory of server without faults: 100 an hour']);
    writeReport(folder.path, record.entries, ['No write is lost.']);
    const report = readFileSync(join(folder.path, 'report.md'), 'utf8');
    assert.match(report, /1.99 hours in 1 pieces/);
    assert.match(report, /1 promises were broken:\*\*\n- after 7164.0 s: counter-1 is 4 after 5/);
    assert.match(report, /\| server killed \| 3 \| 0.3 s \| 2.0 s \|/);
    assert.match(report, /\| memory of server without faults \| .*\*\*rises\*\* \|/);
    assert.match(report, /\| store of file \| .*does not rise \|/);
    assert.match(readFileSync(join(folder.path, 'memory.svg'), 'utf8'), /<polyline .*<\/svg>/s);
  });
});
