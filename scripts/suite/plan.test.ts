import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planOf, recordOf, timeoutOf } from './plan.ts';
import { checkout } from './temporary-checkout.ts';

const good = `import { it } from 'node:test'; it('does it', () => {});`;

describe('recordOf', () => {
  it('durations of files that ran replace recorded ones, the longest first, and short ones are left out', () => {
    const recorded = { 'test/a.test.ts': 30, 'test/b.test.ts': 20, 'test/c.test.ts': 10 };
    const record = recordOf(
      recorded,
      new Map([
        ['test/a.test.ts', 1.5],
        ['test/c.test.ts', 25.4],
        ['test/d.test.ts', 2.2],
      ]),
    );
    deepEqual(Object.entries(record), [
      ['test/c.test.ts', 25],
      ['test/b.test.ts', 20],
      ['test/d.test.ts', 2],
    ]);
  });
});

describe('timeoutOf', () => {
  it('a process with a long recorded duration may take proportionally longer than others', () => {
    const recorded = { 'test/a.test.ts': 80, 'test/b.test.ts': 20 };
    equal(timeoutOf(['test/b.test.ts'], recorded, 300), 300);
    equal(timeoutOf(['test/a.test.ts', 'test/b.test.ts'], recorded, 300), 750);
  });
});

describe('planOf', () => {
  it('recorded durations order the processes, the longest first', () => {
    using tree = checkout({ 'test/a.test.ts': good, 'test/b.test.ts': good, 'test/c.test.ts': good });
    const files = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'];
    const plan = planOf(tree.root, files, { 'test/c.test.ts': 9, 'test/b.test.ts': 90 });
    deepEqual(
      plan.flatMap((batch) => batch.files),
      ['test/b.test.ts', 'test/c.test.ts', 'test/a.test.ts'],
    );
  });

  it('short tests across packages share processes by folder', () => {
    const sources = {
      'packages/a/src/one.test.ts': good,
      'packages/a/src/two.test.ts': good,
      'packages/a/src/three.test.ts': good,
      'test/a/exit.test.ts': `process.once('exit', () => undefined);`,
      'test/a/four.test.ts': good,
      'test/a/five.test.ts': good,
      'test/b/slow.test.ts': good,
    };
    using tree = checkout(sources);
    const plan = planOf(tree.root, Object.keys(sources), { 'test/b/slow.test.ts': 22 });
    deepEqual(
      plan.map((batch) => batch.files.map((file) => file.replace(/.*\/(.*)\.test\.ts/, '$1'))),
      [['slow'], ['four', 'five'], ['one', 'two', 'three'], ['exit']],
    );
  });

  it('slow unit tests and those that change their process run alone, others by package', () => {
    const sources = {
      'packages/a/src/exit.test.ts': `process.once('exit', () => undefined);`,
      'packages/a/src/one.test.ts': good,
      'packages/a/src/slow.test.ts': good,
      'packages/a/src/two.test.ts': good,
      'packages/b/src/three.test.ts': good,
    };
    using tree = checkout(sources);
    const plan = planOf(tree.root, Object.keys(sources), { 'packages/a/src/slow.test.ts': 22 });
    deepEqual(
      plan.map((batch) => batch.files.map((file) => file.replace(/.*\/(.*)\.test\.ts/, '$1'))),
      [['slow'], ['one', 'two'], ['exit'], ['three']],
    );
  });

  it('files that share processes are divided into processes that take about the same time', () => {
    const files = Array.from({ length: 12 }, (_, i) => `test/a/${i}.test.ts`);
    using tree = checkout(Object.fromEntries(files.map((file) => [file, good])));
    const plan = planOf(tree.root, files, Object.fromEntries(files.slice(0, 8).map((file) => [file, 10])));
    deepEqual(
      plan.map((batch) => batch.files.length),
      [3, 3, 6],
    );
  });
});
