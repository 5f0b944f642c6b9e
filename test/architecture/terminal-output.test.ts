import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceFiles } from './source-files.ts';

const program = sourceFiles().filter(({ packageName, isTest }) => packageName === 'orchctl' && !isTest);
const inProgram = (path: string): string => `packages/orchctl/src/${path}`;

/** The files that match a pattern. */
const filesWith = (pattern: RegExp): readonly string[] =>
  program.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

/** Fails for files other than these. */
function onlyIn(pattern: RegExp, paths: readonly string[]): void {
  assert.deepEqual(filesWith(pattern).toSorted(), paths.map(inProgram).toSorted());
}

describe('the outputs of orchctl', () => {
  it('one file passes text to the standard streams, behind the filter that every command gets', () => {
    onlyIn(/process\.std(?:out|err)|console\.\w+\(/, ['process-io.ts']);
    onlyIn(/visibleIo\(/, ['run-orchctl.ts']);
    onlyIn(/\bwriteSync\(/, ['commands/cluster-info/dump-output.ts', 'descriptor-output.ts']);
  });

  it('terminal sequences are written by tables, progress, the live view and colors of differences', () => {
    onlyIn(
      /ownSequences\(/,
      [
        'commands/diff/diff.ts',
        'commands/top/server/live-view.ts',
        'print/progress.ts',
        'print/styled-table.ts',
        'print/visible-output.ts',
      ].filter((path) => path !== 'print/visible-output.ts'),
    );
    onlyIn(/\\u001b|\\x1b/, [
      'commands/diff/difference-text.ts',
      'commands/top/server/live-view.ts',
      'print/progress.ts',
      'print/style.ts',
    ]);
  });

  it('bytes that no filter sees are data of containers', () => {
    onlyIn(/\bwriteAll\(/, [
      'commands/connect/print-log.ts',
      'commands/connect/remote-command.ts',
      'commands/copy/cp.ts',
    ]);
    onlyIn(/\b(?:out|err|output)\.write\((?:data|bytes|Buffer)/, ['commands/connect/remote-command.ts']);
  });
});
