import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import { startEtcd } from '@orch/storage/testing';
import { type ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { cms, configMap, create, expectCode, podObject, refused, words } from '../api/fixture.ts';

const namespaces = '/api/v1/namespaces';

const namespaceObject = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});

const configMaps = (namespace: string): string => `${namespaces}/${namespace}/configmaps`;

const launch = (...args: readonly string[]): Promise<LaunchedServer> => launchServer({ args });

const apply = (client: ApiClient, path: string, body: object): Promise<ApiResponse> =>
  client.send('PATCH', `${path}?fieldManager=t`, { body, contentType: 'application/apply-patch+yaml' });

const REFUSED = /because it is being terminated$/;

/** Requests that create something in the namespace `ending`, with the pod `p`. */
const creations = (client: ApiClient): Readonly<Record<string, Promise<ApiResponse>>> => {
  const map = configMap('new');
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'p' },
    target: { kind: 'Node', name: 'n' },
  };
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'p', namespace: 'ending' },
  };
  return {
    create: client.post(configMaps('ending'), map),
    'generated name': client.post(configMaps('ending'), { ...map, metadata: { generateName: 'g-' } }),
    'dry run': client.post(`${configMaps('ending')}?dryRun=All`, map),
    apply: apply(client, `${configMaps('ending')}/new`, map),
    binding: client.post(`${namespaces}/ending/pods/p/binding`, binding),
    eviction: client.post(`${namespaces}/ending/pods/p/eviction`, eviction),
  };
};

for (const naming of namings)
  describe(`admission of writes in namespaces (${naming})`, { timeout: 120_000 }, () => {
    let server: LaunchedServer;
    before(async () => {
      server = await launchServer({ naming });
      await create(server.client, namespaces, namespaceObject('ending'));
      await create(server.client, `${namespaces}/ending/pods`, podObject('p'));
      await create(server.client, configMaps('ending'), configMap('old'));
      expectCode(200, await server.client.delete(`${namespaces}/ending`));
    });
    after(() => server[Symbol.asyncDispose]());

    it(`nothing is created in a namespace that is being deleted, and the cause is NamespaceTerminating (${naming})`, async () => {
      for (const [what, sending] of Object.entries(creations(server.client))) {
        const { message } = refused(await sending, 403, 'Forbidden', ['NamespaceTerminating']);
        assert.match(message, REFUSED, what);
      }
    });

    it(`objects in a namespace that is being deleted can be updated and deleted (${naming})`, async () => {
      const { client } = server;
      const old = `${configMaps('ending')}/old`;
      expectCode(200, await client.put(old, configMap('old', { k: 'v' })));
      expectCode(200, await client.delete(old));
    });

    it(`access reviews in namespaces that are being deleted or do not exist are answered (${naming})`, async () => {
      const group = namesFor(naming).group('authorization');
      for (const namespace of ['ending', 'none']) {
        const review = {
          apiVersion: `${group}/v1`,
          kind: 'LocalSubjectAccessReview',
          metadata: { namespace },
          spec: { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods', namespace } },
        };
        const path = `/apis/${group}/v1/namespaces/${namespace}/localsubjectaccessreviews`;
        expectCode(201, await server.client.post(path, review));
      }
    });

    it(`the namespaces of the control plane cannot be deleted (${naming})`, async () => {
      const [, , publicNamespace, system] = words[naming].namespaces;
      for (const name of ['default', publicNamespace, system])
        for (const query of ['', '?dryRun=All']) {
          const answer = await server.client.delete(`${namespaces}/${name}${query}`);
          const { message } = refused(answer, 403, 'Forbidden');
          assert.equal(message, `namespaces "${name}" is forbidden: this namespace may not be deleted`);
        }
    });

    it(`a creation in a namespace that does not exist is refused with 404 (${naming})`, async () => {
      const { message } = refused(
        await server.client.post(configMaps('none'), configMap('a')),
        404,
        'NotFound',
      );
      assert.equal(message, 'namespaces "none" not found');
    });
  });

describe('admission plugins of namespaces by flags', { timeout: 120_000 }, () => {
  it('without NamespaceLifecycle objects are created in any namespace, and the default namespace can be deleted', async () => {
    await using server = await launch('--disable-admission-plugins=NamespaceLifecycle');
    expectCode(201, await server.client.post(configMaps('none'), configMap('a')));
    expectCode(200, await server.client.delete(`${namespaces}/default`));
    expectCode(201, await server.client.post(cms, configMap('late')));
  });

  it('NamespaceExists refuses writes in namespaces that do not exist also without NamespaceLifecycle', async () => {
    await using server = await launch(
      '--disable-admission-plugins=NamespaceLifecycle',
      '--enable-admission-plugins=NamespaceExists',
    );
    refused(await server.client.post(configMaps('none'), configMap('a')), 404, 'NotFound');
    refused(await server.client.delete(`${configMaps('none')}/a`), 404, 'NotFound');
    expectCode(201, await server.client.post(cms, configMap('a')));
  });

  it('NamespaceAutoProvision creates the namespace of a new object, other than for a dry run', async () => {
    await using server = await launch('--enable-admission-plugins=NamespaceAutoProvision');
    const { client } = server;
    refused(await client.post(`${configMaps('auto')}?dryRun=All`, configMap('a')), 404, 'NotFound');
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, i) => client.post(configMaps('auto'), configMap(`a${i}`))),
    );
    for (const answer of created) expectCode(201, answer);
    const { text } = expectCode(200, await client.get(`${namespaces}/auto`));
    assert.match(text, /"phase":"Active"/);
    const { message } = refused(await client.post(configMaps('Bad_Name'), configMap('a')), 403, 'Forbidden');
    assert.match(message, /metadata\.name/);
    refused(await client.get(`${namespaces}/Bad_Name`), 404, 'NotFound');
  });
});

describe('admission of writes in namespaces by two servers', { timeout: 120_000 }, () => {
  it('an object is created through one server in the namespace that another has just created', async () => {
    await using etcd = await startEtcd();
    await using first = await launchServer({ etcd: etcd.endpoints, args: ['--separate-credentials'] });
    await using second = await launchServer({ etcd: etcd.endpoints, args: ['--separate-credentials'] });
    for (let i = 0; i < 20; i++) {
      await create(first.client, namespaces, namespaceObject(`fresh-${i}`));
      expectCode(201, await second.client.post(configMaps(`fresh-${i}`), configMap('a')));
    }
  });
});
