import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errors } from '@orch/machinery';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import { FakeClock, testEnv } from '@orch/machinery/testing';
import { ForwardingStore, ModelStore, StoreError, type StoreErrorCode } from '@orch/storage';
import { measuredStore } from './measured-store.ts';

const signal = new AbortController().signal;

/** A store whose reads fail with an error of the test. */
class FailingStore extends ForwardingStore {
  failure: unknown;

  override get(...given: Parameters<ForwardingStore['get']>): ReturnType<ForwardingStore['get']> {
    return this.failure === undefined ? super.get(...given) : Promise.reject(this.failure);
  }
}

function fixture() {
  const env = testEnv();
  const inner = new FailingStore(new ModelStore({ clock: new FakeClock() }));
  const store = measuredStore(inner, '/registry/', env);
  const errorLines = (): string[] =>
    env.metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith('etcd_request_errors_total{'));
  return { env, inner, store, errorLines };
}

describe('metrics of the store', () => {
  it('requests are timed by operation and by the resource of their keys', async () => {
    const { env, store } = fixture();
    await store.commit({ op: 'create', key: '/registry/pods/a/p', value: Buffer.from('x') }, signal);
    await store.get('/registry/pods/a/p', signal);
    await store.get('/elsewhere', signal);
    const lines = env.metrics.text().split('\n');
    for (const labels of [
      'operation="create",type="pods"',
      'operation="get",type="pods"',
      'operation="get",type=""',
    ])
      assert.ok(lines.includes(`etcd_request_duration_seconds_count{${labels}} 1`), labels);
  });

  it('requests for any number of custom resources have a bounded number of series', async () => {
    const { env, store } = fixture();
    for (let i = 0; i < 1000; i++) await store.get(`/registry/customs${i}.example.com/a/p`, signal);
    const counts = env.metrics.text().match(/^etcd_request_duration_seconds_count.*$/gm) ?? [];
    assert.equal(counts.length, 201);
    assert.ok(counts.includes('etcd_request_duration_seconds_count{operation="get",type="overflow"} 800'));
  });

  for (const failure of [
    ...(['unavailable', 'full', 'corrupt', 'outcomeUnknown'] satisfies StoreErrorCode[]).map(
      (code) => new StoreError(code, code),
    ),
    new DeadlineExceeded(1000),
    errors.timeout('request did not complete within the allotted timeout'),
  ])
    it(`a request that fails with ${failure.message} is an error of the store`, async () => {
      const { inner, store, errorLines } = fixture();
      inner.failure = failure;
      await assert.rejects(store.get('/registry/pods/a/p', signal), failure);
      assert.deepEqual(errorLines(), ['etcd_request_errors_total{operation="get",type="pods"} 1']);
    });

  for (const failure of [
    ...(['compacted', 'futureRevision', 'tooLarge', 'closed'] satisfies StoreErrorCode[]).map(
      (code) => new StoreError(code, code),
    ),
    new Error('the caller has left'),
  ])
    it(`a request that fails with ${failure.message} is not an error of the store`, async () => {
      const { inner, store, errorLines } = fixture();
      inner.failure = failure;
      await assert.rejects(store.get('/registry/pods/a/p', signal), failure);
      assert.deepEqual(errorLines(), ['etcd_request_errors_total{operation="get",type="pods"} 0']);
    });
});
