import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { PolicyCluster, pod, rule } from '../testing/policy-cluster.ts';
import { testResource } from '../testing/versioned-resources.ts';
import type { AdmissionAttributes } from '../types.ts';

const names = namesFor('orch');

describe('validating policies about objects that hold credentials', () => {
  const pin = (labels = {}): Partial<AdmissionAttributes> => ({
    object: pod({ pin: 'canary' }, labels),
    requested: testResource({ path: 'v1/pods', holdsCredentials: true }),
  });
  const numeric = 'int(object.spec.pin) > 0';
  const withheld = `422 Invalid: expression '${numeric}' resulted in error`;

  for (const [what, policy, refusal] of [
    ['shows the message of a validation', rule('false', { message: 'm' }), '422 Invalid: m'],
    [
      'shows what a message expression says',
      rule('false', { messageExpression: "'of ' + object.metadata.name" }),
      '422 Invalid: of p',
    ],
    ['withholds the error of a validation', rule(numeric), withheld],
    [
      'withholds the error of a variable',
      { variables: [{ name: 'v', expression: 'int(object.spec.pin)' }], ...rule('variables.v > 0') },
      `422 Invalid: expression 'variables.v > 0' resulted in error`,
    ],
    [
      'withholds the errors of match conditions',
      {
        matchConditions: [
          { name: 'a', expression: numeric },
          { name: 'b', expression: numeric },
        ],
        ...rule('true'),
      },
      `422 Invalid: [expression '${numeric}' resulted in error, expression '${numeric}' resulted in error]`,
    ],
    [
      'withholds the error of an audit annotation',
      { auditAnnotations: [{ key: 'k', valueExpression: 'string(int(object.spec.pin))' }] },
      `422 Invalid: expression 'string(int(object.spec.pin))' resulted in error`,
    ],
  ] as const)
    it(`a policy about credentials ${what}`, async () => {
      const outcome = await new PolicyCluster().policy(policy).binding().write(pin());
      assert.equal(outcome.refusal, refusal);
    });

  it('a policy withholds errors from warnings and audit annotations', async () => {
    const cluster = new PolicyCluster()
      .policy(rule(numeric))
      .binding({ validationActions: ['Warn', 'Audit'] });
    const outcome = await cluster.write(pin());
    assert.equal(outcome.warnings.length, 1);
    assert.deepEqual(Object.keys(outcome.annotations), [names.auditAnnotations.policyFailure]);
    assert.doesNotMatch(JSON.stringify(outcome), /canary/);
  });
});
