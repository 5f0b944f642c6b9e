import { equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { report } from './reporter.ts';

describe('report', () => {
  it('an event that cannot be reported fails the run by the name of its test, and later events are reported', async () => {
    // As a defect of the reporter would be: reading its error fails.
    const unreadable = {
      name: 'odd',
      nesting: 0,
      file: `${process.cwd()}/test/a.test.ts`,
      get details(): never {
        throw new Error('unreadable');
      },
    };
    const passed = { name: 'good', nesting: 0, file: `${process.cwd()}/test/a.test.ts`, details: {} };
    const events = [
      { type: 'test:fail', data: unreadable },
      { type: 'test:pass', data: passed },
    ] as unknown as readonly TestEvent[];
    const run = { batches: new Map(), allCpuSeconds: (ofTests: number) => ofTests };
    const texts: string[] = [];
    const before = process['exitCode'];
    const lines = report(
      (async function* () {
        yield* events;
      })(),
      run,
    );
    for await (const text of lines) texts.push(text);
    equal(process['exitCode'], 1);
    process['exitCode'] = before;
    match(texts.join(''), /^FAILED test\/a\.test\.ts › odd: its test:fail cannot be reported\n.*unreadable/);
    match(texts.join(''), /\n1 passed, 1 failed, 0 skipped\n$/);
  });
});
