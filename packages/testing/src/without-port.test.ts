import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { builtinResources, createClient, isForbidden, isNotFound, typed } from '@orch/client';
import type { ControlPlane } from './options.ts';
import { startControlPlane } from './start-control-plane.ts';

const { signal } = new AbortController();

const parts = (plane: ControlPlane) => {
  const client = createClient(plane.config);
  const { configmaps, namespaces } = builtinResources(client.names).core.v1;
  return { client, maps: client.resource(configmaps, 'default'), namespaces: client.resource(namespaces) };
};

describe('a control plane without a port', { timeout: 170_000 }, () => {
  let plane: ControlPlane;
  before(async () => {
    plane = await startControlPlane({ naming: 'kubernetes', port: false });
  });
  after(() => plane?.stop());

  it('no socket is open, and no file tells an address', async () => {
    await parts(plane).namespaces.list();
    assert.deepEqual(
      process.getActiveResourcesInfo().filter((resource) => /TCP/.test(resource)),
      [],
    );
    assert.deepEqual([plane.url, plane.configFile], ['', '']);
  });

  it('requests have the identity of the administrator and pass admission and validation', async () => {
    const { client, maps } = parts(plane);
    const review = await typed(client).authentication.v1.selfsubjectreviews.create({ metadata: {} });
    assert.equal(review.status?.userInfo?.username, 'system:admin');
    assert.deepEqual(review.status?.userInfo?.groups, ['system:masters', 'system:authenticated']);
    await assert.rejects(maps.create({ metadata: { name: 'Not a name' } }), /metadata\.name/);
    const elsewhere = client.resource(builtinResources(client.names).core.v1.configmaps, 'absent');
    await assert.rejects(elsewhere.create({ metadata: { name: 'a' } }), isNotFound);
  });

  it('the configuration of a user has the permissions of the user, who is in the history', async () => {
    const { client, maps } = parts(plane);
    const user = 'system:serviceaccount:default:operator';
    const mine = createClient(plane.configAs({ user })).resource(maps.resource, 'default');
    await assert.rejects(mine.list(), isForbidden);
    const { clusterroles, clusterrolebindings } = typed(client).rbac.v1;
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete'] }];
    await clusterroles.create({ metadata: { name: 'operator' }, rules });
    await clusterrolebindings.create({
      metadata: { name: 'operator' },
      roleRef: { apiGroup: clusterroles.resource.group, kind: 'ClusterRole', name: 'operator' },
      subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace: 'default' }],
    });
    const object = await mine.create({ metadata: { name: 'of-the-operator' } });
    await assert.rejects(mine.list(), isForbidden);
    const [write] = await plane.history({ object });
    assert.deepEqual([write?.user, write?.impersonatedBy], [user, 'system:admin']);
    await mine.delete('of-the-operator');
  });

  it('a watch delivers changes until it is left', async () => {
    const { maps } = parts(plane);
    const { metadata } = await maps.list();
    await maps.create({ metadata: { name: 'watched' } });
    await maps.delete('watched');
    const seen: string[] = [];
    for await (const event of maps.watch({ resourceVersion: metadata.resourceVersion ?? '' }, signal)) {
      seen.push(event.type);
      if (event.type === 'DELETED') break;
    }
    assert.deepEqual(seen, ['ADDED', 'DELETED']);
  });

  it('a deleted namespace is removed with its objects', async () => {
    const { namespaces } = parts(plane);
    const made = await namespaces.create({ metadata: { name: 'short' } });
    await namespaces.delete('short');
    await plane.eventually(made, (now) => now === undefined);
    await plane.quiescent();
  });

  it('a reset restores the objects, and a fork has no port either', async () => {
    const { maps } = parts(plane);
    await maps.create({ metadata: { name: 'before' } });
    await using fork = await plane.fork();
    assert.equal(fork.url, '');
    await plane.reset();
    await assert.rejects(maps.get('before'), isNotFound);
    assert.equal((await parts(fork).maps.get('before')).metadata.name, 'before');
  });

  it('webhooks of the test are called', async () => {
    await plane.serveWebhooks({
      admission: { '/validate': () => ({ allowed: false, message: 'nothing is allowed' }) },
      configurations: [
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: 'none' },
          webhooks: [
            {
              name: 'none.example.com',
              clientConfig: { service: { namespace: 'system', name: 'webhooks', path: '/validate' } },
              rules: [
                { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] },
              ],
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
            },
          ],
        },
      ],
    });
    const { secrets } = typed(createClient(plane.config), 'default').core.v1;
    await assert.rejects(secrets.create({ metadata: { name: 'a' } }), /nothing is allowed/);
  });

  it('requests fail after the stop', async () => {
    const other = await startControlPlane({ port: false, controllers: false });
    const { maps } = parts(other);
    await maps.list();
    await other.stop();
    await assert.rejects(maps.list(), /closed/);
  });
});
