import assert from 'node:assert/strict';
import { it } from 'node:test';
import { coloredDifference, differenceText } from './difference-text.ts';

it('colors of a difference are kept, and other control characters are visible', () =>
  assert.equal(differenceText('\u001b[31m-a\u001b[0m\u001b[2J\u009b'), '\u001b[31m-a\u001b[0m^[[2J\\u009b'));

it('lines of a unified difference have the colors of "diff --color", and removed lines are never titles', () =>
  assert.equal(
    coloredDifference('diff -u -N a b\n--- a\n+++ b\n@@ -1,2 +1,2 @@\n a: 1\n--- b\n+c: \u001b[2J\n'),
    [
      '\u001b[1mdiff -u -N a b\u001b[0m',
      '\u001b[1m--- a\u001b[0m',
      '\u001b[1m+++ b\u001b[0m',
      '\u001b[36m@@ -1,2 +1,2 @@\u001b[0m',
      ' a: 1',
      '\u001b[31m--- b\u001b[0m',
      '\u001b[32m+c: ^[[2J\u001b[0m',
      '',
    ].join('\n'),
  ));
