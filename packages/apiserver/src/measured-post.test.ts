import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RemoteError } from '@orch/auth';
import { testEnv } from '@orch/machinery/testing';
import { measuredPost } from './measured-post.ts';

describe('requests to authentication and authorization webhooks', () => {
  for (const decides of ['authn', 'authz'] as const)
    it(`requests of ${decides} are counted and timed by status code`, async () => {
      const env = testEnv();
      const { signal } = new AbortController();
      const failures = [new RemoteError('it answered 503', true, 503), new RemoteError('no answer', true)];
      const post = measuredPost(
        async () => {
          env.clock.advance(600);
          const failure = failures.pop();
          if (failure !== undefined) throw failure;
          return {};
        },
        decides,
        env,
      );
      await assert.rejects(post({}, signal));
      await assert.rejects(post({}, signal));
      await post({}, signal);
      const lines = env.metrics.text().split('\n');
      for (const code of ['200', '503', '<error>']) {
        const name = `apiserver_delegated_${decides}_request`;
        assert.ok(lines.includes(`${name}_total{code="${code}"} 1`), code);
        assert.ok(lines.includes(`${name}_duration_seconds_sum{code="${code}"} 0.6`), code);
      }
    });
});
