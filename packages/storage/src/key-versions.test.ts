import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { KeyVersions } from './key-versions.ts';

const KEYS = 8;

/** A write of a key in one of the histories, or a copy of one. */
const step = fc.record({ of: fc.nat(), key: fc.nat(KEYS - 1), isCopy: fc.boolean() });

describe('versions of keys', () => {
  it('a copy has the versions of its moment, and neither sees later writes of the other', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const all = [{ real: new KeyVersions(), expected: new Map<string, number[]>() }];
        for (const [index, { of, key, isCopy }] of steps.entries()) {
          const at = all[of % all.length] ?? assert.fail();
          if (isCopy) {
            const expected = new Map([...at.expected].map(([name, revs]) => [name, [...revs]]));
            all.push({ real: at.real.copy(), expected });
          } else {
            at.real.append({ rev: index, key: `${key}` });
            at.expected.set(`${key}`, [...(at.expected.get(`${key}`) ?? []), index]);
          }
        }
        for (const { real, expected } of all)
          for (let key = 0; key < KEYS; key++)
            assert.deepEqual(
              real.get(`${key}`)?.map(({ rev }) => rev),
              expected.get(`${key}`),
            );
      }),
    );
  });
});
