import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { checkout } from './temporary-checkout.ts';

const good = `import { describe, it } from 'node:test';
describe('a suite', () => { it('one', () => {}); it('two', () => {}); });`;
const testThat = (body: string): string => `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createServer } from 'node:net';
it('does it', async () => { ${body} });`;

/** Sources of test files by `FOLDER/NAME`. The files of a folder share a process, except those that change their process. */
type Sources = Readonly<Record<string, string>>;

const pathOf = (name: string): string => {
  const [folder, file] = name.split('/');
  return `packages/${folder}/src/${file}.test.ts`;
};

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** The start of a runner costs more than many files: one runs the files of several tests, each in a separate folder. */
const runFiles = (sources: Sources, ...options: readonly string[]): Promise<Ran> =>
  runUntil(sources, options, () => new Promise(() => undefined));

/** Runs the files as `runFiles` does, and ends the run with SIGTERM once `until` resolves. */
async function runUntil(
  sources: Sources,
  options: readonly string[],
  until: () => Promise<void>,
): Promise<Ran> {
  using tree = checkout(
    Object.fromEntries(Object.entries(sources).map(([name, source]) => [pathOf(name), source])),
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const runner = join(import.meta.dirname, '../test.ts');
  const child = spawn(process.execPath, [runner, '--root', tree.root, ...options], { env });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  void until().then(() => child.kill());
  const output = await text(child.stdout);
  return { code: await ended, output };
}

/** The reports of failures in a folder. */
const failuresIn = (folder: string, { output }: Ran): readonly string[] => {
  // They are printed as they occur, and once more at the end.
  const [, atEnd = ''] = output.split(/^\d+ failing:$/m);
  return atEnd.split(/^(?=FAILED )/m).filter((text) => text.startsWith(`FAILED packages/${folder}/`));
};

function assertFailures(folder: string, ran: Ran, ...reports: readonly RegExp[]): void {
  const failures = failuresIn(folder, ran);
  equal(failures.length, reports.length, `${folder}:\n${ran.output}`);
  for (const [i, report] of reports.entries()) match(failures[i] ?? '', report);
}

/** Far more than the process of a test takes without programs. */
const BUSY_SECONDS = 0.8;

/** A file that changes its process does not share it. */
const separate = `process.env['SEPARATE'] = 'yes';`;

describe('a run whose tests pass', () => {
  const hooks = (name: string): string => `import { appendFileSync } from 'node:fs';
    import { after, before, beforeEach, describe, it } from 'node:test';
    const note = (what) => appendFileSync(process.env.NOTES, '${name}: ' + what + '\\n');
    before(() => note('before'));
    beforeEach(() => note('beforeEach'));
    after(() => note('after'));
    it('one', () => note('one'));
    describe('a suite', () => { it('two', () => note('two')); });`;
  const atEnd = (name: string): string => `import { appendFileSync } from 'node:fs';
    import { it } from 'node:test';
    it('does it', () => undefined);
    process.on('exit', (code) => appendFileSync(process.env.ENDS, '${name}' + code + ' '));`;
  const program = `let cpu = { user: 0, system: 0 };
    while (cpu.user + cpu.system < ${BUSY_SECONDS * 1e6}) {
      for (let i = 0; i < 1e6; i++);
      cpu = process.cpuUsage();
    }`;
  const busy = `import { spawnSync } from 'node:child_process';
    import { it } from 'node:test';
    it('runs a program', () => void spawnSync(process.execPath, ['-e', ${JSON.stringify(program)}]));`;
  // Node keeps the identifiers for its hooks in the promises.
  const promise = `Object.getOwnPropertySymbols(Promise.resolve())`;
  const sources: Sources = {
    ...Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`good/f${i}`, good])),
    'good/promises': testThat(`if (${promise}.length > 0) throw new Error('hooks')`),
    'hooks/a': hooks('a'),
    'hooks/b': hooks('b'),
    'ends/a': atEnd('a'),
    'ends/b': atEnd('b'),
    'busy/a': busy.replace('process.cpuUsage', `process['cpuUsage']`),
    'busy/b': `${busy}\n${separate}`,
    'busy/c': good,
  };
  const notes = checkout({ notes: '', ends: '' });
  const noted = (name: string): string => readFileSync(join(notes.root, name), 'utf8');
  let ran: Ran;

  before(async () => {
    process.env['NOTES'] = join(notes.root, 'notes');
    process.env['ENDS'] = join(notes.root, 'ends');
    ran = await runFiles(sources, '--times', join(notes.root, 'times'));
  });
  after(() => notes[Symbol.dispose]());

  it('all tests of files that share a process are counted, and the run succeeds', () => {
    // Two of each good file, of each one with hooks, and one of each other file.
    match(ran.output, /\n24 files in .*\n43 passed, 0 failed, 0 skipped\n$/);
    equal(ran.code, 0);
  });

  it('hooks outside of suites run for the tests of their file, and before the next file', () => {
    const all = ['before', 'beforeEach', 'one', 'beforeEach', 'two', 'after'];
    const expected = ['a', 'b'].flatMap((name) => all.map((what) => `${name}: ${what}\n`));
    equal(noted('notes'), expected.join(''));
  });

  it('each handler of the end of a test process runs once, with the exit code', () => {
    match(noted('ends'), /^(a0 b0|b0 a0) $/);
  });

  it('tests run without hooks that follow every promise, which cost time', () => {
    deepEqual(failuresIn('good', ran), []);
  });

  it('the CPU time includes the programs that tests ran, of files that share a process and of those that do not', () => {
    const { cpuSeconds } = JSON.parse(noted('times')) as { readonly cpuSeconds: Record<string, number> };
    const ofBusy = Object.entries(cpuSeconds).filter(([entry]) => entry.includes('busy'));
    equal(ofBusy.length, 2);
    for (const [entry, seconds] of ofBusy) ok(seconds >= BUSY_SECONDS, `${entry}: ${seconds} s`);
    const [, all] = /^24 files in [\d.]+ s, ([\d.]+) s CPU$/m.exec(ran.output) ?? [];
    ok(Number(all) >= 2 * BUSY_SECONDS, ran.output);
  });

  it('the CPU time is listed next to the duration of the slowest files', () => {
    match(ran.output, /^ +[\d.]+ s, +[\d.]+ s CPU {2}packages\/busy\/src\/b\.test\.ts$/m);
    match(ran.output, /^ +[\d.]+ s, +- s CPU {2}packages\/busy\/src\/a\.test\.ts$/m);
  });
});

