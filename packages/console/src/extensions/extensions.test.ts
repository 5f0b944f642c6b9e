import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseExposition } from '../health/exposition.ts';
import { policiesOf, policySeries } from './policies.ts';
import { webhookSeries, webhooksOf } from './webhooks.ts';

const metrics = parseExposition(
  `apiserver_admission_webhook_admission_duration_seconds_bucket{name="a.example.com",operation="CREATE",rejected="true",type="validating",le="0.1"} 2
apiserver_admission_webhook_admission_duration_seconds_bucket{name="a.example.com",operation="CREATE",rejected="true",type="validating",le="+Inf"} 2
apiserver_admission_webhook_admission_duration_seconds_bucket{name="a.example.com",operation="UPDATE",rejected="false",type="validating",le="0.1"} 5
apiserver_admission_webhook_admission_duration_seconds_bucket{name="a.example.com",operation="UPDATE",rejected="false",type="validating",le="+Inf"} 5
apiserver_admission_webhook_admission_duration_seconds_bucket{name="a.example.com",operation="UPDATE",rejected="false",type="admit",le="+Inf"} 9
apiserver_admission_webhook_rejection_count{error_type="no_error",name="a.example.com",operation="CREATE",rejection_code="403",type="validating"} 1
apiserver_admission_webhook_rejection_count{error_type="calling_webhook_error",name="a.example.com",operation="CREATE",rejection_code="0",type="validating"} 1
apiserver_admission_webhook_fail_open_count{name="a.example.com",type="validating"} 3
apiserver_validating_admission_policy_check_total{policy="limits",policy_binding="all",error_type="no_error",enforcement_action="deny"} 4
apiserver_validating_admission_policy_check_total{policy="limits",policy_binding="some",error_type="no_error",enforcement_action="warn"} 2
apiserver_admission_policy_matches_total{policy="limits",policy_binding="all",type="validating"} 9
apiserver_admission_policy_matches_total{policy="limits",policy_binding="some",type="validating"} 2
apiserver_admission_policy_matches_total{policy="limits",policy_binding="all",type="mutating"} 1
apiserver_validating_admission_policy_check_total{policy="other",policy_binding="all",error_type="no_error",enforcement_action="deny"} 7
`,
  new Set([...webhookSeries, ...policySeries]),
);

const rule = { operations: ['CREATE', 'UPDATE'], apiGroups: ['', 'apps'], resources: ['pods'] };

describe('webhooks and policies', () => {
  it('a webhook has its rules, and its numbers over all operations', () => {
    const webhooks = [{ name: 'a.example.com', failurePolicy: 'Fail', rules: [rule] }];
    assert.deepEqual(
      webhooksOf('ValidatingWebhookConfiguration', [{ metadata: { name: 'own' }, webhooks }], metrics),
      [
        {
          ...{ kind: 'ValidatingWebhookConfiguration', configuration: 'own', name: 'a.example.com' },
          ...{ rules: ['CREATE, UPDATE of pods, pods.apps'], failurePolicy: 'Fail' },
          ...{ calls: 7, refused: 1, failed: 1, ignored: 3, p99Seconds: 0.1 },
        },
      ],
    );
  });

  it('a webhook that was never called has no duration', () => {
    const webhooks = [{ name: 'b.example.com' }];
    const [one] = webhooksOf('MutatingWebhookConfiguration', [{ webhooks }], metrics);
    assert.deepEqual([one?.calls, one?.refused, one?.p99Seconds], [0, 0, undefined]);
  });

  it('a policy has its bindings and its violations over all of them', () => {
    const policies = [
      { metadata: { name: 'limits' }, spec: { matchConstraints: { resourceRules: [rule] } } },
      { metadata: { name: 'unused' } },
    ];
    const bindings = [
      { metadata: { name: 'all' }, spec: { policyName: 'limits', validationActions: ['Deny', 'Audit'] } },
      { metadata: { name: 'else' }, spec: { policyName: 'other' } },
    ];
    const none = { matched: 0, refused: 0, warned: 0, audited: 0 };
    assert.deepEqual(policiesOf('ValidatingAdmissionPolicy', { policies, bindings }, metrics), [
      {
        ...{ kind: 'ValidatingAdmissionPolicy', name: 'limits' },
        ...{ rules: ['CREATE, UPDATE of pods, pods.apps'], bindings: ['all (Deny, Audit)'] },
        ...{ matched: 11, refused: 4, warned: 2, audited: 0 },
      },
      { kind: 'ValidatingAdmissionPolicy', name: 'unused', rules: [], bindings: [], ...none },
    ]);
    const [changing] = policiesOf('MutatingAdmissionPolicy', { policies, bindings }, metrics);
    assert.deepEqual([changing?.matched, changing?.refused], [1, 0]);
  });
});
