import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { eventually, testEnv } from '@orch/machinery/testing';
import { prefixRange, readable, type Store } from '@orch/storage';
import { openEtcdStore } from '@orch/storage/etcd';
import { type EtcdCluster, startEtcd, type TempDir, tempDir } from '@orch/storage/testing';
import { ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const { signal } = new AbortController();
const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const names = namesFor('kubernetes');
const rbac = `/apis/${names.apiVersion('rbac', 'v1')}`;
const definitions = `/apis/${names.apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;
const admission = `/apis/${names.apiVersion('admissionregistration', 'v1')}`;
const inDefault = (resource: string): string => `/api/v1/namespaces/default/${resource}`;
const broken = Buffer.from('{"kind":');
const LONG_MS = 60_000;

function expect(code: number, answer: ApiResponse): ApiResponse {
  assert.equal(answer.status, code, answer.text);
  return answer;
}

/** Replaces the bytes of a stored object, and returns those of before. */
async function overwrite(store: Store, key: string, value: Buffer): Promise<Buffer> {
  const { kv } = await store.get(`/registry/${key}`, signal);
  assert.ok(kv !== undefined, `${key} is stored`);
  const before = Buffer.from(readable(kv).value);
  const write = { op: 'update', key: kv.key, value, expected: kv.modRevision } as const;
  assert.ok((await store.commit(write, signal)).ok);
  return before;
}

describe('unreadable objects in etcd below a running server', { timeout: 300_000 }, () => {
  let etcd: EtcdCluster;
  let store: Store;
  let work: TempDir;
  let server: LaunchedServer;
  const launch = () =>
    launchServer({
      program: 'orch',
      naming: 'kubernetes',
      etcd: etcd.endpoints,
      certDir: join(work.path, 'certs'),
      args: ['--runtime-config=api/all=true', '--enable-bootstrap-token-auth=true'],
    });
  before(async () => {
    etcd = await startEtcd();
    store = await openEtcdStore({ endpoints: etcd.endpoints, env: testEnv() });
    work = await tempDir('orch-unreadable-');
    server = await launch();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await store?.close();
    await etcd?.[Symbol.asyncDispose]();
    await work?.[Symbol.asyncDispose]();
  });

  const create = async (path: string, object: object): Promise<void> => {
    expect(201, await server.client.post(path, object));
  };
  const withToken = (token: string): ApiClient =>
    new ApiClient({ ...server.config, cert: undefined, key: undefined, token });
  const becomes = (code: number, ask: () => Promise<ApiResponse>): Promise<ApiResponse> =>
    eventually(ask, ({ status }) => status === code, LONG_MS);

  it('an unreadable role, binding, account or secret grants nothing until it is readable again', async () => {
    await create(inDefault('serviceaccounts'), { metadata: { name: 'robot' } });
    const roleRef = { apiGroup: names.group('rbac'), kind: 'Role', name: 'reader' };
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    await create(`${rbac}/namespaces/default/roles`, { metadata: { name: 'reader' }, rules });
    const subjects = [{ kind: 'ServiceAccount', namespace: 'default', name: 'robot' }];
    await create(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef,
      subjects,
    });
    const annotations = { [names.annotations.serviceAccountName]: 'robot' };
    const type = names.secretTypes.serviceAccountToken;
    await create(inDefault('secrets'), { metadata: { name: 'robot', annotations }, type });
    const secret = await eventually(
      async () => (await server.client.get(`${inDefault('secrets')}/robot`)).json as Secret,
      ({ data }) => data?.token !== undefined,
      LONG_MS,
    );
    using robot = withToken(Buffer.from(secret.data?.token ?? '', 'base64').toString());
    const list = (): Promise<ApiResponse> => robot.get(inDefault('configmaps'));
    await becomes(200, list);
    for (const [key, code] of [
      ['rolebindings.rbac/default/reader', 403],
      ['roles.rbac/default/reader', 403],
      ['serviceaccounts/default/robot', 401],
      ['secrets/default/robot', 401],
    ] as const) {
      const bytes = await overwrite(store, key, broken);
      await becomes(code, list);
      await overwrite(store, key, bytes);
      await becomes(200, list);
    }
  });

  it('an unreadable bootstrap token authenticates no client until it is readable again', async () => {
    const { system } = names.namespaces;
    const data = {
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-authentication': 'true',
    };
    await create(`/api/v1/namespaces/${system}/secrets`, {
      metadata: { name: 'bootstrap-token-abcdef' },
      type: names.secretTypes.bootstrapToken,
      stringData: data,
    });
    using joining = withToken('abcdef.0123456789abcdef');
    const ask = (): Promise<ApiResponse> => joining.get('/api/v1/nodes');
    await becomes(403, ask);
    const bytes = await overwrite(store, `secrets/${system}/bootstrap-token-abcdef`, broken);
    await becomes(401, ask);
    await overwrite(store, `secrets/${system}/bootstrap-token-abcdef`, bytes);
    await becomes(403, ask);
  });

  it('an unreadable admission policy, binding or parameter refuses writes until it is readable again', async () => {
    const matchConstraints = {
      resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    };
    await create(inDefault('configmaps'), { metadata: { name: 'params' } });
    await create(`${admission}/validatingadmissionpolicies`, {
      metadata: { name: 'p' },
      spec: {
        matchConstraints,
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [{ expression: 'true' }],
      },
    });
    const paramRef = { name: 'params', namespace: 'default', parameterNotFoundAction: 'Allow' };
    const spec = { policyName: 'p', paramRef, validationActions: ['Deny'] };
    await create(`${admission}/validatingadmissionpolicybindings`, { metadata: { name: 'b' }, spec });
    const mutations = [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: 'Object{}' },
      },
    ];
    await create(`${admission}/mutatingadmissionpolicies`, {
      metadata: { name: 'm' },
      spec: { matchConstraints, mutations, reinvocationPolicy: 'Never' },
    });
    await create(`${admission}/mutatingadmissionpolicybindings`, {
      metadata: { name: 'n' },
      spec: { policyName: 'm' },
    });
    const write = (): Promise<ApiResponse> =>
      server.client.post(`${inDefault('configmaps')}?dryRun=All`, { metadata: { name: 'c' } });
    await becomes(201, write);
    for (const key of [
      'validatingadmissionpolicies.admissionregistration/p',
      'validatingadmissionpolicybindings.admissionregistration/b',
      'mutatingadmissionpolicies.admissionregistration/m',
      'mutatingadmissionpolicybindings.admissionregistration/n',
      'configmaps/default/params',
    ]) {
      const bytes = await overwrite(store, key, broken);
      const refused = await eventually(write, ({ status }) => status !== 201, LONG_MS);
      assert.match(refused.text, /cannot be read/, key);
      assert.ok(refused.status >= 400, refused.text);
      await overwrite(store, key, bytes);
      await becomes(201, write);
    }
  });

  it('the usage in a quota counts no less while an object cannot be read', async () => {
    await create('/api/v1/namespaces', { metadata: { name: 'counted' } });
    const path = '/api/v1/namespaces/counted/';
    await create(`${path}resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { secrets: '2' } } });
    for (const name of ['a', 'b']) {
      const made = await becomes(201, () => server.client.post(`${path}secrets`, { metadata: { name } }));
      assert.ok(made.text.includes(name));
    }
    const refused = (): Promise<ApiResponse> =>
      server.client.post(`${path}secrets?dryRun=All`, { metadata: { name: 'c' } });
    await becomes(403, refused);
    const bytes = await overwrite(store, 'secrets/counted/a', broken);
    // A change of the limits makes the controller count again.
    const contentType = 'application/merge-patch+json';
    const body = { spec: { hard: { secrets: '2', configmaps: '9' } } };
    expect(200, await server.client.send('PATCH', `${path}resourcequotas/q`, { body, contentType }));
    for (let times = 0; times < 5; times++) assert.notEqual((await refused()).status, 201);
    await overwrite(store, 'secrets/counted/a', bytes);
    assert.equal((await becomes(403, refused)).status, 403);
  });

  it('why answers about an unreadable object with its error, and about others as before', async () => {
    await create(inDefault('configmaps'), { metadata: { name: 'told' }, data: { a: 'b' } });
    const why = '/why/object?resource=configmaps&namespace=default&name=told';
    expect(200, await server.client.get(why));
    const bytes = await overwrite(store, 'configmaps/default/told', broken);
    for (const path of [why, `${why}&field=.data.a`]) {
      const { text } = expect(500, await server.client.get(path));
      assert.match(text, /the stored object told of configmaps cannot be read: /);
    }
    await overwrite(store, 'configmaps/default/told', bytes);
    expect(200, await server.client.get(why));
    assert.ok((await server.client.get(`${inDefault('configmaps')}/told`)).text.includes('"a":"b"'));
  });

  it('a namespace, and the objects of a kind, stay while the definition of the kind cannot be read or is gone', async () => {
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object' } },
    };
    const kind = { group: 'gone.io', scope: 'Namespaced', names: { plural: 'lost', kind: 'Lost' } };
    const definition = { metadata: { name: 'lost.gone.io' }, spec: { ...kind, versions: [version] } };
    await create(definitions, definition);
    await create('/api/v1/namespaces', { metadata: { name: 'held' } });
    const lost = '/apis/gone.io/v1/namespaces/held/lost';
    const object = { apiVersion: 'gone.io/v1', kind: 'Lost', metadata: { name: 'o' } };
    const { json } = await becomes(201, () => server.client.post(lost, object));
    const { uid } = (json as { metadata: { uid: string } }).metadata;
    const ownerReferences = [{ apiVersion: 'gone.io/v1', kind: 'Lost', name: 'o', uid }];
    const dependent = '/api/v1/namespaces/held/configmaps/dependent';
    await create('/api/v1/namespaces/held/configmaps', { metadata: { name: 'dependent', ownerReferences } });
    const key = 'customresourcedefinitions.apiextensions/lost.gone.io';
    const bytes = await overwrite(store, key, broken);
    await server.stop();
    await server[Symbol.asyncDispose]();
    server = await launch();
    // The kind is currently not served: its content of the namespace is unknown.
    expect(404, await server.client.get(`${lost}/o`));
    expect(200, await server.client.get(dependent));
    expect(200, await server.client.delete('/api/v1/namespaces/held'));
    const text = await eventually(
      async () => expect(200, await server.client.get('/api/v1/namespaces/held')).text,
      (text) => /"NamespaceDeletionDiscoveryFailure"[^}]*"status":"True"/.test(text),
      LONG_MS,
    );
    assert.match(text, /customresourcedefinitions\.[a-z.0-9]+: [^"]*lost\.gone\.io/);
    assert.ok((await store.get('/registry/lost.gone.io/held/o', signal)).kv !== undefined);
    await overwrite(store, key, bytes);
    await becomes(404, () => server.client.get('/api/v1/namespaces/held'));
    assert.equal((await store.get('/registry/lost.gone.io/held/o', signal)).kv, undefined);
  });

  it('dependents of an owner stay when its definition was deleted in the store, and the owner is back with the definition', async () => {
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object' } },
    };
    const kind = { group: 'away.io', scope: 'Namespaced', names: { plural: 'aways', kind: 'Away' } };
    const definition = { metadata: { name: 'aways.away.io' }, spec: { ...kind, versions: [version] } };
    await create(definitions, definition);
    const aways = '/apis/away.io/v1/namespaces/default/aways';
    const object = { apiVersion: 'away.io/v1', kind: 'Away', metadata: { name: 'o', labels: { l: 'v' } } };
    const { json } = await becomes(201, () => server.client.post(aways, object));
    const { metadata } = json as { metadata: { uid: string } };
    const ownerReferences = [{ apiVersion: 'away.io/v1', kind: 'Away', name: 'o', uid: metadata.uid }];
    await create(inDefault('configmaps'), { metadata: { name: 'of-away', ownerReferences } });
    const key = '/registry/customresourcedefinitions.apiextensions/aways.away.io';
    const { kv } = await store.get(key, signal);
    assert.ok((await store.commit({ op: 'delete', key, expected: kv?.modRevision ?? 0 }, signal)).ok);
    await becomes(404, () => server.client.get(`${aways}/o`));
    await server.stop();
    await server[Symbol.asyncDispose]();
    server = await launch();
    // The collector works: it deletes a dependent of an owner that is certainly gone.
    await create(inDefault('configmaps'), { metadata: { name: 'owner' } });
    const owner = (await server.client.get(`${inDefault('configmaps')}/owner`)).json as {
      metadata: { uid: string };
    };
    const references = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }];
    await create(inDefault('configmaps'), { metadata: { name: 'of-owner', ownerReferences: references } });
    expect(200, await server.client.delete(`${inDefault('configmaps')}/owner`));
    await becomes(404, () => server.client.get(`${inDefault('configmaps')}/of-owner`));
    expect(200, await server.client.get(`${inDefault('configmaps')}/of-away`));
    await create(definitions, definition);
    const back = await becomes(200, () => server.client.get(`${aways}/o`));
    assert.deepEqual((back.json as { metadata: unknown }).metadata, metadata);
  });

  it('a server starts and becomes ready when no stored object can be read, and removes one on request', async () => {
    await server.stop();
    await server[Symbol.asyncDispose]();
    const keys: string[] = [];
    for await (const { items } of store.scan(prefixRange('/registry/'), {}, signal))
      keys.push(...items.map(({ key }) => key.slice('/registry/'.length)));
    assert.ok(keys.length > 100, String(keys.length));
    for (const key of keys) await overwrite(store, key, broken);
    server = await launchServer({
      naming: 'kubernetes',
      etcd: etcd.endpoints,
      certDir: join(work.path, 'certs'),
    });
    expect(200, await server.client.get('/readyz'));
    expect(500, await server.client.get('/api/v1/namespaces'));
    expect(200, await server.client.delete(`/api/v1/namespaces/counted?${OPTION}=true`));
    expect(404, await server.client.get('/api/v1/namespaces/counted'));
  });
});

interface Secret {
  readonly data?: { readonly token?: string };
}
