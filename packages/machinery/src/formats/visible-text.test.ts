import assert from 'node:assert/strict';
import { it } from 'node:test';
import { visibleText } from './visible-text.ts';

it('every control character besides tab and newline, and every override of the direction, becomes visible', () => {
  assert.equal(visibleText('a\u001b[31mb\rc\u0007\u007f\u009b2Jd\u0000'), 'a^[[31mb\\rc^G^?\\u009b2Jd^@');
  assert.equal(visibleText('a\u202eb\u2066c\u2069'), 'a\\u202eb\\u2066c\\u2069');
  assert.equal(visibleText('tab\tline\né…😀'), 'tab\tline\né…😀');
});
