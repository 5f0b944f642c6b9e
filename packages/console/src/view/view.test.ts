import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { durationText } from './durations.ts';
import { moved } from './moves.ts';
import { addressOf, startView, type View, viewAt } from './view.ts';

describe('the view in the address', () => {
  for (const [view, address] of [
    [startView, '#/'],
    [{ ...startView, kind: 'pods', namespace: 'web' }, '#/pods?namespace=web'],
    [
      { ...startView, kind: 'deployments.apps', object: { namespace: 'web', name: 'one' } },
      '#/deployments.apps/web/one',
    ],
    [
      { ...startView, kind: 'clusterroles.rbac', object: { namespace: '', name: 'system:a' } },
      '#/clusterroles.rbac/system%3Aa',
    ],
    [
      {
        ...startView,
        kind: 'pods',
        object: { namespace: 'web', name: 'one' },
        isForm: true,
        open: ['log', 'why'],
      },
      '#/pods/web/one?as=form&open=log+why',
    ],
    [{ ...startView, kind: '~access', question: { verb: 'get', name: '' } }, '#/~access?verb=get'],
    [{ ...startView, kind: 'pods', sort: 'Age', isDescending: true }, '#/pods?sort=Age&order=descending'],
  ] as const)
    it(`the address of a view is ${address}`, () => assert.equal(addressOf(view), address));

  it('every view is read from its address', () => {
    const text = fc.string({ unit: 'grapheme' });
    const some = fc.string({ unit: 'grapheme', minLength: 1 });
    const kind = some.filter((name) => !name.startsWith('~'));
    const view = fc.record({
      ...{ kind, namespace: text, labels: text, fields: text, search: text, sort: text },
      isDescending: fc.boolean(),
      isForm: fc.boolean(),
      open: fc.subarray(['log', 'graph', 'why', 'compare'] as const),
      object: fc.option(fc.record({ namespace: text, name: some }, { noNullPrototype: true }), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(view, ({ object, ...list }) => {
        const expected: View =
          object === undefined ? { ...list, isForm: false, open: [] } : { ...list, object };
        assert.deepEqual(viewAt(addressOf(expected)), expected);
      }),
    );
  });

  it('every question is read from its address', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(fc.dictionary(text, text, { noNullPrototype: true }), (question) => {
        const expected: View = { ...startView, kind: '~access', question };
        assert.deepEqual(viewAt(addressOf(expected)), expected);
      }),
    );
  });

  for (const fragment of ['', '#', '#/%zz/%', '#?', '#/a?namespace=%zz'])
    it(`the fragment ${JSON.stringify(fragment)} is a view`, () =>
      assert.equal(typeof viewAt(fragment).kind, 'string'));
});

describe('keys in a list', () => {
  const position = { place: 5, count: 100, pageRows: 10 };
  for (const [key, expected] of [
    ['ArrowDown', 6],
    ['k', 4],
    ['PageDown', 15],
    ['PageUp', 0],
    ['Home', 0],
    ['End', 99],
    ['x', undefined],
    ['toString', undefined],
  ] as const)
    it(`${key} leads from row 5 to ${expected}`, () => assert.equal(moved(key, position), expected));

  it('no key leads into an empty list', () => {
    assert.equal(moved('End', { place: -1, count: 0, pageRows: 10 }), undefined);
  });
});

describe('durations in lists', () => {
  for (const [seconds, text] of [
    [-5, '0s'],
    [119, '119s'],
    [120, '2m'],
    [125, '2m5s'],
    [660, '11m'],
    [7260, '2h1m'],
    [90_000, '25h'],
    [172_800, '2d'],
    [176_400, '2d1h'],
  ] as const)
    it(`${seconds} seconds are shown as ${text}`, () => assert.equal(durationText(seconds * 1000), text));
});
