import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { type JsonObject, numberFromText } from '@orch/machinery/json';
import { scaleCheck } from './scale-check.ts';

const check = scaleCheck({
  specReplicasPath: '.spec.size',
  statusReplicasPath: '.status.size',
  labelSelectorPath: '.status.selector',
});

const violations = (object: JsonObject, old?: JsonObject): readonly string[] => {
  const operation = old === undefined ? 'create' : 'update';
  const context = {
    path: '',
    old,
    operation,
    root: object,
    names: namesFor('orch'),
    since: () => true,
  } as const;
  return check(object, context).map(({ field, message }) => `${field} ${message.split(': ').at(-1)}`);
};

describe('objects that a Scale shows', () => {
  for (const [object, expected] of [
    [{}, []],
    [{ spec: { size: null } }, []],
    [{ spec: { size: 0 }, status: { size: 2147483647, selector: '' } }, []],
    [{ spec: { size: -1 } }, ['.spec.size should be a non-negative integer']],
    [{ spec: { size: 2147483648 } }, ['.spec.size should be less than or equal to 2147483647']],
    [
      { spec: { size: numberFromText('9223372036854775807') } },
      ['.spec.size should be less than or equal to 2147483647'],
    ],
    [{ spec: { size: 1.5 } }, ['.spec.size should be an integer']],
    [{ spec: { size: '3' } }, ['.spec.size should be an integer']],
    [
      { status: { size: -2, selector: { a: 'b' } } },
      ['.status.size should be a non-negative integer', '.status.selector should be a string'],
    ],
  ] as const) {
    it(`${JSON.stringify(object)} has ${expected.length} wrong members`, () =>
      assert.deepEqual(violations(object), expected));
  }

  it('objects that a Scale shows keep a wrong member that an update leaves as it was', () => {
    const old = { spec: { size: -1 } };
    assert.deepEqual(violations({ ...old, other: true }, old), []);
    assert.equal(violations({ spec: { size: -2 } }, old).length, 1);
  });
});
