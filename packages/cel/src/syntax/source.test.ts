import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CelSyntaxError, type Issue } from './source.ts';

const issuesAt = (count: number): readonly Issue[] =>
  Array.from({ length: count }, (_, i) => ({ at: count - 1 - i, message: `issue at ${count - 1 - i}` }));

describe('messages about expressions', () => {
  it('a message shows each issue with its position, in the order of the source', () => {
    const { message, positions } = new CelSyntaxError('a +\nb', [
      { at: 4, message: 'second' },
      { at: 0, message: 'first' },
    ]);
    assert.equal(message, 'ERROR: <input>:1:1: first\n | a +\n | ^\nERROR: <input>:2:1: second\n | b\n | ^');
    assert.deepEqual(positions, [
      { line: 1, column: 1 },
      { line: 2, column: 1 },
    ]);
  });

  it('a message shows the first hundred issues and the number of the others', () => {
    const { issues, message } = new CelSyntaxError('x\n'.repeat(200), issuesAt(150));
    assert.equal(issues.length, 100);
    assert.match(message, /^ERROR: <input>:1:1: issue at 0\n/);
    assert.match(message, /\n50 more errors were truncated$/);
  });

  it('a message about thousands of issues in one long line shows this line once', () => {
    const source = 'x'.repeat(100_000);
    const { issues, message } = new CelSyntaxError(source, issuesAt(10_000));
    assert.equal(issues.length, 1);
    assert.ok(message.length < 2 * source.length + 200, `${message.length}`);
    assert.match(message, /\n9999 more errors were truncated$/);
  });
});
