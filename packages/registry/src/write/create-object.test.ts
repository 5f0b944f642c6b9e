import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Committed, type Store, StoreError } from '@orch/storage';
import { apply } from '../testing/applies.ts';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;

describe('failures of the store', () => {
  const failing =
    (code: 'outcomeUnknown' | 'unavailable' | 'tooLarge') =>
    (inner: Store): Store => {
      const commit = async (...[write, signal]: Parameters<Store['commit']>): Promise<Committed> => {
        if (write.key.includes('/configmaps/')) throw new StoreError(code, 'rejected by the store');
        return inner.commit(write, signal);
      };
      return new Proxy(inner, {
        get(target, name) {
          if (name === 'commit') return commit;
          const field = Reflect.get(target, name);
          return typeof field === 'function' ? field.bind(target) : field;
        },
      });
    };
  for (const [code, status, retryAfter, message] of [
    ['outcomeUnknown', 504, undefined, /unknown whether the request took effect/],
    ['unavailable', 503, '1', /storage is unavailable/],
    ['tooLarge', 413, undefined, /too large/],
  ] as const) {
    it(`a write that fails in the store with ${code} gets ${status} and Retry-After ${retryAfter ?? 'absent'}`, async () => {
      await using api = await RegistryFixture.open({ wrap: failing(code) });
      const answer = await api.post(cms, configMap('a'));
      assert.equal(answer.status, status);
      assert.match(answer.json.message, message);
      assert.equal(answer.headers['Retry-After'], retryAfter);
      assert.equal(
        answer.json.details?.retryAfterSeconds,
        retryAfter === undefined ? undefined : Number(retryAfter),
      );
    });
  }
});

describe('the namespace that a new cluster-scoped object names', () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', namespace: 'default' } };

  for (const [what, create] of [
    ['a create', (api: RegistryFixture) => api.post('/api/v1/nodes', node)],
    ['an apply', (api: RegistryFixture) => apply(api, '/api/v1/nodes/n', node)],
  ] as const) {
    it(`the namespace that a new cluster-scoped object names is dropped by ${what}, as manifests of charts often have one`, async () => {
      await using api = await RegistryFixture.open();
      const created = await create(api);
      assert.equal(created.status, 201, created.text);
      assert.equal('namespace' in created.json.metadata, false);
      assert.equal('namespace' in (await api.get('/api/v1/nodes/n')).json.metadata, false);
    });
  }
});
