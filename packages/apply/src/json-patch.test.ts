import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyJsonPatch, jsonPatchLimits, PatchError, type PatchErrorCode } from './index.ts';

const outcome = (document: unknown, patch: unknown): unknown => {
  try {
    return { is: applyJsonPatch(document, patch) };
  } catch (cause) {
    assert.ok(cause instanceof PatchError);
    return cause.code;
  }
};

const is = (value: unknown) => ({ is: value });

describe('JSON patch', () => {
  const failed: PatchErrorCode = 'failed';
  const testFailed: PatchErrorCode = 'testFailed';
  const cases: readonly (readonly [title: string, document: unknown, patch: unknown, result: unknown])[] = [
    ['add makes a field', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], is({ a: 1, b: 2 })],
    ['add replaces a field', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], is({ a: 2 })],
    [
      'add inserts before an index',
      { a: [1, 3] },
      [{ op: 'add', path: '/a/1', value: 2 }],
      is({ a: [1, 2, 3] }),
    ],
    ['add appends at the length', [1], [{ op: 'add', path: '/1', value: 2 }], is([1, 2])],
    ['add appends at -', [1], [{ op: 'add', path: '/-', value: [2] }], is([1, [2]])],
    ['add past the end fails', [1], [{ op: 'add', path: '/2', value: 2 }], failed],
    ['add below a missing parent fails', {}, [{ op: 'add', path: '/a/b', value: 2 }], failed],
    ['add below a scalar fails', { a: 1 }, [{ op: 'add', path: '/a/b', value: 2 }], failed],
    ['add at the root replaces the document', { a: 1 }, [{ op: 'add', path: '', value: 2 }], is(2)],
    ['an index may have leading zeros and a sign', [1], [{ op: 'add', path: '/+01', value: 2 }], is([1, 2])],
    ['an index has digits only', [1, 2], [{ op: 'remove', path: '/1.0' }], failed],
    ['remove takes the last item at -1', [1, 2], [{ op: 'remove', path: '/-1' }], is([1])],
    ['remove before the first item fails', [1], [{ op: 'remove', path: '/-2' }], failed],
    [
      'replace takes the place of the last item at -1',
      [1, 2],
      [{ op: 'replace', path: '/-1', value: 3 }],
      is([1, 3]),
    ],
    ['add appends at -1', [1, 2], [{ op: 'add', path: '/-1', value: 3 }], is([1, 2, 3])],
    [
      'add inserts at the front at the lowest negative index',
      [1, 2],
      [{ op: 'add', path: '/-3', value: 0 }],
      is([0, 1, 2]),
    ],
    ['add before the front fails', [1, 2], [{ op: 'add', path: '/-4', value: 0 }], failed],
    [
      'a negative index leads to a field',
      [{ a: 1 }, { a: 2 }],
      [{ op: 'remove', path: '/-1/a' }],
      is([{ a: 1 }, {}]),
    ],
    [
      'move takes the last item to the front',
      [1, 2, 3],
      [{ op: 'move', from: '/-1', path: '/0' }],
      is([3, 1, 2]),
    ],
    ['test reads a negative index', [1, 2], [{ op: 'test', path: '/-1', value: 2 }], is([1, 2])],
    ['remove takes a field', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], is({ b: 2 })],
    ['remove takes an item', [1, 2, 3], [{ op: 'remove', path: '/1' }], is([1, 3])],
    ['remove of a missing field fails', {}, [{ op: 'remove', path: '/a' }], failed],
    ['remove of an inherited name fails', {}, [{ op: 'remove', path: '/toString' }], failed],
    ['remove of the root fails', {}, [{ op: 'remove', path: '' }], failed],
    [
      'replace takes the place of a value',
      { a: [1] },
      [{ op: 'replace', path: '/a/0', value: null }],
      is({ a: [null] }),
    ],
    ['replace of a missing field sets it', {}, [{ op: 'replace', path: '/a', value: 1 }], is({ a: 1 })],
    ['replace below a missing field fails', {}, [{ op: 'replace', path: '/a/b', value: 1 }], failed],
    ['replace of an absent item fails', [1], [{ op: 'replace', path: '/1', value: 1 }], failed],
    ['replace of - fails', [1], [{ op: 'replace', path: '/-', value: 1 }], failed],
    ['move renames', { a: { x: 1 } }, [{ op: 'move', from: '/a', path: '/b' }], is({ b: { x: 1 } })],
    ['move within an array', [1, 2, 3], [{ op: 'move', from: '/0', path: '/2' }], is([2, 3, 1])],
    ['move into itself fails', { a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }], failed],
    ['move onto itself does nothing', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], is({ a: 1 })],
    [
      'copies are independent',
      { a: { x: 1 } },
      [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'add', path: '/a/x', value: 2 },
        { op: 'add', path: '/b/y', value: 3 },
      ],
      is({ a: { x: 2 }, b: { x: 1, y: 3 } }),
    ],
    ['copy from a missing field copies null', {}, [{ op: 'copy', from: '/a', path: '/b' }], is({ b: null })],
    ['copy from below a missing field fails', {}, [{ op: 'copy', from: '/a/c', path: '/b' }], failed],
    ['move from a missing field fails', {}, [{ op: 'move', from: '/a', path: '/b' }], failed],
    [
      'test passes in any field order',
      { a: { x: 1, y: [2] } },
      [{ op: 'test', path: '/a', value: { y: [2], x: 1 } }],
      is({ a: { x: 1, y: [2] } }),
    ],
    ['test fails on another value', { a: 1 }, [{ op: 'test', path: '/a', value: '1' }], testFailed],
    ['test of null passes on a missing field', {}, [{ op: 'test', path: '/a', value: null }], is({})],
    ['test of null passes on null', { a: null }, [{ op: 'test', path: '/a', value: null }], is({ a: null })],
    ['test of a value fails on a missing field', {}, [{ op: 'test', path: '/a', value: 1 }], testFailed],
    ['test of null fails below a missing field', {}, [{ op: 'test', path: '/a/b', value: null }], failed],
    ['test of null fails on an absent item', [1], [{ op: 'test', path: '/1', value: null }], failed],
    [
      'test of null fails on an inherited name',
      { a: 1 },
      [{ op: 'test', path: '/a/toString', value: null }],
      failed,
    ],
    [
      'escapes are read',
      { 'a/b': 1, 'm~n': 2 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'test', path: '/m~0n', value: 2 },
      ],
      is({ 'm~n': 2 }),
    ],
    ['~01 is ~1', { '~1': 1 }, [{ op: 'remove', path: '/~01' }], is({})],
    ['a ~ without 0 or 1 is itself', { '~2': 1 }, [{ op: 'remove', path: '/~2' }], is({})],
    ['a pointer without slash fails', { a: 1 }, [{ op: 'remove', path: 'a' }], failed],
    ['the empty name is a name', { '': 1 }, [{ op: 'remove', path: '/' }], is({})],
    ['an unknown op fails', {}, [{ op: 'frob', path: '/a' }], failed],
    ['a missing op fails', {}, [{ path: '/a' }], failed],
    ['a missing path fails', {}, [{ op: 'remove' }], failed],
    ['a missing value is null', {}, [{ op: 'add', path: '/a' }], is({ a: null })],
    ['a patch that is not an array is malformed', {}, { op: 'add' }, 'malformed'],
    ['an operation that is not an object is malformed', {}, ['add'], 'malformed'],
    [
      'nothing is kept of a patch that fails later',
      { a: 1 },
      [
        { op: 'add', path: '/b', value: 1 },
        { op: 'test', path: '/a', value: 2 },
      ],
      testFailed,
    ],
  ];
  for (const [title, document, patch, result] of cases) {
    it(title, () => {
      const before = JSON.stringify(document);
      assert.deepEqual(outcome(document, patch), result);
      assert.equal(JSON.stringify(document), before);
    });
  }

  it('a JSON patch treats __proto__ as an ordinary name', () => {
    const result = applyJsonPatch(
      {},
      JSON.parse('[{"op":"add","path":"/__proto__","value":{"polluted":1}}]'),
    );
    assert.equal(JSON.stringify(result), '{"__proto__":{"polluted":1}}');
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.equal(outcome({}, [{ op: 'add', path: '/__proto__/polluted', value: 1 }]), 'failed');
  });

  it('a JSON patch with more operations than the limit is rejected', () => {
    const operations = Array.from({ length: jsonPatchLimits.maxOperations + 1 }, () => ({
      op: 'test',
      path: '',
      value: {},
    }));
    assert.equal(outcome({}, operations), 'tooLarge');
    assert.deepEqual(outcome({}, operations.slice(1)), is({}));
  });

  it('a JSON patch whose copies grow exponentially is rejected', () => {
    const operations = Array.from({ length: 64 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }));
    assert.equal(outcome({ text: 'x'.repeat(100) }, operations), 'tooLarge');
  });

  it('a JSON patch whose result exceeds the nesting limit is rejected without a stack overflow', () => {
    const steps = 20_000;
    const deep = Array.from({ length: 9_000 }, (_, i) => ({
      op: 'move',
      from: '/a',
      path: i === 0 ? '/b' : '/a',
    }));
    assert.equal(outcome({ a: 1 }, deep), 'failed');
    let nested: unknown = 1;
    for (let i = 0; i < steps; i++) nested = { a: nested };
    assert.equal(outcome({}, [{ op: 'add', path: '/x', value: nested }]), 'failed');
    assert.equal(outcome({ x: nested }, [{ op: 'copy', from: '/x', path: '/y' }]), 'tooLarge');
  });

  it('a JSON patch compares exact numbers by value', () => {
    const raw = (text: string): unknown =>
      (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
    const document = { n: raw('9007199254740993') };
    assert.deepEqual(
      outcome(document, [{ op: 'test', path: '/n', value: raw('9007199254740993') }]),
      is(document),
    );
    assert.equal(outcome(document, [{ op: 'test', path: '/n', value: 9007199254740992 }]), 'testFailed');
    assert.equal(outcome(document, [{ op: 'add', path: '/n/rawJSON', value: 1 }]), 'failed');
  });

  it('a JSON patch equals its operations one by one, and does not modify its input', () => {
    const path = fc.constantFrom('/a', '/b', '/a/0', '/a/-', '/a/b', '/b/a', '');
    const value = fc.jsonValue({ maxDepth: 2 });
    const operation = fc.oneof(
      fc.record({ op: fc.constant('add'), path, value }),
      fc.record({ op: fc.constant('replace'), path, value }),
      fc.record({ op: fc.constant('remove'), path }),
      fc.record({ op: fc.constantFrom('copy', 'move'), path, from: path }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(operation, { maxLength: 6 }), (document, operations) => {
        const text = JSON.stringify([document, operations]);
        const whole = outcome(document, operations);
        let stepwise: unknown = is(document);
        for (const one of operations) {
          if (typeof stepwise === 'string') break;
          stepwise = outcome((stepwise as { is: unknown }).is, [one]);
        }
        assert.deepEqual(whole, stepwise);
        assert.equal(JSON.stringify([document, operations]), text);
      }),
    );
  });
});