describe('a run with failures', () => {
  const cause = `{ cause: new Error('the reason') }`;
  const exits = {
    'exits with success': `process['exit'](0)`,
    'exits with 1': `process['exit'](1)`,
    'exits with 9': `process['exit'](9)`,
    'is killed': `process.kill(process.pid, 'SIGKILL'); await new Promise(() => undefined)`,
  };
  const outside = {
    'an exception in a timer': `setTimeout(() => { throw new Error('outside') }, 1)`,
    'an exception in an event': `createServer().on('listening', () => { throw new Error('outside') }).unref().listen(0)`,
    'a rejection that nothing awaits': `void sleep(1).then(() => Promise.reject(new Error('outside')))`,
  };
  const thrown = {
    'an error that is a cause of its cause': `const e = new Error('odd'); e.cause = new Error('even', { cause: e }); throw e`,
    'an object without a prototype': `throw Object.assign(Object.create(null), { odd: true })`,
    'an error whose stack is an object': `throw Object.assign(new Error('odd'), { stack: Object.create(null) })`,
    'an error whose text is not text': `throw Object.assign(new Error('odd'), { stack: { toString: 1 }, message: { toString: 1 } })`,
    'an assertion about values that cannot be copied': `assert.deepEqual({ odd() {} }, { even: 1 })`,
    'an event': `throw new Event('odd')`,
    'a symbol': `throw Symbol('odd')`,
    nothing: `throw undefined`,
  };
  const outsideOf = (statement: string): string => `import { createServer } from 'node:net';
    import { describe, it } from 'node:test';
    import { setTimeout as sleep } from 'node:timers/promises';
    describe('a suite', () => {
      it('works', () => sleep(1));
      it('causes it', async () => { await sleep(1); ${statement}; await sleep(200); });
      it('works as well', () => sleep(1));
    });`;
  const each = (folder: string, bodies: object, source: (body: string) => Sources): Sources =>
    Object.fromEntries(
      Object.values(bodies).flatMap((body, i) =>
        Object.entries(source(body)).map(([name, text]) => [`${folder}${i}/${name}`, text]),
      ),
    );
  let ran: Ran;

  before(async () => {
    ran = await runFiles({
      'fails/a': testThat(`throw new Error('wrong', ${cause})`),
      'fails/b': good,
      'unloadable/a': `throw new Error('not loadable')`,
      'unloadable/b': good,
      'alone/a': `${separate} throw new Error('not loadable');`,
      ...each('exits', exits, (body) => ({ a: good, b: testThat(body), c: good })),
      ...each('outside', outside, (statement) => ({ a: outsideOf(statement) })),
      ...each('thrown', thrown, (statement) => ({ a: testThat(statement), b: good })),
      'late/a': `${testThat(`setTimeout(() => { throw new Error('outside') }, 50)`)}\n${separate}`,
    });
  });

  it('the files after a failed one run, all tests are counted, and the run fails', () => {
    // The tests of the good files, the others of suites, and the late one pass. Each file that its process did not end counts once more.
    match(ran.output, /\n28 passed, 31 failed, 0 skipped\n$/);
    equal(ran.code, 1);
  });

  it('a failed test is reported with its file and the causes of its error', () => {
    assertFailures('fails', ran, /src\/a\.test\.ts › does it\n.*wrong.*caused by Error: the reason/s);
  });

  for (const [i, what] of Object.keys(thrown).entries())
    it(`a test that throws ${what} is reported with its file`, () => {
      assertFailures(`thrown${i}`, ran, /src\/a\.test\.ts › does it\n/);
    });

  it('a file that cannot be loaded is reported with its name', () => {
    assertFailures('unloadable', ran, /src\/a\.test\.ts\n.*not loadable/);
  });

  it('a file with a separate process that cannot be loaded is reported with its name and its error', () => {
    assertFailures('alone', ran, /src\/a\.test\.ts\n.*Error: not loadable/s, /its process ended before/);
  });

  for (const [i, how] of Object.keys(exits).entries())
    it(`a file whose process ${how} in a test fails by name, and so do the files that did not run`, () => {
      const failures = failuresIn(`exits${i}`, ran);
      match(failures.join(''), /FAILED packages\/exits\d\/src\/b\.test\.ts/);
      match(failures.join(''), /FAILED packages\/exits\d\/src\/c\.test\.ts: its process ended before/);
    });

  for (const [i, what] of Object.keys(outside).entries())
    it(`${what} outside of all tests fails the test that caused it by name, and no other`, () => {
      assertFailures(`outside${i}`, ran, /src\/a\.test\.ts › a suite › causes it\n.*outside/);
    });

  it('an exception after the end of its test fails the file', () => {
    assertFailures('late', ran, /src\/a\.test\.ts/);
  });
});

