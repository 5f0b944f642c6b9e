import { execFileSync } from 'node:child_process';

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** Files that differ from the commit where the branch left `main`: committed, staged, edited, new and deleted ones. */
export function changedFiles(root: string, main: string): readonly string[] {
  const git = (...args: string[]): readonly string[] =>
    lines(execFileSync('git', args, { cwd: root, encoding: 'utf8' }));
  const [base = 'HEAD'] = git('merge-base', 'HEAD', main);
  return [
    ...new Set([
      ...git('-c', 'core.quotePath=off', 'diff', '--name-only', '--no-renames', base),
      ...git('-c', 'core.quotePath=off', 'ls-files', '--others', '--exclude-standard'),
    ]),
  ].sort();
}
