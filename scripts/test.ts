/** Runs the suite: `scripts/node scripts/test.ts --help`. Exits non-zero when a test failed or none was found. */
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { programArguments } from '@orch/testkit/program-arguments';
import { HOSTS_VARIABLE, ServerHosts } from '@orch/testkit/server-hosts';
import type { BatchOptions } from './suite/batch.ts';
import { affectedTests } from './suite/changed/affected-tests.ts';
import { changedFiles } from './suite/changed/changed-files.ts';
import { ImportGraph } from './suite/changed/import-graph.ts';
import { describeSelection, nearest } from './suite/changed/nearest.ts';
import { BUNDLES_VARIABLE } from './suite/modules/bundle-table.ts';
import { type Batch, expectedSeconds, planOf, recordOf, timeoutOf } from './suite/plan.ts';
import { Preparations, prepare, readyFirst } from './suite/preparations.ts';
import { programsCpuSeconds } from './suite/process-cpu.ts';
import { type RunEvent, report } from './suite/reporter.ts';
import { runEntry } from './suite/run-entry.ts';
import { printRunnerErrors } from './suite/runner-errors.ts';
import { machineHasRoom, runAll, type Width } from './suite/schedule.ts';

const usage = `scripts/node scripts/test.ts [OPTION …] [PATH or GLOB …]
make test ARGS='[OPTION …] [PATH or GLOB …]'

Runs the test files, by default all of them.

  --changed       runs only the tests that a change can affect: of files that differ from where the branch left main,
                  committed or not. Prints the tests with the reason for each: imports lead to a changed file,
                  scripts/suite/changed/declared-tests.ts names them, or they run after every change
  --main REV      the branch that --changed compares with (main)
  --within S      how long the tests of --changed may take (60 s on an idle machine; the nearest to the change run)
  --root DIR      the tests of another folder
  --timeout MS    how long one process may take (300 s); longer for one with a recorded duration above 40 s
  --record        keeps how long files took: the next runs start the longest first
  --times FILE    writes to a JSON file the duration of each file and the CPU time of each process, in seconds
`;
const suites = [
  'packages/*/src/**/*.test.ts',
  'test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
];
const here = resolve(import.meta.dirname, '..');
const durations = join(import.meta.dirname, 'suite/durations.json');

const { values, positionals } = programArguments(usage, {
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    main: { type: 'string', default: 'main' },
    within: { type: 'string', default: '60' },
    root: { type: 'string', default: here },
    timeout: { type: 'string', default: '300000' },
    record: { type: 'boolean', default: false },
    times: { type: 'string' },
  },
});
const root = resolve(values.root);
const timeout = Number(values.timeout);
/** A process that was asked to end at its timeout still has a short time to do so: 17 s. */
const endMs = Math.ceil(timeout / 18);
const entries = join(root, 'node_modules/.cache/test-batches', String(process.pid));

