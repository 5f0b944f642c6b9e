import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { type ApiFixture, bytesAt, overwrite } from '@orch/server/testing';
import { ForwardingStore, readable, type Store } from '@orch/storage';
import { changesOf, withHistory } from './testing/history-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const path = `${maps}/told`;
const key = 'configmaps/default/told';
const UNRECORDED = 'a later change was not recorded';

/** A config map with three values of `a`, and another one; then the bytes of the first are damaged. */
async function damaged(api: ApiFixture, bytes: string): Promise<Buffer> {
  await api.post(maps, { metadata: { name: 'told' }, data: { a: '1' } });
  for (const a of ['2', '3']) await api.patch(path, { data: { a } });
  await api.post(maps, { metadata: { name: 'other' } });
  const { value } = await bytesAt(api, key);
  await overwrite(api, key, Buffer.from(bytes));
  return value;
}

describe('the history of an object that cannot be read', () => {
  for (const [way, bytes, cause] of [
    ['bytes that are cut', '{"kind":', /offset 8/],
    ['another kind', '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"told"}}', /stored as Secret/],
    [
      'a key that is gone',
      `${namesFor('orch').storedPrefixes.encrypted}aesgcm:v1:lost:text`,
      /aesgcm:v1:lost/,
    ],
  ] as const) {
    it(`a history lists the changes before ${way}, and says that the state after the last of them is not recorded`, async () => {
      await using api = await withHistory();
      await damaged(api, bytes);
      const changes = await changesOf(api, path);
      assert.deepEqual(
        changes.map(({ change, fields, note }) => [change, fields, note]),
        [
          ['updated', undefined, UNRECORDED],
          ['updated', ['data.a'], undefined],
          ['created', undefined, undefined],
        ],
      );
      // The timeline of the collection has it too, with the changes of other objects.
      const all = await changesOf(api, maps);
      assert.deepEqual(
        all.map(({ name, note }) => [name, note]),
        [
          ['other', undefined],
          ['told', UNRECORDED],
          ['told', undefined],
          ['told', undefined],
        ],
      );
    });

    it(`states before ${way} are read, the damaged one is an error with its name and cause, and others are Expired`, async () => {
      await using api = await withHistory();
      const before = await damaged(api, bytes);
      const [last, second, first] = await changesOf(api, path);
      for (const [change, a] of [
        [first, '1'],
        [second, '2'],
      ] as const) {
        const state = await api.get(`/history${path}?at=${change?.revision}`);
        assert.deepEqual([state.status, state.json.data], [200, { a }], state.text);
      }
      const unknown = await api.get(`/history${path}?at=${last?.revision}`);
      assert.deepEqual([unknown.status, unknown.json.reason], [410, 'Expired'], unknown.text);
      const { rev } = await bytesAt(api, key);
      const now = await api.get(`/history${path}?at=${rev}`);
      assert.deepEqual([now.status, now.json.reason], [500, 'InternalError'], now.text);
      assert.match(now.json.message, /^the state \d+ of default\/told of configmaps cannot be read: /);
      assert.match(now.json.message, cause);
      // With the original bytes everything is as before.
      await overwrite(api, key, before);
      const again = await api.get(`/history${path}?at=${(await bytesAt(api, key)).rev}`);
      assert.deepEqual([again.status, again.json.data], [200, { a: '3' }]);
    });
  }

  it('the current state of an object that cannot be decrypted is an error with its name and cause', async () => {
    let isLost = false;
    class WithoutKey extends ForwardingStore {
      override async get(key: string, until: AbortSignal): Promise<Awaited<ReturnType<Store['get']>>> {
        const found = await super.get(key, until);
        if (!isLost || found.kv === undefined || !key.endsWith('/told')) return found;
        const { value: _, ...rest } = readable(found.kv);
        return {
          ...found,
          kv: { ...rest, unreadable: 'the key "k1" is not configured', isTemporary: false },
        };
      }
    }
    await using api = await withHistory({ wrap: (store) => new WithoutKey(store) });
    await api.post(maps, { metadata: { name: 'told' } });
    isLost = true;
    const [last] = await changesOf(api, path);
    const { status, json } = await api.get(`/history${path}?at=${last?.revision}`);
    assert.equal(status, 500);
    assert.equal(
      json.message,
      'the stored object told of configmaps cannot be read: the key "k1" is not configured',
    );
  });
});
