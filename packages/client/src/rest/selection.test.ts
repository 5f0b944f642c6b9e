import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLabelSelector } from '@orch/machinery/selectors';
import { isRefusedRequest } from '../errors/guards.ts';
import { fieldText, labelText } from './selection.ts';

describe('selections of objects', () => {
  for (const [selection, text] of [
    ['app=web', 'app=web'],
    [{}, ''],
    [{ matchLabels: { app: 'web', tier: 'front' }, matchExpressions: null }, 'app=web,tier=front'],
    [
      {
        matchLabels: { app: 'web' },
        matchExpressions: [
          { key: 'zone', operator: 'In', values: ['a', 'b'] },
          { key: 'old', operator: 'NotIn', values: ['yes'] },
          { key: 'owner', operator: 'Exists' },
          { key: 'gone', operator: 'DoesNotExist', values: [] },
        ],
      },
      'app=web,zone in (a,b),old notin (yes),owner,!gone',
    ],
  ] as const)
    it(`the selection of labels ${JSON.stringify(selection)} is the text "${text}" of a request`, () => {
      assert.equal(labelText(selection), text);
      parseLabelSelector(text);
    });

  it('a selection with an unknown operator is a refused request', () => {
    const selection = { matchExpressions: [{ key: 'a', operator: 'Near', values: [] }] };
    assert.throws(() => labelText(selection), isRefusedRequest);
  });

  it('the value of a field can contain the characters of a selector', () => {
    assert.equal(fieldText({ 'metadata.name': 'a', reason: 'b=c,d' }), 'metadata.name=a,reason=b\\=c\\,d');
  });
});
