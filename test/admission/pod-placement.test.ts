import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { encodeYaml } from '@orch/machinery/yaml';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { create, expectCode, item, podObject, refused } from '../api/fixture.ts';

const namespaces = '/api/v1/namespaces';
const toleration = { key: 'dedicated', operator: 'Exists' };
/** DefaultTolerationSeconds adds these to every pod. */
const usual = ['not-ready', 'unreachable'].map((name) => ({
  key: `node.orch.io/${name}`,
  operator: 'Exists',
}));

const configuration = {
  apiVersion: 'apiserver.config.orch.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [
    { name: 'PodNodeSelector', path: 'selectors.yaml' },
    {
      name: 'PodTolerationRestriction',
      configuration: {
        apiVersion: 'podtolerationrestriction.admission.orch.io/v1alpha1',
        kind: 'Configuration',
        whitelist: [toleration, ...usual],
      },
    },
  ],
};
const selectors = {
  podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'pool=general', restricted: 'pool=general' },
};

describe('placement of pods by their namespace', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-pod-placement-'));
  let server: LaunchedServer;

  before(async () => {
    writeFileSync(join(work, 'admission.yaml'), encodeYaml(configuration));
    writeFileSync(join(work, 'selectors.yaml'), encodeYaml(selectors));
    server = await launchServer({
      args: [
        '--enable-admission-plugins=PodNodeSelector,PodTolerationRestriction,PersistentVolumeLabel',
        `--admission-control-config-file=${join(work, 'admission.yaml')}`,
      ],
    });
    await namespace('restricted');
    await namespace('dedicated', {
      'node-selector': 'pool=dedicated',
      defaultTolerations: JSON.stringify([toleration]),
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  const namespace = (name: string, annotations: Record<string, string> = {}) =>
    create(server.client, namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        annotations: Object.fromEntries(
          Object.entries(annotations).map(([key, value]) => [`scheduler.alpha.orch.io/${key}`, value]),
        ),
      },
    });
  const podsIn = (name: string): string => `${namespaces}/${name}/pods`;
  const apply = (path: string, body: object): Promise<ApiResponse> =>
    server.client.send('PATCH', `${path}?fieldManager=test`, {
      body,
      contentType: 'application/apply-patch+yaml',
    });

  it('pods get the selector and the tolerations of their namespace, or the selector of the cluster', async () => {
    const dedicated = (await create(server.client, podsIn('dedicated'), podObject('p'))).spec;
    assert.deepEqual(dedicated['nodeSelector'], { pool: 'dedicated' });
    assert.deepEqual((dedicated['tolerations'] as object[])[0], toleration);
    const { nodeSelector } = (await create(server.client, podsIn('restricted'), podObject('p'))).spec;
    assert.deepEqual(nodeSelector, { pool: 'general' });
  });

  it('a pod that is applied again stays the same', async () => {
    const path = `${podsIn('dedicated')}/applied`;
    const first = item(expectCode(201, await apply(path, podObject('applied'))));
    const second = item(expectCode(200, await apply(path, podObject('applied'))));
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
  });

  it('no creation gives a pod a selector or a toleration that its namespace does not permit', async () => {
    for (const [spec, message] of [
      [{ nodeSelector: { pool: 'dedicated' } }, /conflicts with its namespace node label selector$/],
      [{ nodeSelector: { gpu: 'yes' } }, /conflict with its namespace whitelist$/],
      [{ tolerations: [{ operator: 'Exists' }] }, /conflict with its cluster whitelist$/],
    ] as const) {
      const wrong = podObject('wrong', {}, spec);
      const path = podsIn('restricted');
      for (const answer of [
        await server.client.post(path, wrong),
        await server.client.post(`${path}?dryRun=All`, wrong),
        await server.client.post(path, podObject('', { name: undefined, generateName: 'g-' }, spec)),
        await apply(`${path}/wrong`, wrong),
      ])
        assert.match(refused(answer, 403, 'Forbidden').message, message);
    }
  });

  it('no update gives a pod a toleration that is not permitted', async () => {
    const path = `${podsIn('restricted')}/kept`;
    const kept = await create(server.client, podsIn('restricted'), podObject('kept'));
    const tolerations = [...(kept.spec['tolerations'] as object[]), { operator: 'Exists' }];
    const wrong = { ...kept, spec: { ...kept.spec, tolerations } };
    for (const answer of [
      await server.client.put(path, wrong),
      await apply(path, podObject('kept', {}, { tolerations })),
      await server.client.send('PATCH', path, {
        body: { spec: { tolerations } },
        contentType: 'application/merge-patch+json',
      }),
    ])
      assert.match(refused(answer, 403, 'Forbidden').message, /conflict with its cluster whitelist$/);
    const labelled = { ...kept, metadata: { ...kept.metadata, labels: { a: 'b' } } };
    expectCode(200, await server.client.put(path, labelled));
  });

  it('a new volume of a cloud is for nodes of its zone', async () => {
    const volume = await create(server.client, '/api/v1/persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'v', labels: { 'topology.orch.io/zone': 'a' } },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        gcePersistentDisk: { pdName: 'd' },
      },
    });
    const expression = { key: 'topology.orch.io/zone', operator: 'In', values: ['a'] };
    assert.deepEqual(volume.spec['nodeAffinity'], {
      required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] },
    });
  });
});
