import assert from 'node:assert/strict';
import {
  formatLabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from '@orch/machinery/selectors';
import { type FuzzTarget, unlessRefused } from '../target.ts';

const labelSets = [undefined, {}, { a: 'b' }, { a: '', 'x/y': '5' }];

/** The string form of a label selector selects the same objects. */
export const target: FuzzTarget = {
  seeds: [
    'a=b,c!=d,e in (f,g),h notin (i),j,!k',
    'x/y>3,x/y<7,a==b',
    'metadata.name=a,status.phase!=Running,spec.x=\\=\\,\\\\',
    'a in (),in in (in)',
  ],
  words: [' notin ', ' in (', '!=', '==', '\\,'],
  check(data) {
    const text = data.toString('utf8');
    const labels = unlessRefused(() => parseLabelSelector(text), SelectorError)?.value;
    if (labels !== undefined) {
      const again = parseLabelSelector(formatLabelSelector(labels));
      assert.deepEqual(again.requirements, labels.requirements);
      for (const set of labelSets) assert.equal(again.matches(set), labels.matches(set));
    }
    const fields = unlessRefused(() => parseFieldSelector(text), SelectorError)?.value;
    for (const { field, value } of fields?.equalities ?? []) {
      const other = `${value}x`;
      assert.equal(
        fields?.matches((name) => (name === field ? other : value)),
        false,
      );
    }
  },
};
