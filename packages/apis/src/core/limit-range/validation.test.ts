import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LimitRangeItem } from '@orch/kinds/core';
import { namesFor } from '@orch/machinery';
import { validateLimitRange } from './validation.ts';

const names = namesFor('orch');
const problemsOf = (item: LimitRangeItem): readonly string[] =>
  validateLimitRange({ metadata: {}, spec: { limits: [{ type: 'Container', ...item }] } }, names).map(
    ({ field, message }) => `${field.replace('spec.limits[0].', '')}: ${message}`,
  );

describe('bounds of a limit range', () => {
  for (const [title, item, expected] of [
    [
      'equal bounds and defaults are valid',
      { max: { cpu: '1' }, default: { cpu: '1' }, min: { cpu: '1' } },
      [],
    ],
    ['equal amounts in other units are valid', { max: { cpu: '1' }, default: { cpu: '1000m' } }, []],
    [
      'a minimum above the maximum is invalid',
      { max: { cpu: '1' }, min: { cpu: '2' } },
      ['min[cpu]: Invalid value: "2": min value is greater than max value'],
    ],
    [
      'a ratio below 1 is invalid, also when all other amounts have the same text',
      { max: { cpu: '0.5' }, min: { cpu: '0.5' }, maxLimitRequestRatio: { cpu: '0.5' } },
      ['maxLimitRequestRatio[cpu]: Invalid value: 0.5: ratio is less than 1'],
    ],
    [
      'a default request of a resource that cannot be overcommitted has the amount of the default limit',
      { default: { 'example.com/a': '2' }, defaultRequest: { 'example.com/a': '1' } },
      [
        'defaultRequest[example.com/a]: Invalid value: "1": must be equal to the default limit, because the resource cannot be overcommitted',
      ],
    ],
    [
      'a name that is invalid is reported in each list',
      { max: { 'a b': '1' }, default: { 'a b': '1' } },
      ['max[a b]', 'default[a b]'],
    ],
  ] as const satisfies readonly (readonly [string, LimitRangeItem, readonly string[]])[])
    it(title, () => {
      const found = problemsOf(item);
      assert.equal(found.length, expected.length);
      for (const [i, text] of expected.entries()) assert.ok(found[i]?.startsWith(text), found[i]);
    });
});
