import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Release } from '@orch/apis';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const path = '/apis/apps/v1/namespaces/default/deployments';
const deployment = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
  },
};

/** The metadata of the template in the answers to a read, a list and a watch. */
async function answersOf(api: RegistryFixture): Promise<readonly unknown[]> {
  const read = await api.get(`${path}/web`);
  const { items } = (await api.get(path)).json;
  const watching = await api.watch(`${path}?watch=1&resourceVersion=0`);
  await watching.until(1);
  watching.stop();
  const [event] = watching.events;
  return [read.json, items[0], event.object].map(({ spec }) => spec.template.metadata);
}

const labels = { app: 'web' };
const releases: readonly (readonly [Release, object])[] = [
  ['1.33', { creationTimestamp: null, labels }],
  ['1.34', { labels }],
];

describe('the empty creation time of a template', () => {
  for (const [release, metadata] of releases) {
    it(`the creation time of a template is ${'creationTimestamp' in metadata ? 'null' : 'left out'} in release ${release}`, async () => {
      await using api = await RegistryFixture.open({ release });
      const created = await api.post(path, deployment);
      assert.deepEqual(created.json.spec.template.metadata, metadata);
      assert.deepEqual(await answersOf(api), [metadata, metadata, metadata]);
    });
  }

  it('a server of release 1.34 leaves out the null that a server of release 1.33 stored', async () => {
    await using earlier = await RegistryFixture.open({ release: '1.33' });
    await earlier.post(path, deployment);
    await using later = await RegistryFixture.open({ release: '1.34', store: earlier.model });
    assert.deepEqual(await answersOf(later), [{ labels }, { labels }, { labels }]);
    const { json } = await later.patch(`${path}/web`, { metadata: { labels: { a: 'b' } } });
    assert.deepEqual([json.metadata.labels, json.metadata.generation], [{ a: 'b' }, 1]);
  });

  it('a server of release 1.33 changes objects that a server of release 1.34 stored, and nothing else in them', async () => {
    await using later = await RegistryFixture.open({ release: '1.34' });
    await using earlier = await RegistryFixture.open({ release: '1.33', store: later.model });
    const pods = '/api/v1/namespaces/default/pods';
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const volume = { name: 'v', ephemeral: { volumeClaimTemplate: { metadata: { labels }, spec: claim } } };
    const spec = { containers: [{ name: 'c', image: 'i' }], volumes: [volume] };
    await later.post(path, deployment);
    // The specification of a pod is immutable.
    await later.post(pods, { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web' }, spec });
    for (const own of [`${path}/web`, `${pods}/web`]) {
      const { json: stored } = await earlier.get(own);
      for (const change of [
        () => earlier.put(own, { ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } }),
        () => earlier.patch(own, { metadata: { labels: { a: 'c' } } }),
      ]) {
        const { status, json } = await change();
        assert.equal(status, 200, JSON.stringify(json));
        assert.deepEqual([json.spec, json.metadata.generation], [stored.spec, stored.metadata.generation]);
      }
    }
  });

  it('a client that sends null owns no creation time in release 1.34', async () => {
    await using api = await RegistryFixture.open({ release: '1.34' });
    const { spec } = deployment;
    const template = { ...spec.template, metadata: { creationTimestamp: null, labels } };
    const { json } = await api.post(path, { ...deployment, spec: { ...spec, template } });
    assert.deepEqual(json.spec.template.metadata, { labels });
    const [{ fieldsV1 }] = json.metadata.managedFields;
    assert.deepEqual(Object.keys(fieldsV1['f:spec']['f:template']['f:metadata']), ['f:labels']);
  });

  it('component statuses have an empty creation time before release 1.34 only', async () => {
    for (const [release, metadata] of [
      ['1.33', { name: 'scheduler', creationTimestamp: null }],
      ['1.34', { name: 'scheduler' }],
    ] as const) {
      await using api = await RegistryFixture.open({ release });
      assert.deepEqual((await api.get('/api/v1/componentstatuses/scheduler')).json.metadata, metadata);
    }
  });
});