describe('a run whose time is over', () => {
  let ran: Ran;

  before(async () => {
    const sources: Sources = {
      'hangs/a': good,
      'hangs/b': testThat('await new Promise(() => { setInterval(() => undefined, 1000); })'),
      'hangs/c': good,
      'hooks/a': good,
      'hooks/b': `import { after, it } from 'node:test';
        setInterval(() => undefined, 1000);
        ${separate}
        after(() => new Promise(() => undefined));
        it('does it', () => undefined);`,
      'stuck/a': `import { it } from 'node:test';
        ${separate}
        it('a loop never ends', () => { for (;;); });`,
      'programs/a': `import { spawn } from 'node:child_process';
        import { it } from 'node:test';
        ${separate}
        it('a loop beside a program never ends', () => {
          spawn('sh', ['-c', 'sleep 60; true'], { stdio: 'inherit' });
          for (;;);
        });`,
      'holds/a': `import { spawn } from 'node:child_process';
        import { it } from 'node:test';
        ${separate}
        it('a program has the output of the process', () => {
          spawn('sleep', ['60'], { stdio: 'inherit', detached: true }).unref();
        });`,
      'leaks/a': good,
      'leaks/b': testThat('createServer().listen(0)'),
      'leaks/c': good,
    };
    ran = await runFiles(sources, '--timeout', '6000');
    equal(ran.code, 1);
  });

  it('a test that never ends fails by name after the timeout', () => {
    match(failuresIn('hangs', ran).join(''), /src\/b\.test\.ts › does it/);
  });

  it('a process whose hooks never end after its timeout is killed, and its file fails by name', () => {
    match(failuresIn('hooks', ran).join(''), /src\/b\.test\.ts/);
  });

  it('a process that runs a loop without an end is killed, and its file fails by name', () => {
    match(failuresIn('stuck', ran).join(''), /src\/a\.test\.ts/);
  });

  it('programs of a process that is killed are killed as well, on Linux', (t) => {
    if (process.platform !== 'linux') return t.skip('only Linux says which programs a process runs');
    const failures = failuresIn('programs', ran).join('');
    match(failures, /src\/a\.test\.ts/);
    doesNotMatch(failures, /a program that it started/);
  });

  it('a file whose program has the output of its process fails by name, and the run goes on to its end', () => {
    match(failuresIn('holds', ran).join(''), /src\/a\.test\.ts: its process was killed, and a program/);
  });

  it('a file that leaves a server open fails with its name and the type of the resource', () => {
    assertFailures('leaks', ran, /packages\/leaks\/src\/b\.test\.ts left a TCPServerWrap open/);
  });
});

describe('a run that is ended by a signal', () => {
  it('the run fails and names the files that were running', async () => {
    const marked = `import { it } from 'node:test';
      import { writeFileSync } from 'node:fs';
      ${separate}
      it('a loop never ends', () => { writeFileSync(process.env.MARK, ''); for (;;); });`;
    using marks = checkout({ folder: '' });
    const mark = join(marks.root, 'mark');
    process.env['MARK'] = mark;
    const begun = async (): Promise<void> => {
      while (!existsSync(mark)) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const ran = await runUntil({ 'stuck/a': marked, 'good/a': good }, [], begun);
    equal(ran.code, 1);
    match(
      ran.output,
      /^\d+ s: \d files have ended, \d are left\. Running: .*\bpackages\/stuck\/src\/a\.test\.ts for \d+ s/m,
    );
    match(failuresIn('stuck', ran).join(''), /src\/a\.test\.ts: its process ended before/);
  });
});
