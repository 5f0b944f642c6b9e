import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { planOf, recordOf } from './plan.ts';

const good = `import { describe, it } from 'node:test';
describe('a suite', () => { it('one', () => {}); it('two', () => {}); });`;
const testThat = (body: string): string => `import { it } from 'node:test';
import { createServer } from 'node:net';
it('does it', async () => { ${body} });`;

/** A checkout with these files. */
function checkout(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'orch-suite-'));
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

/** Runs files `packages/a/src/NAME.test.ts`, which share a process, and returns what the runner printed and its exit code. */
async function runFiles(sources: Record<string, string>, timeout = 60_000) {
  using tree = checkout(
    Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [`packages/a/src/${name}.test.ts`, source]),
    ),
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const runner = join(import.meta.dirname, '../test.ts');
  const child = spawn(process.execPath, [runner, '--root', tree.root, '--timeout', String(timeout)], { env });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const output = await text(child.stdout);
  return { code: await ended, output };
}

describe('files that share a process', () => {
  it('all tests of files that share a process are counted, and the run succeeds', async () => {
    const { code, output } = await runFiles({ a: good, b: good, c: good });
    match(output, /3 files in .*\n6 passed, 0 failed, 0 skipped\n$/);
    equal(code, 0);
  });

  it('a failed test is reported with its file and the files after it run', async () => {
    const { code, output } = await runFiles({ a: testThat(`throw new Error('wrong')`), b: good });
    match(output, /FAILED packages\/a\/src\/a\.test\.ts › does it\n.*wrong/);
    match(output, /\n2 passed, 1 failed, 0 skipped\n$/);
    equal(code, 1);
  });

  it('a failed test is reported with the causes of its error', async () => {
    const cause = `{ cause: new Error('the reason') }`;
    const { output } = await runFiles({ a: testThat(`throw new Error('wrong', ${cause})`), b: good });
    match(output, /caused by Error: the reason/);
  });

  it('hooks outside of suites run for the tests of their file, and before the next file', async () => {
    const hooks = (name: string): string => `import { appendFileSync } from 'node:fs';
      import { after, before, beforeEach, describe, it } from 'node:test';
      const note = (what) => appendFileSync(process.env.NOTES, '${name}: ' + what + '\\n');
      before(() => note('before'));
      beforeEach(() => note('beforeEach'));
      after(() => note('after'));
      it('one', () => note('one'));
      describe('a suite', () => { it('two', () => note('two')); });`;
    using folder = checkout({ notes: '' });
    const notes = join(folder.root, 'notes');
    process.env['NOTES'] = notes;
    const { code } = await runFiles({ a: hooks('a'), b: hooks('b') });
    equal(code, 0);
    const all = ['before', 'beforeEach', 'one', 'beforeEach', 'two', 'after'];
    const expected = ['a', 'b'].flatMap((name) => all.map((what) => `${name}: ${what}\n`));
    equal(readFileSync(notes, 'utf8'), expected.join(''));
  });

  it('a file that cannot be loaded is reported with its name and the files after it run', async () => {
    const { code, output } = await runFiles({ a: `throw new Error('not loadable')`, b: good });
    match(output, /FAILED packages\/a\/src\/a\.test\.ts\n.*not loadable/);
    match(output, /\n2 passed, 1 failed, 0 skipped\n$/);
    equal(code, 1);
  });

  it('a file with a separate process that cannot be loaded is reported with its name and its error', async () => {
    const source = `process.env['SEPARATE'] = 'a file that changes its process does not share it';
      throw new Error('not loadable');`;
    const { code, output } = await runFiles({ a: source, b: good });
    match(output, /FAILED packages\/a\/src\/a\.test\.ts\n.*Error: not loadable/s);
    equal(code, 1);
  });

  for (const [how, body] of [
    ['exits with success', `process['exit'](0)`],
    ['exits with 1', `process['exit'](1)`],
    ['is killed', `process.kill(process.pid, 'SIGKILL'); await new Promise(() => undefined)`],
  ] as const) {
    it(`a file whose process ${how} in a test fails by name, and so do the files that did not run`, async () => {
      const { code, output } = await runFiles({ a: good, b: testThat(body), c: good });
      match(output, /FAILED packages\/a\/src\/b\.test\.ts/);
      match(output, /FAILED packages\/a\/src\/c\.test\.ts: its process ended before/);
      equal(code, 1);
    });
  }

  it('the exit code of a process is reported with the file that it ran', async () => {
    const { output } = await runFiles({ a: good, b: testThat(`process['exit'](9)`), c: good });
    match(output, /FAILED packages\/a\/src\/b\.test\.ts\n.*test failed/);
  });

  it('a test that never ends fails by name after the timeout', async () => {
    const hang = testThat('await new Promise(() => { setInterval(() => undefined, 1000); })');
    const { code, output } = await runFiles({ a: good, b: hang, c: good }, 6_000);
    match(output, /FAILED packages\/a\/src\/b\.test\.ts › does it/);
    equal(code, 1);
  });

  it('a process whose hooks never end after its timeout is killed, and its file fails by name', async () => {
    const hang = `import { after, it } from 'node:test';
      setInterval(() => undefined, 1000);
      process.env['SEPARATE'] = 'a file that changes its process does not share it';
      after(() => new Promise(() => undefined));
      it('does it', () => undefined);`;
    const { code, output } = await runFiles({ a: good, b: hang, c: good }, 6_000);
    match(output, /FAILED packages\/a\/src\/b\.test\.ts/);
    equal(code, 1);
  });

  it('a file that leaves a server open fails with its name and the type of the resource', async () => {
    const leak = testThat('createServer().listen(0)');
    const { code, output } = await runFiles({ a: good, b: leak, c: good }, 6_000);
    match(output, /packages\/a\/src\/b\.test\.ts left a TCPServerWrap open/);
    match(output, /5 passed, 1 failed, 0 skipped\n$/);
    equal(code, 1);
  });
});

