import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds } from '@orch/client';
import { seededRandom } from '@orch/machinery/testing';
import { memberSelectors, missingRules } from './aggregate.ts';

const rule = (resource: string, ...verbs: string[]): kinds.rbac.PolicyRule => ({
  verbs,
  apiGroups: [''],
  resources: [resource],
});
const role = (
  name: string,
  labels: Record<string, string>,
  rules: kinds.rbac.PolicyRule[],
): kinds.rbac.ClusterRole => ({
  metadata: { name, labels },
  rules,
});
const aggregated = (
  name: string,
  selectors: kinds.meta.LabelSelector[],
  rules?: kinds.rbac.PolicyRule[],
): kinds.rbac.ClusterRole => ({
  metadata: { name, labels: { part: 'all' } },
  aggregationRule: { clusterRoleSelectors: selectors },
  ...(rules && { rules }),
});

const pods = rule('pods', 'get');
const secrets = rule('secrets', 'get');
const morePods = rule('pods', 'get', 'list');

describe('rules of aggregated roles', () => {
  for (const [title, target, all, expected] of [
    [
      'a role that is not aggregated is unchanged',
      role('r', {}, [pods]),
      [role('a', { x: 'y' }, [secrets])],
      undefined,
    ],
    [
      'an aggregated role without matching roles has no rules',
      aggregated('m', [{ matchLabels: { x: 'y' } }], [pods]),
      [role('a', {}, [secrets])],
      [],
    ],
    [
      'an aggregated role without selectors has no rules',
      aggregated('m', [], [pods]),
      [role('a', {}, [secrets])],
      [],
    ],
    [
      'an aggregated role without matching roles and without rules is unchanged',
      aggregated('m', [{ matchLabels: { x: 'y' } }]),
      [role('a', {}, [secrets])],
      undefined,
    ],
    [
      'an aggregated role has the rules of matching roles in order of their names, without duplicates',
      aggregated('m', [{ matchLabels: { x: 'y' } }]),
      [
        role('b', { x: 'y' }, [pods, secrets]),
        role('a', { x: 'y' }, [morePods, pods]),
        role('c', { x: 'z' }, [rule('nodes', 'get')]),
      ],
      [morePods, pods, secrets],
    ],
    [
      'an aggregated role with the wanted rules is unchanged',
      aggregated('m', [{ matchLabels: { x: 'y' } }], [morePods, pods]),
      [role('a', { x: 'y' }, [morePods, pods])],
      undefined,
    ],
    [
      'rules without a matching role are removed, those added by users included',
      aggregated('m', [{ matchLabels: { x: 'y' } }], [pods, secrets, morePods]),
      [role('a', { x: 'y' }, [pods])],
      [pods],
    ],
    [
      'one of several selectors must match, and expressions are supported',
      aggregated('m', [
        { matchLabels: { x: 'y' } },
        { matchExpressions: [{ key: 'z', operator: 'Exists' }] },
      ]),
      [role('a', { z: '' }, [pods]), role('b', { x: 'y' }, [secrets])],
      [pods, secrets],
    ],
    [
      'an empty selector matches every role except the aggregated one',
      aggregated('m', [{}], [morePods]),
      [aggregated('m', [{}], [morePods]), role('a', {}, [pods])],
      [pods],
    ],
    [
      'aggregated roles among the matching ones contribute their current rules',
      aggregated('m', [{ matchLabels: { part: 'all' } }]),
      [aggregated('n', [], [secrets])],
      [secrets],
    ],
    [
      'a matching role without rules contributes none',
      aggregated('m', [{}]),
      [{ metadata: { name: 'a' }, rules: null }],
      undefined,
    ],
  ] as const) {
    it(title, () => assert.deepEqual(missingRules(target, all), expected));
  }

  it('the rules are complete after one write, independent of the order of the roles', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 200; round++) {
      const all = Array.from({ length: random.int(12) }, (_, i) =>
        role(
          `r${i}`,
          { x: String(random.int(3)) },
          Array.from({ length: random.int(4) }, () => rule(`k${random.int(5)}`, 'get')),
        ),
      );
      const target = aggregated('m', [{ matchLabels: { x: '1' } }, { matchLabels: { x: '2' } }]);
      const rules = missingRules(target, all) ?? [];
      const done = { ...target, rules };
      assert.equal(missingRules(done, [...all].reverse()), undefined);
      const texts = rules.map((one) => JSON.stringify(one));
      assert.equal(new Set(texts).size, texts.length);
    }
  });
});

describe('selectors of aggregated roles', () => {
  it('a role is aggregated when it has an aggregation rule, even an empty one', () => {
    assert.equal(memberSelectors({ metadata: {} }), undefined);
    assert.deepEqual(memberSelectors({ metadata: {}, aggregationRule: {} }), []);
  });
});
