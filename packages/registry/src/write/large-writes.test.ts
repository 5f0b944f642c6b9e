import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errors } from '@orch/machinery';
import { requestOf } from '../testing/answers.ts';
import { countingIterations } from '../testing/event-loop.ts';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const LARGE_KEYS = 5000;
const SMALL_KEYS = 5;
/** Turns of a large write without other requests. */
const MIN_STAGES = 6;

const data = (keys: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key-${i}`, `the value ${i}`]));

const maps = '/api/v1/namespaces/default/configmaps';
const merge = 'application/merge-patch+json';
const applied = 'application/apply-patch+yaml';

type Send = (api: RegistryFixture, keys: number, name: string) => Promise<{ readonly status: number }>;

const applyOf = (name: string, keys: number): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...configMap(name, data(keys)),
});

const toApply: Send = (api, keys, name) =>
  api.send('PATCH', `${maps}/${name}?fieldManager=m`, { body: applyOf(name, keys), contentType: applied });

/** One write of each kind; all but the creations change an object that exists. */
const writes: Readonly<Record<string, Send>> = {
  'a creation': (api, keys, name) => api.post(maps, configMap(`${name}-created`, data(keys))),
  'a dry run': (api, keys, name) => api.post(`${maps}?dryRun=All`, configMap(`${name}-dry`, data(keys))),
  'an update': (api, keys, name) => api.put(`${maps}/${name}`, configMap(name, { ...data(keys), more: '' })),
  'a small patch': (api, _keys, name) =>
    api.send('PATCH', `${maps}/${name}`, { body: { data: { patched: 'yes' } }, contentType: merge }),
  'an apply': toApply,
  'an apply that creates': (api, keys, name) => toApply(api, keys, `${name}-applied`),
};

async function open(keys: number): Promise<RegistryFixture> {
  const api = await RegistryFixture.open();
  const created = await api.post(maps, configMap('one', data(keys)));
  assert.equal(created.status, 201);
  return api;
}

describe('a write of a large object', () => {
  for (const [what, send] of Object.entries(writes)) {
    it(`a write of a large object lets other requests be served between its stages: ${what}`, async () => {
      await using api = await open(LARGE_KEYS);
      const { iterations, result } = await countingIterations(send(api, LARGE_KEYS, 'one'));
      assert.ok(result.status === 200 || result.status === 201, String(result.status));
      assert.ok(iterations >= MIN_STAGES, `${iterations} iterations`);
    });

    it(`a write of a small object waits for no turn: ${what}`, async () => {
      await using small = await open(SMALL_KEYS);
      await using large = await open(LARGE_KEYS);
      const few = await countingIterations(send(small, SMALL_KEYS, 'one'));
      const many = await countingIterations(send(large, LARGE_KEYS, 'one'));
      assert.ok(many.iterations - few.iterations >= MIN_STAGES - 2, `${few.iterations}, ${many.iterations}`);
    });
  }

  it('a write of a large object stops when its client has disconnected', async () => {
    await using api = await open(SMALL_KEYS);
    const post = (name: string) => requestOf('POST', maps, { body: configMap(name, data(LARGE_KEYS)) });
    const whole = await countingIterations(Promise.resolve(api.raw(post('whole'))));
    assert.equal(whole.result.status, 201);
    const request = post('gone');
    const answer = countingIterations(Promise.resolve(api.raw(request)));
    request.cancel(errors.plain(499, 'the client has disconnected'));
    const { iterations, result } = await answer;
    assert.equal(result.status, 499);
    assert.ok(iterations <= whole.iterations / 2, `${iterations}, ${whole.iterations}`);
  });

  it('writes of large objects do their stages one by one, however many there are', async () => {
    await using api = await open(LARGE_KEYS);
    const together = Array.from({ length: 5 }, (_, i) =>
      api.post(`${maps}?dryRun=All`, configMap(`n${i}`, data(LARGE_KEYS))),
    );
    const { iterations, result } = await countingIterations(Promise.all(together));
    assert.deepEqual(
      result.map(({ status }) => status),
      [201, 201, 201, 201, 201],
    );
    assert.ok(iterations >= 5 * MIN_STAGES, `${iterations} iterations`);
  });
});

describe('a deletion of many objects', () => {
  it('a deletion of a collection lets other requests be served between some deletions, also as a dry run', async () => {
    await using api = await RegistryFixture.open();
    const objects = 320;
    await Promise.all(Array.from({ length: objects }, (_, i) => api.post(maps, configMap(`m${i}`, {}))));
    for (const query of ['?dryRun=All', '']) {
      const { iterations, result } = await countingIterations(api.send('DELETE', `${maps}${query}`, {}));
      assert.equal(result.status, 200);
      assert.ok(iterations >= objects / 16, `${iterations} iterations`);
    }
    assert.deepEqual((await api.get(maps)).json.items, []);
  });
});