function filesOf(patterns: readonly string[]): string[] {
  const globs = patterns.map((p) =>
    statSync(join(root, p), { throwIfNoEntry: false })?.isDirectory() ? `${p}/**/*.test.ts` : p,
  );
  return globSync(globs, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' });
}

/** The file that a process runs: the test file, or one that runs the files of a batch. */
function entryOf({ name, files }: Batch): string {
  if (files.length === 1) return join(root, name);
  const entry = join(entries, `${name.replaceAll('/', '-')}.mjs`);
  const options: BatchOptions = { root, files, endWithinMs: timeout / 6 };
  const source = JSON.stringify(join(import.meta.dirname, 'suite/batch.ts'));
  writeFileSync(entry, `import { runBatch } from ${source};\nawait runBatch(${JSON.stringify(options)});\n`);
  return entry;
}

/**
 * One thread beside that of the program compiles and collects garbage: several wait for each other while processors are busy. Short
 * programs end before a large space for new objects is full.
 */
const V8_OPTIONS = ['--v8-pool-size=1', '--max-semi-space-size=64'];
/**
 * Heaps of tests and their servers are large from the start: collections while they grew took about 4 % of the CPU time. Node does not
 * accept these options in its variable.
 */
const HEAP_OPTIONS = ['--min-semi-space-size=64', '--initial-old-space-size=256'];
/** How often a run prints its progress. */
const PROGRESS_MS = 120_000;
/** One more than processors: processes also wait, for programs that start and for time to pass. More run while processors are idle. */
const concurrency = availableParallelism() + 1;
const recorded: Readonly<Record<string, number>> = JSON.parse(readFileSync(durations, 'utf8'));

/** Selects the tests that a change can affect. */
function ofChange(tests: readonly string[]): readonly string[] {
  const changed = changedFiles(root, values.main);
  const affected = affectedTests(new ImportGraph(root), tests, changed);
  const expected = (test: string): number => expectedSeconds(test, recorded);
  const selection = nearest(affected, expected, Number(values.within) * concurrency);
  process.stdout.write(describeSelection(selection, changed));
  return selection.run.map(({ test }) => test);
}

const matching = filesOf(positionals.length > 0 ? positionals : suites).sort();
if (matching.length === 0) {
  console.error(`no test files match ${positionals.join(' ')}`);
  process.exit(1);
}
const files = values.changed ? ofChange(matching) : matching;
if (files.length === 0) process.exit();
// Every process loads hundreds of modules: they share a compile cache.
process.env['NODE_COMPILE_CACHE'] ??= join(here, 'node_modules/.cache/compile');
// A run within a run has the bundles of the outer one, and the programs that it has prepared.
const isInner = process.env[BUNDLES_VARIABLE] !== undefined;
if (!isInner) {
  const { prepareModules } = await import('./suite/modules/prepare-modules.ts');
  process.env[BUNDLES_VARIABLE] = await prepareModules(here, root === here ? files : []);
}
// Programs in Go, such as kubectl, end before their memory matters: they spend less time on collecting garbage.
process.env['GOGC'] ??= '400';
process.env['NODE_OPTIONS'] = `${V8_OPTIONS.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`;
const isWhole = !values.changed && positionals.length === 0;
const preparations = root === here && !isInner ? prepare(root, files, isWhole) : new Preparations([]);
const hostProgram = join(here, 'dist/server-host.mjs');
using hosts = new ServerHosts(hostProgram, HEAP_OPTIONS);
if (existsSync(hostProgram)) process.env[HOSTS_VARIABLE] = hosts.path;
mkdirSync(entries, { recursive: true });
process.on('exit', () => rmSync(entries, { recursive: true, force: true }));
const batches = new Map(planOf(root, files, recorded).map((batch) => [entryOf(batch), batch.files]));
process.chdir(root);
const execArgv = [
  '--disable-warning=ExperimentalWarning',
  // Options of the runner itself would take precedence over the variable.
  ...V8_OPTIONS,
  ...HEAP_OPTIONS,
  // The first, so that it runs the handlers of all others before the end.
  `--import=${join(import.meta.dirname, 'suite/quick-end.ts')}`,
  `--import=${join(import.meta.dirname, 'suite/module-addresses.ts')}`,
  `--import=${join(import.meta.dirname, 'suite/test-context.ts')}`,
  `--import=${join(import.meta.dirname, 'suite/seed.ts')}`,
  `--import=${join(import.meta.dirname, 'suite/cpu-time.ts')}`,
  `--import=${join(import.meta.dirname, 'suite/process-id.ts')}`,
];
printRunnerErrors();
const events = new PassThrough({ objectMode: true });
/** Processes that a failed run has left may still have events. */
const write = (event: RunEvent): unknown => !events.writableEnded && events.write(event);
const progress = setInterval(() => write({ type: 'progress' }), PROGRESS_MS).unref();
/** Aborts when a signal ends the run, which then reports what was running. */
const end = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    write({ type: 'progress' });
    end.abort(`the run was ended by ${signal}${preparations.describeUnmade()}`);
  });
const ended = once(end.signal, 'abort');
const isDelayed = ([, tests]: readonly [string, readonly string[]]): boolean => preparations.delay(tests);
const tasks = readyFirst(batches, isDelayed).map(([entry, tests]) => async (): Promise<void> => {
  // Tests make files that could not be made themselves, and report why they cannot.
  await Promise.race([preparations.madeFor(tests).catch(() => undefined), ended]);
  const timeoutMs = timeoutOf(tests, recorded, timeout);
  const options = { timeoutMs, killMs: timeoutMs + endMs, execArgv, signal: end.signal };
  if (!end.signal.aborted) await runEntry(entry, options, write);
});
const width: Width = {
  atLeast: concurrency,
  atMost: availableParallelism() * 3,
  room: machineHasRoom,
};
// A defect of the runner does not hide which tests have failed until then.
runAll(tasks, width)
  .catch((error: unknown) => {
    write({ type: 'progress' });
    end.abort(error);
  })
  .finally(() => events.end());
const allCpuSeconds = (ofTests: number): number => hosts.cpuSeconds + (programsCpuSeconds() ?? ofTests);
const lines = report(events, { batches, allCpuSeconds });
// The runner's own end before the report, by an event loop without work, is never silent.
const endedEarly = (code: number): void => {
  console.error(`the runner ended before its report, with code ${code}`);
  process.exitCode = 1;
};
process.on('exit', endedEarly);
/** Ends the test processes. Programs that prepare files may still run. */
const exit = (reason: unknown): never => {
  console.error(reason);
  end.abort();
  hosts[Symbol.dispose]();
  return process.exit(1);
};
const printed = (async () => {
  let next = await lines.next();
  for (; next.done !== true; next = await lines.next()) process.stdout.write(next.value);
  process.off('exit', endedEarly);
  return next.value;
})();
const times = await printed.catch(exit);
clearInterval(progress);
if (end.signal.aborted) exit(end.signal.reason);
if (values.record) {
  const known = Object.entries(recorded).filter(([file]) => existsSync(join(root, file)));
  const record = recordOf(Object.fromEntries(known), times.seconds);
  writeFileSync(durations, `${JSON.stringify(record, null, 2)}\n`);
}
if (values.times !== undefined) {
  const written = {
    seconds: Object.fromEntries(times.seconds),
    cpuSeconds: Object.fromEntries(times.cpuSeconds),
  };
  writeFileSync(values.times, `${JSON.stringify(written, null, 2)}\n`);
}
// A program that has the output of a killed process would keep this one.
if (process.exitCode === 1) {
  hosts[Symbol.dispose]();
  process.exit();
}
