import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { configMap, deployment, pod } from '@orch/registry/testing';
import { as, bindRole, causesOf, root, textsOf } from '../testing/explanations.ts';
import { ExplanationsFixture } from '../testing/explanations-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const jane = as('jane');
const guest = as('guest');

const about = (resource: string, name: string, rest = ''): string =>
  `/why/object?resource=${resource}&namespace=default&name=${name}${rest}`;

describe('explanations of objects', () => {
  let api: ExplanationsFixture;
  before(async () => {
    api = await ExplanationsFixture.open();
    const own = { verbs: ['get'], apiGroups: [''], resources: ['configmaps', 'pods'] };
    await bindRole(api, { role: 'reader', user: 'jane', rules: [own] });
  });
  after(() => api[Symbol.asyncDispose]());

  const create = (path: string, body: unknown) => api.post(path, body, root);
  const ask = (path: string, user = root) => api.get(path, user);

  it('an object that was never deleted is explained by that', async () => {
    await create(maps, configMap('plain'));
    assert.deepEqual(
      causesOf(await ask(about('configmaps', 'plain'))).map(({ type }) => type),
      ['NotDeleted'],
    );
  });

  it('finalizers are named, with the users who may remove them for clients that may read roles', async () => {
    await create(maps, configMap('held', {}, { finalizers: ['example.com/hold'] }));
    await api.delete(`${maps}/held`, undefined, root);
    const [full] = causesOf(await ask(about('configmaps', 'held')));
    assert.equal(full?.type, 'Finalizer');
    assert.match(full?.message ?? '', /example\.com\/hold/);
    assert.deepEqual(full?.where, { group: '', resource: 'configmaps', namespace: 'default', name: 'held' });
    assert.ok(full?.resolvedBy?.subjects.includes('Group "system:masters"'));
    const [half] = causesOf(await ask(about('configmaps', 'held'), jane));
    assert.equal(half?.message, full?.message);
    assert.deepEqual(half?.resolvedBy?.subjects, ['a cluster administrator']);
  });

  it('a client that may not get the object learns nothing, not even whether it exists', async () => {
    const refusals = await Promise.all(
      ['plain', 'absent'].map((name) => ask(about('configmaps', name), guest)),
    );
    for (const { status, json } of refusals) {
      assert.equal(status, 403);
      assert.match(json.message, /cannot get resource "configmaps"/);
    }
    assert.equal((await ask(about('configmaps', 'absent'))).status, 404);
    assert.equal((await ask(about('unicorns', 'absent'))).status, 404);
  });

  it('a permission in a namespace is none for objects of the cluster or of another namespace', async () => {
    const nodes = { verbs: ['get'], apiGroups: [''], resources: ['nodes', 'namespaces', 'secrets'] };
    await bindRole(api, { role: 'noder', user: 'nina', rules: [nodes] });
    await create('/api/v1/nodes', { metadata: { name: 'n1', finalizers: ['example.com/secret'] } });
    const nina = as('nina');
    for (const path of [
      '/why/object?resource=nodes&namespace=default&name=n1',
      '/why/object?resource=secrets&namespace=default&name=..%2Fother%2Fs',
      '/why/object?resource=configmaps&namespace=default%2Fplain&name=x',
    ]) {
      const { status, text } = await ask(path, nina);
      assert.ok(status === 403 || status === 404, path);
      assert.doesNotMatch(text, /example\.com/);
    }
    assert.equal((await ask('/why/object?resource=nodes&name=n1', nina)).status, 403);
    assert.equal((await ask('/why/object?resource=namespaces&name=default', nina)).status, 200);
  });

  it('owners are named, and whether they exist is reported to clients that may read them', async () => {
    const owner = (await create('/apis/apps/v1/namespaces/default/deployments', deployment('web'))).json;
    const reference = (uid: string) => [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid }];
    await create(maps, configMap('owned', {}, { ownerReferences: reference(owner.metadata.uid) }));
    await create(maps, configMap('stale', {}, { ownerReferences: reference('gone') }));
    assert.match(
      textsOf(await ask(about('configmaps', 'owned'))),
      /^Owner: .*Deployment "web": it is deleted with/m,
    );
    assert.match(textsOf(await ask(about('configmaps', 'stale'))), /^AbsentOwner: .*which does not exist/m);
    for (const name of ['owned', 'stale'])
      assert.match(textsOf(await ask(about('configmaps', name), jane)), /^Owner: .*which you may not read/m);
  });

  it('dependents that block a deletion in the foreground are listed as far as the client may list them', async () => {
    const owner = (await create(pods, pod('owner'))).json;
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'Pod', name: 'owner', uid: owner.metadata.uid, blockOwnerDeletion: true },
    ];
    await create(maps, configMap('dependent', {}, { ownerReferences }));
    await api.delete(`${pods}/owner`, { propagationPolicy: 'Foreground' }, root);
    await api.settled();
    const full = causesOf(await ask(about('pods', 'owner'))).filter(({ type }) => type === 'Dependent');
    assert.deepEqual(
      full.map(({ where }) => where?.name),
      ['dependent'],
    );
    const half = causesOf(await ask(about('pods', 'owner'), jane)).filter(({ type }) => type === 'Dependent');
    assert.deepEqual(
      half.map(({ where }) => where),
      [undefined],
    );
    assert.match(half[0]?.message ?? '', /may not read/);
  });

  it('webhooks that may refuse a deletion are named to clients that may read their configurations', async () => {
    const rule = { operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
    const webhook = {
      name: 'guard.example.com',
      clientConfig: { url: 'https://guard.example.com' },
      rules: [rule],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const group = api.names.group('admissionregistration');
    const path = `/apis/${group}/v1/validatingwebhookconfigurations`;
    await create(path, { metadata: { name: 'guard' }, webhooks: [webhook] });
    assert.match(
      textsOf(await ask(about('configmaps', 'plain'))),
      /Webhook: .*"guard\.example\.com" may refuse/,
    );
    const half = textsOf(await ask(about('configmaps', 'plain'), jane));
    assert.match(half, /Webhook: an admission webhook that you may not read may refuse the deletion/);
    assert.doesNotMatch(half, /guard/);
    assert.doesNotMatch(textsOf(await ask(about('pods', 'owner'))), /guard/);
    await api.delete(`${path}/guard`, undefined, root);
  });

  it('a server without the group of webhook configurations explains objects without webhooks', async () => {
    await using bare = await ExplanationsFixture.open({
      isEnabled: ({ group }) => group !== 'admissionregistration',
    });
    await bare.post(maps, configMap('plain'), root);
    assert.deepEqual(
      causesOf(await bare.get(about('configmaps', 'plain'), root)).map(({ type }) => type),
      ['NotDeleted'],
    );
  });

  it('a terminating namespace is explained by its conditions, its content and its finalizer', async () => {
    await create('/api/v1/namespaces', { metadata: { name: 'ending' } });
    await create('/api/v1/namespaces/ending/configmaps', configMap('a'));
    await create('/api/v1/namespaces/ending/secrets', { metadata: { name: 's' } });
    await api.delete('/api/v1/namespaces/ending', undefined, root);
    const conditions = [
      {
        type: 'NamespaceContentRemaining',
        status: 'True',
        reason: 'SomeResourcesRemain',
        message: 'secrets. has 1',
      },
      { type: 'NamespaceDeletionContentFailure', status: 'False', reason: 'ContentDeleted', message: '' },
    ];
    await api.patch('/api/v1/namespaces/ending/status', { status: { conditions } }, 'merge', root);
    await api.settled();
    const full = textsOf(await ask('/why/object?resource=namespaces&name=ending'));
    assert.match(
      full,
      /^NamespaceCondition: NamespaceContentRemaining \(SomeResourcesRemain\): secrets\. has 1$/m,
    );
    assert.match(full, /^NamespaceContent: the namespace contains 1 configmaps$/m);
    assert.match(full, /^NamespaceContent: the namespace contains 1 secrets$/m);
    assert.match(full, /^NamespaceFinalizer: /m);
    assert.doesNotMatch(full, /DeletionContentFailure|may not read/);
    const viewed = { verbs: ['get', 'list'], apiGroups: [''], resources: ['namespaces', 'configmaps'] };
    await bindRole(api, { role: 'viewer', user: 'vera', rules: [viewed], isClusterWide: true });
    const half = textsOf(await ask('/why/object?resource=namespaces&name=ending', as('vera')));
    assert.match(half, /contains 1 configmaps/);
    assert.match(half, /objects that you may not read/);
    assert.doesNotMatch(half, /contains 1 secrets/);
  });

  it('a refused deletion is part of the explanation for the user who requested it', async () => {
    await api.delete(`${maps}/plain`, undefined, jane);
    assert.match(textsOf(await ask(about('configmaps', 'plain'), jane)), /^RefusedRequest: .* with 403: /m);
    assert.match(textsOf(await ask(about('configmaps', 'plain'))), /^RefusedRequest: /m);
    await bindRole(api, { role: 'reader', user: 'joe', rules: [] });
    assert.doesNotMatch(textsOf(await ask(about('configmaps', 'plain'), as('joe'))), /RefusedRequest/);
  });
});

