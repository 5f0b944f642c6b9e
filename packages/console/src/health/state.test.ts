import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseExposition } from './exposition.ts';
import { stateOf, stateSeries } from './state.ts';

const scrape = (...lines: readonly string[]) => parseExposition(lines.join('\n'), stateSeries);

const none = scrape();

describe('the state of a replica', () => {
  for (const [title, line, finding] of [
    ['a full store', 'apiserver_storage_full{endpoint="a"} 1', /store is full/],
    ['an unreadable object', 'watch_cache_unreadable_objects{resource="pods"} 2', /cannot be read/],
    ['failing requests to the store', 'etcd_request_errors_total{operation="get"} 10', /to the store fail/],
    ['a blocked serving thread', 'nodejs_thread_eventloop_lag_p99_seconds{thread="2"} 0.3', /250 ms/],
    ['an unavailable API service', 'aggregator_unavailable_apiservice{name="v1.a"} 1', /service v1\.a is/],
    ['lost audit events', 'apiserver_audit_error_total{plugin="log"} 1', /Audit events are lost/],
    [
      'rejected requests',
      'apiserver_flowcontrol_rejected_requests_total{priority_level="low"} 60',
      /Flow control rejects/,
    ],
    [
      'failing webhooks',
      'apiserver_admission_webhook_rejection_count{error_type="calling_webhook_error",name="a"} 1',
      /webhooks fail/,
    ],
  ] as const)
    it(`in a replica, ${title} needs attention`, () => {
      const { findings } = stateOf({ before: none, after: scrape(line), seconds: 60 });
      assert.equal(findings.length, 1);
      assert.match(findings[0] ?? '', finding);
    });

  it('a refusal by a webhook and a few errors need no attention', () => {
    const after = scrape(
      'apiserver_admission_webhook_rejection_count{error_type="no_error",name="a"} 100',
      'apiserver_request_total{verb="GET",code="200"} 100',
      'apiserver_request_total{verb="GET",code="500"} 1',
      'nodejs_eventloop_lag_p99_seconds 0.1',
      'apiserver_storage_full{endpoint="a"} 0',
    );
    assert.deepEqual(stateOf({ before: none, after, seconds: 60 }).findings, []);
  });

  it('webhooks have their rate and latency, and deprecated APIs their release', () => {
    const bucket = (le: string, value: number) =>
      `apiserver_admission_webhook_admission_duration_seconds_bucket{name="a",type="validating",le="${le}"} ${value}`;
    const api = 'group="policy",version="v1beta1",resource="podsecuritypolicies",removed_release="1.25"';
    const after = scrape(
      ...[bucket('0.1', 4), bucket('0.5', 6), bucket('+Inf', 6)],
      'apiserver_admission_webhook_rejection_count{error_type="no_error",name="a",type="validating"} 2',
      'apiserver_admission_webhook_rejection_count{error_type="x",name="a",type="validating"} 4',
      'apiserver_admission_webhook_rejection_count{error_type="no_error",name="b",type="validating"} 8',
      `apiserver_requested_deprecated_apis{${api}} 1`,
    );
    const { webhooks, deprecated } = stateOf({ before: none, after, seconds: 2 });
    assert.deepEqual(webhooks, [
      {
        ...{ name: 'a', type: 'validating', perSecond: 3, p99Seconds: 0.5 },
        ...{ refusedPerSecond: 1, failedPerSecond: 2 },
      },
    ]);
    assert.deepEqual(deprecated, [{ api: 'policy/v1beta1 podsecuritypolicies', removedIn: '1.25' }]);
  });

  it('policies that writes have violated have their rate and their count', () => {
    const line = (count: number) =>
      `apiserver_validating_admission_policy_check_total{policy="p",policy_binding="b",enforcement_action="deny"} ${count}`;
    const { policies } = stateOf({ before: scrape(line(10)), after: scrape(line(16)), seconds: 2 });
    assert.deepEqual(policies, [{ policy: 'p', binding: 'b', action: 'deny', perSecond: 3, count: 16 }]);
  });
});
