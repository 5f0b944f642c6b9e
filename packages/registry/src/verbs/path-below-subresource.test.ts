import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, RegistryFixture } from '../testing/index.ts';

const path = '/api/v1/namespaces/default';

describe('paths below a subresource', () => {
  it('paths below a subresource lead to nothing on this server, and change nothing', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${path}/configmaps`, configMap('a'));
    for (const [method, target] of [
      ['GET', `${path}/status/x`],
      ['PUT', `${path}/finalize/x`],
      ['GET', '/api/v1/nodes/n/status/x'],
      ['DELETE', '/api/v1/nodes/n/status/'],
      ['GET', `${path}/pods/p/status//`],
      ['DELETE', `${path}/configmaps/a/b/c`],
      ['POST', `${path}/pods/p/eviction/x`],
    ] as const) {
      const { status, json } = await api.send(method, target, method === 'GET' ? {} : { body: {} });
      assert.deepEqual([status, json?.reason], [404, 'NotFound'], `${method} ${target}`);
    }
    assert.equal((await api.get(`${path}/configmaps/a`)).status, 200);
  });
});