describe('explanations of fields', () => {
  let api: ExplanationsFixture;
  before(async () => {
    api = await ExplanationsFixture.open();
    await api.send('PATCH', `${pods}/web?fieldManager=team-a`, {
      ...root,
      contentType: 'application/apply-patch+yaml',
      body: pod('web', { terminationGracePeriodSeconds: 5 }, { labels: { 'example.com/app': 'web' } }),
    });
    await api.patch(
      `${pods}/web?fieldManager=team-b`,
      { metadata: { labels: { tier: 'front' } } },
      'merge',
      root,
    );
  });
  after(() => api[Symbol.asyncDispose]());

  const field = async (path: string, user = root) =>
    api.get(about('pods', 'web', `&field=${encodeURIComponent(path)}`), user);

  for (const [path, value, expected] of [
    ['.spec.terminationGracePeriodSeconds', 5, /^Manager: the manager "team-a" set it by Apply at 2024/],
    ['.metadata.labels["example.com/app"]', 'web', /^Manager: the manager "team-a"/],
    ['.metadata.labels.tier', 'front', /^Manager: the manager "team-b" set it by Update/],
    ['spec.containers[name=c].image', 'nginx', /^Manager: the manager "team-a"/],
    ['.spec.containers[0].image', 'nginx', /^Manager: the manager "team-a"/],
    ['.spec.restartPolicy', 'Always', /^NoManager: no manager owns it: the server set it/],
    ['.spec.nothing', undefined, /^NoManager: the object does not have the field/],
  ] as const)
    it(`the field ${path} is explained by its value and its manager`, async () => {
      const answer = await field(path);
      assert.deepEqual(answer.json.value, value);
      assert.match(textsOf(answer), expected);
    });

  it('a field whose parts have several managers names each of them', async () => {
    const text = textsOf(await field('.metadata.labels'));
    assert.match(text, /"team-a"/);
    assert.match(text, /"team-b"/);
  });

  it('the write of a field is named with its user and audit id, for clients that may see the request', async () => {
    assert.match(
      textsOf(await field('.metadata.labels.tier')),
      /^Write: the last write of the manager "team-b" was that of the user "root" at .*audit id /m,
    );
    await bindRole(api, {
      role: 'reader',
      user: 'jane',
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    });
    const half = textsOf(await field('.metadata.labels.tier', jane));
    assert.match(half, /^Manager: the manager "team-b"/);
    assert.doesNotMatch(half, /Write|root/);
  });

  /** The resourceVersions of the writes that explain a field of a pod. */
  const writesOf = async (name: string, path: string): Promise<readonly string[]> => {
    const text = textsOf(await api.get(about('pods', name, `&field=${encodeURIComponent(path)}`), root));
    return [...text.matchAll(/^Write: .*, resourceVersion (\d+), /gm)].map(([, version = '']) => version);
  };
  const image = '.spec.containers[name=c].image';

  it('objects that one manager created in the same second are explained by their own creations', async () => {
    for (const name of ['first', 'second']) {
      const { json } = await api.post(`${pods}?fieldManager=maker`, pod(name), root);
      assert.deepEqual(await writesOf(name, image), [json.metadata.resourceVersion]);
    }
    const { json } = await api.post(
      `${pods}?fieldManager=maker`,
      { ...pod('x'), metadata: { generateName: 'made-' } },
      root,
    );
    assert.deepEqual(await writesOf(json.metadata.name, image), [json.metadata.resourceVersion]);
    assert.equal((await writesOf('first', image)).length, 1);
  });

  it('a write of a subresource, of another manager or as a dry run is not that of a field', async () => {
    const { json } = await api.post(`${pods}?fieldManager=maker`, pod('stated'), root);
    const at = `${pods}/stated`;
    const status = { status: { message: 'm' } };
    const { json: stated } = await api.patch(`${at}/status?fieldManager=maker`, status, 'merge', root);
    await api.patch(`${at}?fieldManager=other`, { metadata: { labels: { a: 'b' } } }, 'merge', root);
    const labels = { metadata: { labels: { c: 'd' } } };
    assert.equal((await api.patch(`${at}?fieldManager=maker&dryRun=All`, labels, 'merge', root)).status, 200);
    assert.equal((await api.post(`${pods}?fieldManager=maker`, pod('stated'), root)).status, 409);
    assert.deepEqual(await writesOf('stated', image), [json.metadata.resourceVersion]);
    assert.deepEqual(await writesOf('stated', '.status.message'), [stated.metadata.resourceVersion]);
  });

  it('no write is named when several may be the last one of a manager', async () => {
    await api.post(`${pods}?fieldManager=maker`, pod('twice'), root);
    await api.patch(`${pods}/twice?fieldManager=maker`, { metadata: { labels: { a: 'b' } } }, 'merge', root);
    assert.deepEqual(await writesOf('twice', image), []);
  });

  it('no write is named when its target is too long to show the manager', async () => {
    const selector = `unknown=${'x'.repeat(600)}`;
    const { status } = await api.post(`${pods}?${selector}&fieldManager=maker`, pod('long'), root);
    assert.equal(status, 201);
    assert.match(textsOf(await api.get(about('pods', 'long', `&field=${image}`), root)), /^Manager: /m);
    assert.deepEqual(await writesOf('long', image), []);
  });

  for (const path of ['', '.', '[0]', '.a..b', '.a[', `.${'a'.repeat(2000)}`, '.a["b]'])
    it(`the path ${JSON.stringify(path.slice(0, 20))} is not answered with a server error`, async () => {
      const { status } = await field(path);
      assert.equal(status, path === '' ? 200 : 400);
    });
});
