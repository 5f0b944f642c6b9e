import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { tempDir } from '@orch/storage/testing';
import { type ApiClient, type ApiResponse, launchServer } from '@orch/testkit';

/** Restarts of the server before the version is served again. */
const RESTARTS = 1;
const names = namesFor('kubernetes');
const crds = `/apis/${names.apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;
const crd = `${crds}/verz.sv.io`;
const version = (name: string, storage: boolean): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});
const verz = (at: string, name = 'o'): string => `/apis/sv.io/${at}/namespaces/held/verz/${name}`;
const configMaps = (name = ''): string =>
  `/api/v1/namespaces/held/configmaps${name === '' ? '' : `/${name}`}`;

interface Meta {
  readonly name: string;
  readonly uid: string;
  readonly labels?: object;
  readonly finalizers?: readonly string[];
}
const metaOf = ({ json }: ApiResponse): Meta => (json as { metadata: Meta }).metadata;

function expect(code: number, answer: ApiResponse): ApiResponse {
  assert.equal(answer.status, code, answer.text);
  return answer;
}

const dependent = (name: string, owner: Meta, apiVersion: string, kind: string): object => ({
  metadata: { name, ownerReferences: [{ apiVersion, kind, name: owner.name, uid: owner.uid }] },
});

/** The collector begins after seconds without the objects of a resource whose lists are refused. */
const COLLECTED_MS = 60_000;

/** Resolves when the garbage collector has deleted the dependent of another owner: it works then. */
async function collects(client: ApiClient, round: number): Promise<void> {
  const owner = metaOf(
    expect(201, await client.post(configMaps(), { metadata: { name: `owner-${round}` } })),
  );
  const name = `dependent-${round}`;
  expect(201, await client.post(configMaps(), dependent(name, owner, 'v1', 'ConfigMap')));
  expect(200, await client.delete(configMaps(owner.name)));
  await eventually(
    async () => (await client.get(configMaps(name))).status,
    (status) => status === 404,
    COLLECTED_MS,
  );
}

describe('owners that cannot be read', { timeout: 600_000 }, () => {
  it('dependents and the namespace of an owner whose version is gone stay over restarts, until the version is back', async () => {
    await using work = await tempDir('orch-unreadable-');
    const launch = () =>
      launchServer({
        program: 'orch',
        naming: 'kubernetes',
        dataDir: join(work.path, 'data'),
        certDir: join(work.path, 'certs'),
      });
    {
      await using server = await launch();
      const { client } = server;
      const versions = [version('v1alpha1', true), version('v1', false)];
      const spec = { group: 'sv.io', scope: 'Namespaced', names: { plural: 'verz', kind: 'Verz' }, versions };
      expect(201, await client.post(crds, { metadata: { name: 'verz.sv.io' }, spec }));
      for (const name of ['held', 'doomed'])
        expect(201, await client.post('/api/v1/namespaces', { metadata: { name } }));
      const metadata = { name: 'o', labels: { l: 'v' }, finalizers: ['example.com/hold'] };
      const object = { apiVersion: 'sv.io/v1alpha1', kind: 'Verz', metadata };
      const made = await eventually(
        () => client.post(verz('v1alpha1', '').slice(0, -1), object),
        ({ status }) => status === 201,
      );
      const inDoomed = { ...object, metadata: { name: 'o' } };
      expect(201, await client.post('/apis/sv.io/v1alpha1/namespaces/doomed/verz', inDoomed));
      for (const name of ['a', 'b'])
        expect(201, await client.post(configMaps(), dependent(name, metaOf(made), 'sv.io/v1alpha1', 'Verz')));
      const merge = (path: string, body: object) =>
        client.send('PATCH', path, { body, contentType: 'application/merge-patch+json' });
      const annotations = { [names.annotations.allowStrandedObjects]: 'true' };
      const moved = [version('v1alpha1', false), version('v1', true)];
      expect(200, await merge(crd, { metadata: { annotations }, spec: { versions: moved } }));
      expect(200, await merge(`${crd}/status`, { status: { storedVersions: ['v1'] } }));
      expect(200, await merge(crd, { spec: { versions: [version('v1', true)] } }));
      await server.stop();
    }
    for (let round = 0; round < RESTARTS; round++) {
      await using server = await launch();
      const { client } = server;
      assert.match(expect(500, await client.get(verz('v1'))).text, /verz cannot be read: held\/o /);
      if (round === 0) expect(200, await client.delete('/api/v1/namespaces/doomed'));
      await collects(client, round);
      expect(500, await client.delete(verz('v1')));
      // The controller of namespaces says which content it cannot delete.
      await eventually(
        async () => expect(200, await client.get('/api/v1/namespaces/doomed')).text,
        (text) =>
          /"NamespaceDeletionContentFailure"[^}]*"status":"True"|cannot be read: doomed\/o /.test(text),
        COLLECTED_MS,
      );
      for (const name of ['a', 'b']) expect(200, await client.get(configMaps(name)));
      await server.stop();
    }
    await using server = await launch();
    const { client } = server;
    await collects(client, RESTARTS);
    const versions = [version('v1alpha1', false), version('v1', true)];
    const contentType = 'application/merge-patch+json';
    expect(200, await client.send('PATCH', crd, { body: { spec: { versions } }, contentType }));
    const back = await eventually(
      () => client.get(verz('v1')),
      ({ status }) => status === 200,
    );
    assert.deepEqual(metaOf(back).finalizers, ['example.com/hold']);
    assert.deepEqual(metaOf(back).labels, { l: 'v' });
    expect(200, await client.get(configMaps('a')));
    // Now the namespace can be emptied.
    await eventually(
      async () => (await client.get('/api/v1/namespaces/doomed')).status,
      (status) => status === 404,
      COLLECTED_MS,
    );
    // The owner is an ordinary one again: with it, its dependents go.
    const body = { metadata: { finalizers: null } };
    expect(200, await client.send('PATCH', verz('v1'), { body, contentType }));
    expect(200, await client.delete(verz('v1')));
    await eventually(
      async () => (await client.get(configMaps('a'))).status,
      (status) => status === 404,
      COLLECTED_MS,
    );
  });
});
