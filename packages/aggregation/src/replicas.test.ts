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

  it('nothing is written for checks while there is no extension API server', async () => {
    await using all = await openReplicas([{}, {}]);
    const { signal } = new AbortController();
    const before = await all.first.api.model.currentRevision(signal);
    await all.env.clock.advanceAsync(120_000);
    assert.equal(await all.first.api.model.currentRevision(signal), before);
  });
});
