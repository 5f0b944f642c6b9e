import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store } from '@orch/storage';
import { StorageCodec } from '../convert/storage-codec.ts';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;

/** A watch of the store that delivers no events. */
async function* silentWatch(...[, , signal]: Parameters<Store['watch']>): ReturnType<Store['watch']> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** A replica whose watch delivers no events: its cache remains in the state of the start. */
const behindOf = (writer: RegistryFixture): Promise<RegistryFixture> =>
  RegistryFixture.open({
    store: writer.model,
    seed: 2,
    wrap: (inner) =>
      new Proxy(inner, {
        get(target, name) {
          if (name === 'watch') return silentWatch;
          const field = Reflect.get(target, name);
          return typeof field === 'function' ? field.bind(target) : field;
        },
      }),
  });

describe('writes with a stale cache', () => {
  it('a write with a stale cache is neither refused nor skipped because of the stale state', async () => {
    await using writer = await RegistryFixture.open();
    await writer.post(cms, configMap('old', { k: '0' }));
    await using behind = await behindOf(writer);
    const { json } = await writer.patch(`${cms}/old`, { data: { k: '1' } });
    await writer.post(cms, configMap('new'));
    // Set back to the state of the stale cache: no change to the cached object, but one to the stored object.
    assert.equal((await behind.patch(`${cms}/old`, { data: { k: '0' } })).json.data.k, '0');
    assert.equal((await behind.put(`${cms}/new`, configMap('new', { k: 'v' }))).status, 200);
    assert.equal(
      (await behind.delete(`${cms}/old`, { preconditions: { uid: json.metadata.uid } })).status,
      200,
    );
    assert.equal((await behind.delete(`${cms}/old`)).status, 404);
    const latest = (await writer.get(`${cms}/new`)).json;
    assert.equal((await behind.put(`${cms}/new`, { ...latest, data: { k: 'w' } })).status, 200);
  });

  it('a dry run with a stale cache shows the changed state of the store', async () => {
    await using writer = await RegistryFixture.open();
    await writer.post(cms, configMap('old', { k: '0' }));
    await using behind = await behindOf(writer);
    const { json } = await writer.patch(`${cms}/old`, { data: { k: '1' } });
    const { resourceVersion } = json.metadata;
    const changed = (await behind.patch(`${cms}/old?dryRun=All`, { data: { l: '2' } })).json;
    assert.deepEqual([changed.data, changed.metadata.resourceVersion], [{ k: '1', l: '2' }, resourceVersion]);
    const applied = await behind.send('PATCH', `${cms}/old?dryRun=All&fieldManager=a`, {
      body: { apiVersion: 'v1', kind: 'ConfigMap', ...configMap('old', { m: '3' }) },
      contentType: 'application/apply-patch+yaml',
    });
    assert.deepEqual(applied.json.data, { k: '1', m: '3' });
  });
});

describe('refused and unnecessary writes', () => {
  it('a write that is refused or changes nothing does not decode the stored object again, if the cache has that state', async (t) => {
    await using api = await RegistryFixture.open();
    const { json } = await api.post(cms, configMap('one', { k: 'v' }));
    const reads = t.mock.method(StorageCodec.prototype, 'read');
    const wrong = await api.put(`${cms}/one`, { ...json, data: { 'no key': 'v' } });
    const stale = await api.put(`${cms}/one`, {
      ...json,
      metadata: { ...json.metadata, resourceVersion: '1' },
    });
    const same = await api.put(`${cms}/one`, json);
    assert.deepEqual([wrong.status, stale.status, same.status], [422, 409, 200]);
    assert.equal(same.json.metadata.resourceVersion, json.metadata.resourceVersion);
    assert.equal(reads.mock.callCount(), 0);
  });
});
