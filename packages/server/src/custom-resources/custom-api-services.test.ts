import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crontabs, DEFINITIONS, definition, GROUP, v1 } from '@orch/custom-resources/testing';
import { type ApiObject, namesFor } from '@orch/machinery';
import { specOf } from '@orch/machinery/json';
import { FakeClock, until } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import { ApiFixture } from '../testing/index.ts';

const names = namesFor('orch');
const path = '/apis/apiregistration.orch.io/v1/apiservices';
const name = `v1.${GROUP}`;
const label = names.labels.aggregatorAutomanaged;
const beta = { ...v1, name: 'v1beta1', storage: false };

async function apiService(api: ApiFixture, of = name): Promise<ApiObject | undefined> {
  await api.settled();
  const { status, json } = await api.get(`${path}/${of}`);
  return status === 200 ? json : undefined;
}

const untilPresent = async (api: ApiFixture, of = name): Promise<ApiObject> => {
  await until(async () => (await apiService(api, of)) !== undefined, `the API service ${of}`);
  return (await apiService(api, of)) ?? { metadata: {} };
};

const untilAbsent = (api: ApiFixture, of = name): Promise<void> =>
  until(async () => (await apiService(api, of)) === undefined, `no API service ${of}`);

const define = async (api: ApiFixture, versions = [v1]): Promise<void> => {
  const { status, text } = await api.post(DEFINITIONS, definition(versions));
  assert.equal(status, 201, text);
};

/** An API service of a user for the group version of the definition. */
const remote = {
  ...{ kind: 'APIService', apiVersion: 'apiregistration.orch.io/v1', metadata: { name } },
  spec: {
    ...{ group: GROUP, version: 'v1', groupPriorityMinimum: 200, versionPriority: 7 },
    service: { namespace: 'default', name: 'extension' },
  },
};

describe('API services of custom resources', () => {
  it('API services of custom resources come and go with the versions of the definitions of a group', async () => {
    await using api = await ApiFixture.open();
    await define(api, [v1, beta]);
    const { metadata, spec, ...rest } = await untilPresent(api);
    assert.deepEqual(metadata.labels, { [label]: 'true' });
    assert.deepEqual(spec, { group: GROUP, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 });
    const { conditions } = rest['status'] as { conditions: readonly { reason: string; status: string }[] };
    assert.deepEqual(
      conditions.map(({ reason, status }) => [reason, status]),
      [['Local', 'True']],
    );
    await untilPresent(api, `v1beta1.${GROUP}`);
    await api.patch(`${DEFINITIONS}/crontabs.${GROUP}`, { spec: { versions: [v1] } });
    await untilAbsent(api, `v1beta1.${GROUP}`);
    await api.delete(`${DEFINITIONS}/crontabs.${GROUP}`);
    await untilAbsent(api);
  });

  it('API services of custom resources are restored when they are deleted or changed', async () => {
    await using api = await ApiFixture.open();
    await define(api);
    const first = await untilPresent(api);
    await api.delete(`${path}/${name}`);
    await until(
      async () => ((await apiService(api))?.metadata.uid ?? first.metadata.uid) !== first.metadata.uid,
    );
    await api.patch(`${path}/${name}`, { spec: { service: { namespace: 'default', name: 'extension' } } });
    await until(
      async () => JSON.stringify((await apiService(api))?.['spec']) === JSON.stringify(first['spec']),
    );
    assert.equal((await api.get(crontabs())).status, 200);
  });

  it('API services of custom resources do not replace the API service of a user, whose server is used until it is deleted', async () => {
    await using api = await ApiFixture.open();
    assert.equal((await api.post(path, remote)).status, 201);
    await define(api);
    await until(async () => {
      const { json } = await api.get(`${DEFINITIONS}/crontabs.${GROUP}`);
      return JSON.stringify(json).includes('"Established"');
    });
    const { status, json } = await api.get(crontabs());
    assert.deepEqual([status, json.reason], [503, 'ServiceUnavailable']);
    assert.match(json.message, /service\/extension in "default" is not present/);
    const kept = await apiService(api);
    assert.deepEqual(
      [kept?.metadata.labels, specOf(kept ?? { metadata: {} })['versionPriority']],
      [undefined, 7],
    );
    await api.delete(`${path}/${name}`);
    await until(async () => (await apiService(api))?.metadata.labels?.[label] === 'true');
    assert.equal((await api.get(crontabs())).status, 200);
  });

  it('API services of custom resources of servers are deleted at the next start when their definition was deleted meanwhile, those of users are not', async () => {
    const store = new ModelStore({ clock: new FakeClock() });
    {
      await using api = await ApiFixture.open({ store });
      const stale = { ...remote, metadata: { name, labels: { [label]: 'true' } } };
      assert.equal(
        (await api.post(path, { ...stale, spec: { ...stale.spec, service: undefined } })).status,
        201,
      );
      const own = { ...remote, metadata: { name: 'v2.own.example.com' } };
      const spec = { ...remote.spec, group: 'own.example.com', version: 'v2', service: undefined };
      assert.equal((await api.post(path, { ...own, spec })).status, 201);
    }
    await using api = await ApiFixture.open({ store, seed: 2 });
    await untilAbsent(api);
    assert.ok(await apiService(api, 'v2.own.example.com'));
  });

  it('API services of custom resources are written once by three replicas, which agree on them', async () => {
    const store = new ModelStore({ clock: new FakeClock() });
    const replicas = await Promise.all([1, 2, 3].map((seed) => ApiFixture.open({ store, seed })));
    const [first] = replicas;
    assert.ok(first);
    await define(first, [v1, beta]);
    const created = await Promise.all(replicas.map((replica) => untilPresent(replica)));
    assert.equal(new Set(created.map(({ metadata }) => metadata.uid)).size, 1);
    await first.delete(`${DEFINITIONS}/crontabs.${GROUP}`);
    for (const replica of replicas) await untilAbsent(replica);
    const { signal } = new AbortController();
    const before = await store.currentRevision(signal);
    for (const replica of replicas) await replica.settled();
    assert.equal(await store.currentRevision(signal), before);
    for (const replica of replicas) await replica[Symbol.asyncDispose]();
  });
});
