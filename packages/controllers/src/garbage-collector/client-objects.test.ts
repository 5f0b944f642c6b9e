import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta } from '@orch/machinery';
import { type DiscoveredApi, discoveredApi, served } from '../namespace/testing/discovered-api.ts';
import { clientObjects } from './client-objects.ts';

const configMaps = served('configmaps', 'ConfigMap');
const { signal } = new AbortController();

function fixture(): { readonly made: DiscoveredApi; readonly meta: ObjectMeta } {
  const made = discoveredApi([configMaps]);
  const place = { collection: '/configmaps', namespace: 'x', name: 'a' };
  const { metadata } = made.api.objects.create(place, { metadata: {} }, '2024-01-01T00:00:00Z');
  return { made, meta: metadata };
}

describe('reads and writes of the garbage collector', () => {
  it('an object is gone when the server responds 404 for this object', async () => {
    const { made } = fixture();
    const live = clientObjects(made.client);
    assert.equal(await live.get(configMaps, { namespace: 'x', name: 'b' }, signal), undefined);
  });

  for (const [title, fail] of [
    ['its resource is not served any more', (made: DiscoveredApi) => void made.resources.clear()],
    [
      'the server fails',
      (made: DiscoveredApi) => void made.failures.set('/api/v1/namespaces/x/configmaps/a', 500),
    ],
    [
      'access is denied',
      (made: DiscoveredApi) => void made.failures.set('/api/v1/namespaces/x/configmaps/a', 403),
    ],
  ] as const) {
    it(`an object is not gone because ${title}`, async () => {
      const { made, meta } = fixture();
      fail(made);
      const live = clientObjects(made.client);
      await assert.rejects(live.get(configMaps, meta, signal));
      await assert.rejects(live.delete({ resource: configMaps, meta }, 'Background', signal));
      await assert.rejects(live.change({ resource: configMaps, meta }, { finalizers: [] }, signal));
    });
  }

  it('writes apply only to the version that they were made for', async () => {
    const { made, meta } = fixture();
    const live = clientObjects(made.client);
    const target = { resource: configMaps, meta };
    const changed = await live.change(target, { finalizers: ['example.com/a'] }, signal);
    assert.ok(typeof changed !== 'string');
    assert.deepEqual(changed.finalizers, ['example.com/a']);
    assert.equal(await live.change(target, { finalizers: [] }, signal), 'changed');
    assert.equal(await live.delete(target, 'Background', signal), 'changed');
    const other = { ...changed, uid: 'another' };
    assert.equal(await live.delete({ resource: configMaps, meta: other }, 'Background', signal), 'changed');
    const now = { resource: configMaps, meta: changed };
    const freed = await live.change(now, { finalizers: [] }, signal);
    assert.ok(typeof freed !== 'string' && freed.finalizers === undefined);
    assert.equal(await live.delete({ resource: configMaps, meta: freed }, 'Background', signal), 'deleted');
    assert.equal(await live.delete({ resource: configMaps, meta: freed }, 'Background', signal), 'gone');
  });
});
