import type { Affected } from './affected-tests.ts';

export interface Selection {
  readonly run: readonly Affected[];
  /** Tests that would not end in time. */
  readonly left: readonly Affected[];
}

/** Changed tests and those of every change, and as many others as end in time, the nearest first. */
export function nearest(
  affected: readonly Affected[],
  expectedSeconds: (test: string) => number,
  withinSeconds: number,
): Selection {
  let seconds = 0;
  const fits = (each: Affected): boolean => {
    const more = expectedSeconds(each.test);
    const fit = each.near === 'changed' || each.near === 'always' || seconds + more <= withinSeconds;
    if (fit) seconds += more;
    return fit;
  };
  const { run = [], left = [] } = Object.groupBy(affected, (each) => (fits(each) ? 'run' : 'left'));
  return { run, left };
}

const folderOf = (test: string): string => test.split('/').slice(0, 2).join('/');

/** One line for each test with the reason why it runs, and one for each folder with tests that do not. */
export function describeSelection({ run, left }: Selection, changed: readonly string[]): string {
  const always = run.filter(({ near }) => near === 'always');
  const others = run.filter(({ near }) => near !== 'always');
  const lines = [
    `${changed.length} files changed, ${run.length + left.length} test files are affected, ${run.length} run:`,
    ...others.map(({ test, reason }) => `  ${test}: ${reason}`),
    ...(always.length > 0
      ? [`  ${always.length} files of ${folderOf(always[0]?.test ?? '')}: ${always[0]?.reason}`]
      : []),
  ];
  if (left.length > 0) {
    const folders = [...Map.groupBy(left, ({ test }) => folderOf(test))].map(
      ([folder, tests]) => `${folder} ${tests.length}`,
    );
    lines.push(
      `${left.length} further ones do not run (a larger --within or no --changed runs them): ${folders.join(', ')}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
