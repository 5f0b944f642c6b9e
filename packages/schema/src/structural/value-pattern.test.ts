import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ValueRules } from '../structural-schema.ts';
import { valuePattern } from './value-pattern.ts';

const rules = (pattern: string): ValueRules => ({ pattern }) as ValueRules;

describe('patterns of values', () => {
  it('fields with the same pattern share one program', () => {
    const text = '^[a-z]{200}$';
    const [a, b] = [rules(text), rules(text)];
    assert.equal(valuePattern(text, a), valuePattern(text, b));
    assert.notEqual(valuePattern(text, a), valuePattern('^[a-z]{201}$', rules('^[a-z]{201}$')));
  });

  it('a pattern stays the same for its rules after thousands of others', () => {
    const text = '^first$';
    const first = rules(text);
    const pattern = valuePattern(text, first);
    for (let i = 0; i < 3000; i++) valuePattern(`^${i}$`, rules(`^${i}$`));
    assert.equal(valuePattern(text, first), pattern);
  });

  it('an invalid pattern has the same problem for all rules', () => {
    const problems = [valuePattern('(', rules('(')), valuePattern('(', rules('('))];
    assert.equal(typeof problems[0], 'string');
    assert.equal(problems[0], problems[1]);
  });
});
