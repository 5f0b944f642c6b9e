import assert from 'node:assert/strict';
import { it } from 'node:test';
import { differenceText } from './difference-text.ts';

it('colors of a difference are kept, and other control characters are visible', () =>
  assert.equal(differenceText('\u001b[31m-a\u001b[0m\u001b[2J\u009b'), '\u001b[31m-a\u001b[0m^[[2J\\u009b'));
