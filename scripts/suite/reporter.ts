import { join, relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { readMarker } from './batch.ts';
import { withSourcePositions } from './modules/source-positions.ts';
import { readLines } from './process-lines.ts';

type Finished = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>;
type Result = Finished['data'];

/** An event of the tests, a request to print the progress of the run, or the process of an entry file that cannot be ended. */
export type RunEvent =
  | TestEvent
  | { readonly type: 'progress' }
  | { readonly type: 'unended'; readonly file: string };

/** Durations in seconds. */
export interface Times {
  /** How long each file took. */
  readonly seconds: ReadonlyMap<string, number>;
  /** CPU time of each process and of the programs that it ran, by its entry file. */
  readonly cpuSeconds: ReadonlyMap<string, number>;
}

/** A run of the suite. */
export interface Run {
  /** The files that each process runs, by the path of its entry file. */
  readonly batches: ReadonlyMap<string, readonly string[]>;
  /** CPU time of all processes: those that no test process has started, and those of tests, which took `ofTests`. */
  readonly allCpuSeconds: (ofTests: number) => number;
}

const SLOWEST = 12;
const ERROR_LINES = 40;
const LINE_CHARACTERS = 2000;
const STDERR_CHARACTERS = 4000;
const batchModule = join(import.meta.dirname, 'batch.ts');

/** The CPU time of files that share a process is not known. */
const inColumn = (seconds: number | undefined): string => `${seconds?.toFixed(1) ?? '-'} s`.padStart(9);

const secondsSince = (startedAt: bigint): number =>
  Number((process.hrtime.bigint() - startedAt) / 1_000_000n) / 1000;

const wholeSeconds = (startedAt: bigint): string => secondsSince(startedAt).toFixed(0);

const isSuite = (data: Result): boolean => data.details?.type === 'suite';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const fileOf = (file: string | undefined): string =>
  file === undefined ? '' : relative(process.cwd(), file);

/** An error and its causes, each once: an error can be a cause of its own cause. */
function withCauses(thrown: unknown): ReadonlySet<unknown> {
  const errors = new Set<unknown>();
  let error = thrown;
  while (error !== undefined && !errors.has(error)) {
    errors.add(error);
    error = error instanceof Error ? error.cause : undefined;
  }
  return errors;
}

/** Node sends an error with values that it cannot copy as an object that only `inspect` describes. */
function textOf(error: unknown): string {
  const text: unknown = error instanceof Error ? (error.stack ?? error.message) : undefined;
  if (typeof text === 'string') return text;
  try {
    return inspect(error);
  } catch {
    return 'an error that cannot be printed';
  }
}

function describeError(error: unknown): string {
  const thrown = error instanceof Error && isObject(error.cause) ? error.cause : error;
  const text = withSourcePositions([...withCauses(thrown)].map(textOf).join('\ncaused by '));
  return text
    .split('\n')
    .slice(0, ERROR_LINES)
    .map((line) => `    ${line.slice(0, LINE_CHARACTERS)}`)
    .join('\n');
}

/** Counts results; each method returns the text to print. */
class Summary implements Times {
  readonly #startedAt = process.hrtime.bigint();
  readonly #total = { passed: 0, failed: 0, skipped: 0 };
  readonly #files = new Set<string>();
  readonly #failures: string[] = [];
  /** Names of the running suites of each file, by nesting: titles are unique and complete with them only. */
  readonly #suites = new Map<string, string[]>();
  /** Tests that have started and not ended, by indented name. */
  readonly #unfinished = new Map<string, number>();
  readonly seconds = new Map<string, number>();
  readonly cpuSeconds = new Map<string, number>();
  /** The files of each process that have not ended, by the path of its entry file. */
  readonly #running: Map<string, Set<string>>;
  /** Files that share a process, where each is a suite. */
  readonly #shared: ReadonlySet<string>;
  /** When each process started, by the path of its entry file. */
  readonly #starts = new Map<string, bigint>();
  /** The file that each process has started last. */
  readonly #current = new Map<string, string>();
  /** The end of what each process wrote to its standard error. */
  readonly #stderr = new Map<string, string>();

  readonly #allCpuSeconds: Run['allCpuSeconds'];

  constructor({ batches, allCpuSeconds }: Run) {
    this.#allCpuSeconds = allCpuSeconds;
    this.#running = new Map([...batches].map(([entry, files]) => [entry, new Set(files)]));
    this.#shared = new Set([...batches.values()].flatMap((files) => (files.length > 1 ? files : [])));
  }

  started({ file, nesting, name }: { file?: string; nesting: number; name: string }): void {
    const names = this.#suites.get(fileOf(file)) ?? [];
    names.length = this.#depthOf(file, nesting);
    this.#suites.set(fileOf(file), [...names, name]);
  }

  changed({ file, nesting, name }: { file?: string; nesting: number; name: string }, by: 1 | -1): void {
    // A process is finished when its files are.
    if (name === file || file === batchModule) return;
    const key = `${fileOf(file)} › ${'… › '.repeat(this.#depthOf(file, nesting))}${name}`;
    this.#unfinished.set(key, (this.#unfinished.get(key) ?? 0) + by);
  }

  passed(data: Result): string {
    if (data.file === batchModule) this.#endOf(data.name);
    if (isSuite(data) || data.file === batchModule) return '';
    if (data.skip !== undefined && data.skip !== false) {
      this.#total.skipped += 1;
      const reason = typeof data.skip === 'string' && data.skip !== '' ? `: ${data.skip}` : '';
      return `skipped ${this.#titleOf(data)}${reason}\n`;
    }
    this.#total.passed += 1;
    this.#files.add(fileOf(data.file));
    return '';
  }

  failed(data: Extract<TestEvent, { type: 'test:fail' }>['data']): string {
    const reason = describeError(data.details.error);
    // A suite fails because a test in it failed, which is reported already, or because of an error outside of its tests.
    if (isSuite(data) && /subtests? failed/.test(reason)) return '';
    this.#total.failed += 1;
    const written = data.name === data.file ? withSourcePositions(this.#stderr.get(data.name) ?? '') : '';
    const text = `FAILED ${this.#titleOf(data)}\n${reason}\n${written}`;
    this.#failures.push(text);
    return text;
  }

  /** Returns what tests wrote: `message` without the lines of the runner. */
  wrote(entry: string, message: string): string {
    const { files, cpuSeconds, pid, rest } = readLines(message);
    if (pid !== undefined) this.#starts.set(entry, process.hrtime.bigint());
    if (cpuSeconds !== undefined) this.cpuSeconds.set(fileOf(entry), cpuSeconds);
    for (const file of files) this.#current.set(entry, file);
    this.#stderr.set(entry, `${this.#stderr.get(entry) ?? ''}${rest}`.slice(-STDERR_CHARACTERS));
    return rest;
  }

  /** A process has ended. */
  took(entry: string, milliseconds: number): void {
    const files = this.#running.get(entry) ?? new Set([fileOf(entry)]);
    if (files.has(fileOf(entry))) this.#ended(fileOf(entry), milliseconds);
  }

  /** A defect of this module. */
  unreported(event: RunEvent, error: unknown): string {
    const data: object = ('data' in event ? event.data : undefined) ?? {};
    const name = 'name' in data ? String(data.name) : '';
    const file = 'file' in data ? String(data.file) : undefined;
    const text = `FAILED ${fileOf(file)} › ${name}: its ${event.type} cannot be reported\n    ${textOf(error)}\n`;
    this.#total.failed += 1;
    this.#failures.push(text);
    return text;
  }

  /** A process was killed, and its output is still open, even if its tests have ended. */
  unended(entry: string): string {
    const left = [...(this.#running.get(entry) ?? [])];
    const files = left.length > 0 ? left : [this.#current.get(entry) ?? fileOf(entry)];
    this.#running.delete(entry);
    this.#total.failed += files.length;
    const texts = files.map(
      (file) =>
        `FAILED ${file}: its process was killed, and a program that it started still has its output\n`,
    );
    this.#failures.push(...texts);
    return texts.join('');
  }

  #endOf(marker: string): void {
    const { file, milliseconds } = readMarker(marker);
    if (!Number.isNaN(milliseconds)) this.#ended(file, milliseconds);
  }

  #ended(file: string, milliseconds: number): void {
    this.seconds.set(file, milliseconds / 1000);
    for (const files of this.#running.values()) files.delete(file);
  }

  /** One line with the number of files that have ended and of those that are left, and the files that are running. */
  progress(): string {
    const left = [...this.#running.values()].reduce((sum, files) => sum + files.size, 0);
    const running = [...this.#unended()].map(
      ([entry, startedAt]) => `${this.#current.get(entry) ?? fileOf(entry)} for ${wholeSeconds(startedAt)} s`,
    );
    const seconds = wholeSeconds(this.#startedAt);
    return `${seconds} s: ${this.seconds.size} files have ended, ${left} are left. Running: ${running.join(', ')}\n`;
  }

  /** The entry files of processes that are running, with their starts. */
  *#unended(): Generator<readonly [string, bigint]> {
    for (const [entry, startedAt] of this.#starts)
      if ((this.#running.get(entry)?.size ?? 0) > 0) yield [entry, startedAt];
  }

  *end(): Generator<string> {
    this.#countUnfinished();
    this.#countUnreached();
    if (this.#total.failed > 0) process.exitCode = 1;
    if (this.#failures.length > 0) yield `\n${this.#failures.length} failing:\n${this.#failures.join('')}`;
    const slowest = [...this.seconds].sort((a, b) => b[1] - a[1]);
    for (const [file, seconds] of slowest.slice(0, this.#files.size > 20 ? SLOWEST : 0)) {
      yield `${inColumn(seconds)}, ${inColumn(this.cpuSeconds.get(file))} CPU  ${file}\n`;
    }
    const seconds = secondsSince(this.#startedAt);
    const { passed, failed, skipped } = this.#total;
    const ofTests = [...this.cpuSeconds.values()].reduce((sum, one) => sum + one, 0);
    const cpuSeconds = this.#allCpuSeconds(ofTests).toFixed(1);
    yield `${this.#files.size} files in ${seconds.toFixed(1)} s, ${cpuSeconds} s CPU\n`;
    yield `${passed} passed, ${failed} failed, ${skipped} skipped\n`;
  }

  /** A test process that exited early reports no results of its remaining tests. */
  #countUnfinished(): void {
    for (const [name, count] of this.#unfinished) {
      if (count <= 0) continue;
      this.#total.failed += 1;
      this.#failures.push(`FAILED ${name}: it started and never ended\n`);
    }
  }

  /** A process that ended early, or was killed, did not run all of its files. A run that a signal ended did not start all processes. */
  #countUnreached(): void {
    let unstarted = 0;
    for (const [entry, files] of this.#running) {
      this.#total.failed += files.size;
      if (!this.#starts.has(entry)) unstarted += files.size;
      else
        for (const file of files)
          this.#failures.push(`FAILED ${file}: its process ended before the tests of this file had ended\n`);
    }
    if (unstarted > 0) this.#failures.push(`FAILED ${unstarted} files: their processes did not start\n`);
  }

  /** The number of suites of the file around a test or suite. */
  #depthOf(file: string | undefined, nesting: number): number {
    return Math.max(0, this.#shared.has(fileOf(file)) ? nesting - 1 : nesting);
  }

  /** `file › suite › test`. */
  #titleOf({ file, nesting, name }: Result): string {
    if (name === file) return this.#current.get(name) ?? fileOf(file);
    if (file === batchModule) return name;
    const suites = (this.#suites.get(fileOf(file)) ?? []).slice(0, this.#depthOf(file, nesting));
    return [fileOf(file), ...suites, name].join(' › ');
  }
}

/** The text to print for an event. */
function textFor(summary: Summary, event: RunEvent): string {
  if (event.type === 'progress') return summary.progress();
  if (event.type === 'unended') return summary.unended(event.file);
  const { type, data } = event;
  if (type === 'test:pass') return summary.passed(data);
  if (type === 'test:fail') return summary.failed(data);
  if (type === 'test:start') summary.started(data);
  else if (type === 'test:enqueue') summary.changed(data, 1);
  else if (type === 'test:complete') summary.changed(data, -1);
  else if (type === 'test:summary' && data.file !== undefined) summary.took(data.file, data.duration_ms);
  else if (type === 'test:stderr') {
    const text = summary.wrote(data.file, data.message);
    if (process.env['TEST_STDERR'] !== undefined) return text;
  }
  return '';
}

/**
 * One line for each failed or skipped test, the progress on request, the slowest files, and the totals as the last line:
 * `N passed, N failed, N skipped`. An event that cannot be reported is a failure, and the others are reported.
 */
export async function* report(source: AsyncIterable<RunEvent>, run: Run): AsyncGenerator<string, Times> {
  const summary = new Summary(run);
  for await (const event of source) {
    try {
      yield textFor(summary, event);
    } catch (error) {
      yield summary.unreported(event, error);
    }
  }
  yield* summary.end();
  return summary;
}
