/**
 * Runs several test files in one process, each after the tests of the file before it have ended. An entry file that
 * `test.ts` writes for each batch calls it. After each file, a test of this module marks its end for the reporter.
 */
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { writeStart } from './process-lines.ts';
import { seedProperties } from './seed.ts';

export interface BatchOptions {
  readonly root: string;
  readonly files: readonly string[];
  /** How long the process may take to end after its last test. */
  readonly endWithinMs: number;
}

/** Not 1: the test runner takes an exit with 1 for tests that failed and were reported. */
const EXIT_UNFINISHED = 7;

const KEPT_MS = 60_000;

/** The name of the test that marks the end of `file`. */
export const markerOf = (file: string, milliseconds: number): string =>
  `${file} took ${milliseconds.toFixed(0)} ms`;

export function readMarker(name: string): { file: string; milliseconds: number } {
  const [file = '', rest = ''] = name.split(' took ');
  return { file, milliseconds: Number.parseFloat(rest) };
}

/** How many resources of each type keep this process alive. */
function resources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

async function runFile(root: string, file: string): Promise<void> {
  const path = join(root, file);
  writeStart(file);
  const startedAt = performance.now();
  // Hooks outside of the suites of the file are those of this suite.
  describe(file, async () => {
    try {
      await seedProperties(path);
      await import(pathToFileURL(path).href);
    } catch (error) {
      it(file, () => {
        throw error;
      });
    }
  });
  // Tests at the top level run in the order of their declaration: this one runs after all of the file.
  await it('the tests of the file have ended', () => undefined);
  await it(markerOf(file, performance.now() - startedAt), () => undefined);
}

export async function runBatch({ root, files, endWithinMs }: BatchOptions): Promise<void> {
  const after = new Map<string, Map<string, number>>();
  // A test may wait for a timer that does not keep the process running, as in a server; a file that runs alone has the runner for that.
  const alive = setInterval(() => undefined, KEPT_MS);
  const initially = resources();
  for (const file of files) {
    await runFile(root, file);
    after.set(file, resources());
  }
  clearInterval(alive);
  setTimeout(() => {
    for (const [type, count] of resources()) {
      if (count <= (initially.get(type) ?? 0)) continue;
      console.error(
        `${firstWith(after, type, initially.get(type) ?? 0)} left a ${type} open: the process did not end`,
      );
    }
    process.exit(EXIT_UNFINISHED);
  }, endWithinMs).unref();
}

/** The file since whose end there have always been more than `count` resources of `type`. */
function firstWith(after: ReadonlyMap<string, Map<string, number>>, type: string, count: number): string {
  let found = 'a file';
  for (const [file, counts] of [...after].reverse()) {
    if ((counts.get(type) ?? 0) <= count) break;
    found = file;
  }
  return found;
}
