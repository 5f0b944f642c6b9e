import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, testEnv, until } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import {
  AggregationFixture,
  type AggregationFixtureOptions,
  apiServices,
  availabilityOf,
  GROUP,
  podAddress,
} from './testing/aggregation-fixture.ts';
import { ExtensionServer } from './testing/extension-server.ts';

const path = `/apis/${GROUP}/v1/widgets`;
const name = `v1.${GROUP}`;

/** Replicas on one store and one clock; each with separate options. */
async function openReplicas(each: readonly AggregationFixtureOptions[]): Promise<Replicas> {
  const env = testEnv();
  const store = new ModelStore({ clock: env.clock });
  const replicas: AggregationFixture[] = [];
  for (const options of each) replicas.push(await AggregationFixture.open({ store, env, ...options }));
  const [first] = replicas;
  assert.ok(first);
  return {
    first,
    replicas,
    env,
    async [Symbol.asyncDispose]() {
      for (const replica of replicas) await replica[Symbol.asyncDispose]();
    },
  };
}

interface Replicas extends AsyncDisposable {
  readonly first: AggregationFixture;
  readonly replicas: readonly AggregationFixture[];
  readonly env: ReturnType<typeof testEnv>;
}

interface Publisher {
  readonly service: string;
  readonly group: string;
}

/** Extension API servers with different definitions of one name. */
async function publishers(groups: readonly Publisher[]) {
  const all: (Publisher & { readonly extension: ExtensionServer })[] = [];
  for (const { service, group } of groups) {
    const extension = await ExtensionServer.start({ hosts: [`${service}.default.svc`] });
    const responses = { 200: { description: 'OK', schema: { $ref: '#/definitions/Thing' } } };
    const paths = { [`/apis/${group}/v1/things`]: { get: { responses } } };
    const things = { name: 'things', kind: 'Thing', verbs: ['get'] };
    const resources = { kind: 'APIResourceList', resources: [things] };
    const index = { [`apis/${group}/v1`]: { serverRelativeURL: `/openapi/v3/apis/${group}/v1?hash=1` } };
    extension.documents
      .set(`/apis/${group}/v1`, { body: resources })
      .set('/openapi/v2', { body: { paths, definitions: { Thing: { type: 'object', description: group } } } })
      .set('/openapi/v3', { body: { paths: index } })
      .set(`/openapi/v3/apis/${group}/v1?hash=1`, { body: { openapi: '3.0.0', paths } });
    all.push({ service, group, extension });
  }
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const { extension } of all) await extension.stop();
    },
  };
}