describe('an error outside of all tests', () => {
  const outside = {
    'an exception in a timer': `setTimeout(() => { throw new Error('outside') }, 1)`,
    'an exception in an event': `createServer().on('listening', () => { throw new Error('outside') }).unref().listen(0)`,
    'a rejection that nothing awaits': `void sleep(1).then(() => Promise.reject(new Error('outside')))`,
  };

  for (const [what, statement] of Object.entries(outside)) {
    it(`${what} fails the test that caused it by name, and no other`, async () => {
      const source = `import { createServer } from 'node:net';
        import { describe, it } from 'node:test';
        import { setTimeout as sleep } from 'node:timers/promises';
        describe('a suite', () => {
          it('works', () => sleep(1));
          it('causes it', async () => { await sleep(1); ${statement}; await sleep(200); });
          it('works as well', () => sleep(1));
        });`;
      const { code, output } = await runFiles({ a: source });
      match(output, /FAILED packages\/a\/src\/a\.test\.ts › a suite › causes it\n.*outside/);
      match(output, /\n2 passed, 1 failed, 0 skipped\n$/);
      equal(code, 1);
    });
  }

  it('each handler of the end of a test process runs once, with the exit code', async () => {
    const source = (name: string): string => `import { appendFileSync } from 'node:fs';
      import { it } from 'node:test';
      it('does it', () => undefined);
      process.on('exit', (code) => appendFileSync(process.env.ENDS, '${name}' + code + ' '));`;
    using folder = checkout({ ends: '' });
    const ends = join(folder.root, 'ends');
    process.env['ENDS'] = ends;
    const { code } = await runFiles({ a: source('a'), b: source('b') });
    equal(code, 0);
    match(readFileSync(ends, 'utf8'), /^(a0 b0|b0 a0) $/);
  });

  it('an exception after the end of its test fails the file', async () => {
    const source = testThat(`setTimeout(() => { throw new Error('outside') }, 50)`);
    const { code, output } = await runFiles({ a: `${source}\nprocess.once('exit', () => undefined);` });
    match(output, /FAILED packages\/a\/src\/a\.test\.ts/);
    equal(code, 1);
  });

  it('tests run without hooks that follow every promise, which cost time', async () => {
    // Node keeps the identifiers for its hooks in the promises.
    const promise = `Object.getOwnPropertySymbols(Promise.resolve())`;
    const { output } = await runFiles({ a: testThat(`if (${promise}.length > 0) throw new Error('hooks')`) });
    match(output, /\n1 passed, 0 failed, 0 skipped\n$/);
  });
});

describe('CPU time in the report', () => {
  it('the CPU time includes the programs that tests ran, of files that share a process and of those that do not', async () => {
    const busy = `import { spawnSync } from 'node:child_process';
      import { it } from 'node:test';
      const program = 'while (process.cpuUsage().user < 600_000);';
      it('runs a program', () => void spawnSync(process.execPath, ['-e', program]));`;
    const { output } = await runFiles({
      a: busy,
      b: `${busy}\nprocess.once('exit', () => undefined);`,
      c: good,
    });
    const [, seconds] = /^3 files in [\d.]+ s, ([\d.]+) s CPU$/m.exec(output) ?? [];
    ok(Number(seconds) >= 1.2, output);
  });

  it('the CPU time is listed next to the duration of the slowest files', async () => {
    const many = Array.from({ length: 21 }, (_, i) => [`f${i}`, good] as const);
    const alone = `${good}\nprocess.once('exit', () => undefined);`;
    const { output } = await runFiles({ ...Object.fromEntries(many), alone });
    match(output, /^ +[\d.]+ s, +[\d.]+ s CPU {2}packages\/a\/src\/alone\.test\.ts$/m);
    match(output, /^ +[\d.]+ s, +- s CPU {2}packages\/a\/src\/f\d+\.test\.ts$/m);
  });
});

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
