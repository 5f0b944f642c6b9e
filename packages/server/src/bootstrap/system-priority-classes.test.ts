import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiFixture } from '../testing/index.ts';

const classes = '/apis/scheduling.orch.io/v1/priorityclasses';
const system = ['system-cluster-critical', 'system-node-critical'];
const messageOf = (name: string): string =>
  `priorityclasses.scheduling.orch.io "${name}" is forbidden: this is a system priority class and cannot be deleted`;

describe('system priority classes', () => {
  for (const name of system) {
    for (const query of ['', '?dryRun=All']) {
      it(`${name} cannot be deleted${query}`, async () => {
        await using api = await ApiFixture.open();
        const { status, json } = await api.delete(`${classes}/${name}${query}`);
        assert.deepEqual([status, json.reason, json.message], [403, 'Forbidden', messageOf(name)]);
        assert.equal((await api.get(`${classes}/${name}`)).status, 200);
      });
    }
  }

  it('system priority classes are not deleted with a collection, which fails', async () => {
    await using api = await ApiFixture.open();
    const { status, json } = await api.delete(classes);
    assert.deepEqual([status, json.reason], [403, 'Forbidden']);
    assert.ok(system.map(messageOf).includes(json.message), json.message);
    for (const name of system) assert.equal((await api.get(`${classes}/${name}`)).status, 200);
  });

  it('the classes of users are deleted alone and as a collection that contains no class of the system', async () => {
    await using api = await ApiFixture.open();
    for (const name of ['a', 'b']) {
      const body = { metadata: { name, labels: { by: 'user' } }, value: 1 };
      assert.equal((await api.post(classes, body)).status, 201);
    }
    assert.equal((await api.delete(`${classes}/a`)).status, 200);
    assert.equal((await api.delete(`${classes}?labelSelector=by%3Duser`)).status, 200);
    assert.equal((await api.get(`${classes}/b`)).status, 404);
  });
});