/** Reports whether all documents of all extension API servers were read. */
async function publishesAll({ api }: AggregationFixture, groups: readonly Publisher[]): Promise<boolean> {
  const accept = 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList';
  const discovery = (await api.get('/apis', { accept })).json.items;
  const { paths } = (await api.get('/openapi/v2')).json;
  const index = (await api.get('/openapi/v3')).json.paths;
  return groups.every(({ group }) => {
    const listed = discovery.find(
      ({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name === group,
    );
    const isCurrent = listed?.versions[0].freshness === 'Current';
    return isCurrent && paths[`/apis/${group}/v1/things`] && index[`apis/${group}/v1`];
  });
}

const statusOf = async ({ api }: AggregationFixture): Promise<number> => {
  await api.settled();
  return (await api.get(path)).status;
};

const reasonOf = async ({ api }: AggregationFixture): Promise<unknown> =>
  ((await availabilityOf(api)) as { readonly reason?: string }).reason;

describe('the aggregation layer of three replicas', () => {
  it('a group version is proxied by all of them as soon as it is registered, and by none once it is not', async () => {
    await using extension = await ExtensionServer.start();
    await using all = await openReplicas([{}, {}, {}]);
    await all.first.extend(extension);
    for (const replica of all.replicas) assert.equal(await statusOf(replica), 200);
    await all.first.api.delete(`${apiServices}/${name}`);
    for (const replica of all.replicas) assert.equal(await statusOf(replica), 404);
  });

  it('replicas with different views do not overwrite each other, and each proxies by its own', async () => {
    await using extension = await ExtensionServer.start();
    const refused = new Set([podAddress()]);
    await using all = await openReplicas([{}, { refused }, { refused }]);
    await all.first.extend(extension);
    await until(async () => (await reasonOf(all.first)) !== undefined);
    const revisionOf = async (): Promise<string> =>
      (await all.first.api.get(`${apiServices}/${name}`)).json.metadata.resourceVersion;
    const before = await revisionOf();
    const dials = (): number => all.replicas.reduce((sum, { dialed }) => sum + dialed.length, 0);
    for (let round = 0; round < 5; round++) {
      const dialed = dials();
      await all.env.clock.advanceAsync(31_000);
      await until(() => dials() >= dialed + 2, 'both replicas have checked again');
      await settle();
    }
    assert.equal(await revisionOf(), before);
    assert.deepEqual(await Promise.all(all.replicas.map(statusOf)), [200, 503, 503]);
  });

  it('another replica writes results after the one that did has stopped', async () => {
    await using extension = await ExtensionServer.start();
    await using all = await openReplicas([{}]);
    const store = all.first.api.model;
    await all.first.extend(extension);
    await until(async () => (await reasonOf(all.first)) === 'Passed');
    const second = await AggregationFixture.open({ store, env: all.env });
    await all.first[Symbol.asyncDispose]();
    extension.checkStatus = 500;
    await until(async () => {
      await all.env.clock.advanceAsync(5_000);
      return (await reasonOf(second)) === 'FailedDiscoveryCheck';
    }, 'the result of the second replica');
    await second[Symbol.asyncDispose]();
  });

  it('replicas have the same documents of discovery and OpenAPI, regardless of the order in which servers were registered', async () => {
    const groups = ['b', 'a', 'c'].map((one) => ({ service: one, group: `${one}.example.com` }));
    await using extensions = await publishers(groups);
    await using all = await openReplicas([{}]);
    const { api } = all.first;
    for (const [at, { extension, service, group }] of extensions.all.entries()) {
      await all.first.service({ port: extension.port, name: service, addresses: [podAddress(at)] });
      await all.first.register(extension, { service: { namespace: 'default', name: service } }, group);
    }
    // The change moves the first one behind the others.
    const changed = `${apiServices}/v1.b.example.com`;
    const { json } = await api.get(changed);
    await api.put(changed, { ...json, spec: { ...json.spec, versionPriority: 7 } });
    const options = { store: api.model, env: all.env };
    await using second = await AggregationFixture.open(options);
    await using third = await AggregationFixture.open(options);
    const replicas = [all.first, second, third];
    for (const replica of replicas) await until(() => publishesAll(replica, groups), 'all documents');
    const accept = 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList';
    for (const [target, headers] of [
      ['/apis', { accept }],
      ['/apis', {}],
      ['/openapi/v2', {}],
      ['/openapi/v3', {}],
    ] as const) {
      const texts = await Promise.all(replicas.map(async (one) => (await one.api.get(target, headers)).text));
      assert.equal(new Set(texts).size, 1, target);
    }
    const { definitions } = (await api.get('/openapi/v2')).json;
    assert.deepEqual(
      ['Thing', 'Thing_v2', 'Thing_v3'].map((name) => definitions[name].description),
      ['a.example.com', 'b.example.com', 'c.example.com'],
    );
  });

  it('nothing is written for checks while there is no extension API server', async () => {
    await using all = await openReplicas([{}, {}]);
    const { signal } = new AbortController();
    const before = await all.first.api.model.currentRevision(signal);
    await all.env.clock.advanceAsync(120_000);
    assert.equal(await all.first.api.model.currentRevision(signal), before);
  });
});
