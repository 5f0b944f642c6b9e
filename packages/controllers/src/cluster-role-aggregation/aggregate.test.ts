import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { memberSelectors, missingRules } from './aggregate.ts';

const rule = (resource: string, ...verbs: string[]): object => ({
  verbs,
  apiGroups: [''],
  resources: [resource],
});
const role = (name: string, labels: Record<string, string>, rules: readonly object[]): ApiObject => ({
  metadata: { name, labels },
  rules,
});
const made = (name: string, selectors: readonly object[], rules?: readonly object[]): ApiObject => ({
  metadata: { name, labels: { part: 'all' } },
  aggregationRule: { clusterRoleSelectors: selectors },
  ...(rules && { rules }),
});

const pods = rule('pods', 'get');
const secrets = rule('secrets', 'get');
const morePods = rule('pods', 'get', 'list');

describe('missingRules', () => {
  for (const [title, target, all, expected] of [
    [
      'a role with rules of its own is left alone',
      role('r', {}, [pods]),
      [role('a', { x: 'y' }, [secrets])],
      undefined,
    ],
    ['no part: no rules', made('m', [{ matchLabels: { x: 'y' } }], [pods]), [role('a', {}, [secrets])], []],
    ['no selector: no rules', made('m', [], [pods]), [role('a', {}, [secrets])], []],
    [
      'no part and no rules: nothing to do',
      made('m', [{ matchLabels: { x: 'y' } }]),
      [role('a', {}, [secrets])],
      undefined,
    ],
    [
      'parts in order of their names, each rule once',
      made('m', [{ matchLabels: { x: 'y' } }]),
      [
        role('b', { x: 'y' }, [pods, secrets]),
        role('a', { x: 'y' }, [morePods, pods]),
        role('c', { x: 'z' }, [rule('nodes', 'get')]),
      ],
      [morePods, pods, secrets],
    ],
    [
      'the same rules in the same order: nothing to do',
      made('m', [{ matchLabels: { x: 'y' } }], [morePods, pods]),
      [role('a', { x: 'y' }, [morePods, pods])],
      undefined,
    ],
    [
      'rules that nobody has any more go, also those that a person added',
      made('m', [{ matchLabels: { x: 'y' } }], [pods, secrets, morePods]),
      [role('a', { x: 'y' }, [pods])],
      [pods],
    ],
    [
      'one selector of several is enough, and expressions count',
      made('m', [{ matchLabels: { x: 'y' } }, { matchExpressions: [{ key: 'z', operator: 'Exists' }] }]),
      [role('a', { z: '' }, [pods]), role('b', { x: 'y' }, [secrets])],
      [pods, secrets],
    ],
    [
      'an empty selector takes every role but the one itself',
      made('m', [{}], [morePods]),
      [made('m', [{}], [morePods]), role('a', {}, [pods])],
      [pods],
    ],
    [
      'parts that are made of others give what they have come to hold',
      made('m', [{ matchLabels: { part: 'all' } }]),
      [made('n', [], [secrets])],
      [secrets],
    ],
    [
      'a part without rules gives none',
      made('m', [{}]),
      [{ metadata: { name: 'a' }, rules: null }],
      undefined,
    ],
  ] as const) {
    it(title, () => assert.deepEqual(missingRules(target, all), expected));
  }

  it('is done after one write, whatever the roles, in whatever order they are told', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 200; round++) {
      const all = Array.from({ length: random.int(12) }, (_, i) =>
        role(
          `r${i}`,
          { x: String(random.int(3)) },
          Array.from({ length: random.int(4) }, () => rule(`k${random.int(5)}`, 'get')),
        ),
      );
      const target = made('m', [{ matchLabels: { x: '1' } }, { matchLabels: { x: '2' } }]);
      const rules = missingRules(target, all) ?? [];
      const done = { ...target, rules };
      assert.equal(missingRules(done, [...all].reverse()), undefined);
      const texts = rules.map((one) => JSON.stringify(one));
      assert.equal(new Set(texts).size, texts.length);
    }
  });
});

describe('memberSelectors', () => {
  it('tells roles that are made of others from those that are not', () => {
    assert.equal(memberSelectors({ metadata: {}, aggregationRule: null }), undefined);
    assert.deepEqual(memberSelectors({ metadata: {}, aggregationRule: {} }), []);
  });
});
