import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RequestRecord } from '@orch/pipeline';
import { configMap } from '@orch/registry/testing';
import type { Cause } from '../answer/cause.ts';
import type { Explanation } from '../explanation-routes.ts';
import type { PeerQuestion, Peers } from '../requests/peers.ts';
import { as, bindRole, causesOf, root, textsOf } from '../testing/explanations.ts';
import { ExplanationsFixture } from '../testing/explanations-fixture.ts';

const jane = as('jane');
const inDefault = '/why/access?namespace=default';

describe('explanations of access', () => {
  let api: ExplanationsFixture;
  before(async () => {
    api = await ExplanationsFixture.open();
    const pods = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };
    const one = { verbs: ['delete'], apiGroups: [''], resources: ['pods'], resourceNames: ['web'] };
    await bindRole(api, { role: 'pod-reader', user: 'jane', rules: [pods] });
    await bindRole(api, { role: 'web-deleter', user: 'jane', rules: [one] });
    await bindRole(api, { role: 'absent-role', user: 'jane', rules: [] });
  });
  after(() => api[Symbol.asyncDispose]());

  const ask = (path: string, user = jane) => api.get(path, user);

  it('an allowed operation names the rule, and its role to clients that may read it', async () => {
    const own = await ask(`${inDefault}&verb=list&resource=pods`);
    assert.equal(own.json.allowed, true);
    assert.match(
      textsOf(own),
      /^Allowed: the authorizer RBAC allows it$|^Allowed: an authorizer allows it$/m,
    );
    assert.match(
      textsOf(own),
      /^Rule: a role that you may not read, granted by a binding that you may not read, allows get, list of pods$/m,
    );
    assert.doesNotMatch(own.text, /pod-reader/);
    const full = textsOf(await ask(`${inDefault}&verb=list&resource=pods&user=jane`, root));
    assert.match(
      full,
      /^Rule: clusterroles\/pod-reader, granted to User "jane" by rolebindings\/pod-reader-jane in default, allows get, list of pods$/m,
    );
  });

  it('a refused operation names the rules that come close, and who may grant what is missing', async () => {
    const path = `${inDefault}&verb=delete&resource=pods&name=db`;
    const half = await ask(path);
    assert.equal(half.json.allowed, false);
    assert.match(textsOf(half), /allows only get, list of pods$/m);
    assert.match(textsOf(half), /allows only delete of pods named web$/m);
    assert.match(
      textsOf(half),
      /^MissingPermission: nothing allows "jane" to delete pods "db" in the namespace "default"$/m,
    );
    assert.doesNotMatch(half.text, /pod-reader|web-deleter|absent-role|system:masters/);
    const full = await ask(`${path}&user=jane`, root);
    assert.match(textsOf(full), /^MissingRole: .*clusterroles\/absent-role/m);
    const missing = causesOf(full).find(({ type }) => type === 'MissingPermission');
    assert.ok(missing?.resolvedBy?.subjects.includes('Group "system:masters"'));
  });

  it('the permissions of another user are explained only to those who may review them', async () => {
    assert.equal((await ask(`${inDefault}&verb=get&resource=pods&user=ann`)).status, 403);
    const rule = {
      verbs: ['create'],
      apiGroups: [api.names.group('authorization')],
      resources: ['subjectaccessreviews'],
    };
    await bindRole(api, { role: 'reviewer', user: 'rita', rules: [rule], isClusterWide: true });
    const half = await ask(`${inDefault}&verb=get&resource=pods&user=jane`, as('rita'));
    assert.equal(half.json.allowed, true);
    // A review would not tell which rules the other user has.
    assert.match(
      textsOf(half),
      /^Rule: a role that you may not read, granted by a binding that you may not read, allows it$/m,
    );
    assert.doesNotMatch(half.text, /get, list|pod-reader/);
  });

  it('a question about another user uses the groups that it names', async () => {
    const path = `${inDefault}&verb=delete&resource=secrets&user=ann`;
    assert.equal((await ask(path, root)).json.allowed, false);
    assert.equal((await ask(`${path}&userGroup=a&userGroup=system:masters`, root)).json.allowed, true);
  });

  it('paths are explained as resources are', async () => {
    assert.equal((await ask('/why/access?verb=get&path=/version')).json.allowed, true);
    const refused = await ask('/why/access?verb=get&path=/metrics');
    assert.equal(refused.json.allowed, false);
    assert.match(textsOf(refused), /^MissingPermission: nothing allows "jane" to get \/metrics$/m);
  });

  for (const query of ['', '?verb=get', '?resource=pods', '?verb=%E0%A4%A&resource=pods'])
    it(`the incomplete question ${JSON.stringify(query)} is a bad request`, async () => {
      assert.equal((await ask(`/why/access${query}`)).status, 400);
    });
});

describe('access to explanations', () => {
  let api: ExplanationsFixture;
  before(async () => {
    api = await ExplanationsFixture.open();
  });
  after(() => api[Symbol.asyncDispose]());

  it('authenticated users may ask, and anonymous ones may not', async () => {
    const anonymous = { headers: { 'x-user': 'system:anonymous', 'x-groups': 'system:unauthenticated' } };
    for (const path of ['/why/requests', '/why/access?verb=get&path=/version']) {
      assert.equal((await api.get(path, jane)).status, 200, path);
      assert.equal((await api.get(path, anonymous)).status, 403, path);
    }
  });

  it('the last hour of the metrics is for those who may read the metrics', async () => {
    const rules = [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }];
    await bindRole(api, { role: 'scraper', user: 'sam', rules, isClusterWide: true });
    assert.deepEqual((await api.get('/why/health', as('sam'))).json.points, []);
    const refused = await api.get('/why/health', jane);
    assert.equal(refused.status, 403);
    assert.match(refused.json.message, /"jane" cannot get path "\/metrics"/);
  });

  it('questions are reads: other methods are refused', async () => {
    assert.equal((await api.post('/why/access', {}, root)).status, 405);
    assert.equal((await api.delete('/why/requests', undefined, root)).status, 405);
  });
});

describe('explanations of requests', () => {
  let api: ExplanationsFixture;
  const asked: PeerQuestion[] = [];
  const maps = '/api/v1/namespaces/default/configmaps';
  before(async () => {
    api = await ExplanationsFixture.open({
      peers: {
        own: { id: 'here', host: 'host-1' },
        ask: async (question) => {
          asked.push(question);
          const { id, owner } = question;
          const host = owner === 'everyone' ? 'host-2' : '';
          // As a replica of a release that does not know whose records are sought.
          return [{ replica: { id: 'there', host }, records: api.records.withId(id, 'everyone') }];
        },
      },
    });
    await api.post(maps, configMap('taken'), root);
  });
  after(() => api[Symbol.asyncDispose]());

  it('a refusal of authorization is explained with what the rules allow now', async () => {
    await api.post(maps, configMap('x'), jane);
    const { json } = await api.get('/why/requests?is=refused', jane);
    assert.equal(json.requests.length, 1);
    const [refused] = json.requests;
    assert.equal(refused.code, 403);
    assert.deepEqual(
      refused.causes
        .map(({ type }: { readonly type: string }) => type)
        .filter((type: string) => type !== 'OtherRules'),
      ['Authorization', 'NoOpinion', 'MissingPermission'],
    );
    assert.ok(refused.stages.some((stage: object) => 'refused' in stage));
  });

  it('conflicts and invalid objects have separate causes', async () => {
    await api.post(maps, configMap('taken'), root);
    await api.post(maps, configMap('Not valid'), root);
    const { json } = await api.get('/why/requests?is=refused', root);
    const types = json.requests.map(
      ({ causes }: { readonly causes: readonly { type: string }[] }) => causes[0]?.type,
    );
    for (const type of ['Validation', 'Conflict']) assert.ok(types.includes(type), type);
  });

  it('a user does not see the requests of other users, and one with a permission for them does', async () => {
    const { json } = await api.get('/why/requests', jane);
    assert.ok(json.requests.every(({ user }: { readonly user: string }) => user === 'jane'));
    const all = await api.get('/why/requests', root);
    assert.ok(all.json.requests.some(({ user }: { readonly user: string }) => user === 'jane'));
    const path = { verbs: ['get'], nonResourceURLs: ['/why/requests/all'] };
    await bindRole(api, { role: 'auditor', user: 'olga', rules: [path], isClusterWide: true });
    const audited = await api.get('/why/requests', as('olga'));
    assert.ok(audited.json.requests.some(({ user }: { readonly user: string }) => user === 'root'));
  });

  it('users of deprecated versions are named with their programs, each to itself and to whoever may see all', async () => {
    const status = '/api/v1/componentstatuses/etcd-0';
    const agent = { 'user-agent': 'old/1.0' };
    const rules = [{ apiGroups: [''], resources: ['componentstatuses'], verbs: ['get'] }];
    await bindRole(api, { role: 'watcher', user: 'jane', rules, isClusterWide: true });
    for (let i = 0; i < 2; i++) await api.get(status, { headers: { ...root.headers, ...agent } });
    await api.get(status, jane);
    const { json } = await api.get('/why/requests?is=deprecated', root);
    assert.deepEqual(
      json.requests
        .map(({ user, causes }: { readonly user: string; readonly causes: readonly Cause[] }) => [
          user,
          causes[0]?.message,
        ])
        .sort(),
      [
        ['jane', 'v1 componentstatuses is deprecated; the user sent one request for it'],
        ['root', 'v1 componentstatuses is deprecated; the user sent 2 requests for it with old/1.0'],
      ],
    );
    const own = await api.get('/why/requests?is=deprecated', jane);
    assert.deepEqual(
      own.json.requests.map(({ user }: { readonly user: string }) => user),
      ['jane'],
    );
  });

  it('a request of another user is not found by its audit id, on any replica', async () => {
    const id = 'root-1';
    await api.get(`${maps}/taken`, { headers: { ...root.headers, 'audit-id': id } });
    assert.equal((await api.get(`/why/requests?id=${id}`, root)).json.requests.length, 2);
    const hidden = await api.get(`/why/requests?id=${id}`, jane);
    assert.deepEqual(hidden.json.requests, []);
    assert.deepEqual(hidden.json.replicas, ['here', 'there']);
  });

  it('hosts of replicas are named to users who may see all requests, and to others only ids', async () => {
    const path = '/why/requests?id=root-1';
    assert.deepEqual((await api.get(path, root)).json.replicas, ['host-1-here', 'host-2-there']);
    assert.deepEqual((await api.get(path, jane)).json.replicas, ['here', 'there']);
    await api.post(maps, configMap('z'), jane);
    for (const [user, name] of [
      [jane, 'here'],
      [root, 'host-1-here'],
    ] as const) {
      const { json } = await api.get('/why/requests', user);
      assert.ok(json.requests.length > 0);
      assert.ok(json.requests.every(({ replica }: { readonly replica: string }) => replica === name));
    }
  });

  it('a question to other replicas says whose requests the user may see, and anonymous users ask none', async () => {
    const path = '/why/requests?id=some-id';
    asked.length = 0;
    await api.get(path, jane);
    await api.get(path, root);
    assert.deepEqual(
      asked.map(({ owner }) => owner),
      [{ name: 'jane', uid: '' }, 'everyone'],
    );
    const visible = { verbs: ['get'], nonResourceURLs: ['/why/requests'] };
    const anonymous = 'system:anonymous';
    await bindRole(api, { role: 'asking', user: anonymous, rules: [visible], isClusterWide: true });
    const { status, json } = await api.get(path, as(anonymous));
    assert.deepEqual([status, json.requests, json.replicas], [200, [], ['here']]);
    assert.equal(asked.length, 2);
  });

  for (const [title, id] of [
    ['too long', 'x'.repeat(65)],
    ['as long as a path may be', 'x'.repeat(7000)],
    ['with other characters', 'a%2Fb'],
    ['with a line break', 'a%0A'],
  ] as const)
    it(`an id that no request can have (${title}) is a bad request, which asks no replica`, async () => {
      asked.length = 0;
      const { status, text } = await api.get(`/why/requests?id=${id}`, jane);
      assert.equal(status, 400);
      assert.ok(text.length < 1000);
      assert.equal(asked.length, 0);
    });

  it('impersonation shows the requests of the impersonated user', async () => {
    await api.post(maps, configMap('y'), jane);
    const asJane = { headers: { ...root.headers, 'impersonate-user': 'jane' } };
    const { json } = await api.get('/why/requests', asJane);
    assert.ok(json.requests.length > 0);
    assert.ok(json.requests.every(({ user }: { readonly user: string }) => user === 'jane'));
  });

  for (const is of ['nonsense', '__proto__', 'constructor'])
    it(`the filter ${is} is a bad request`, async () => {
      assert.equal((await api.get(`/why/requests?is=${is}`, root)).status, 400);
    });
});

describe('explanations of remembered times and refusals', () => {
  const record = (rest: object) => ({
    ...{
      id: 'r',
      receivedAt: 0,
      durationMs: 2000,
      code: 201,
      method: 'GET',
      target: '/version',
      isTargetCut: false,
      userAgent: '',
    },
    info: { isResource: false, verb: 'get', path: '/version' },
    user: { name: 'jane', uid: '', groups: [], extra: {} },
    timing: { authentication: 0, authorization: 1, queued: 0 },
    steps: [],
    ...rest,
  });
  const webhook = {
    stage: 'webhook',
    name: 'w.example.com',
    configuration: { resource: 'validatingwebhookconfigurations', name: 'hidden' },
    ms: 900,
    refused: false,
  };
  const flow = { schema: 'workloads', level: 'workload-low' };
  const times = { authentication: 300, authorization: 250, queued: 1200 };

  for (const [title, remembered, full, half] of [
    [
      'a wait in a queue names the priority level to users who may read it',
      { flow, timing: times },
      /^QueueWait: .* for 1200 ms of 2000 ms \(priority level workload-low\)\nAuthentication: .*300 ms.*\nAuthorization: .*250 ms/m,
      /^QueueWait: .* \(a priority level that you may not read\)/m,
    ],
    [
      'a refusal of flow control names the priority level to users who may read it',
      {
        flow,
        code: 429,
        durationMs: 1,
        failure: { reason: 'TooManyRequests', message: 'full', stage: 'flow control' },
      },
      /^FlowControl: flow control refused it: full \(priority level workload-low\)$/m,
      /^FlowControl: flow control refused it: full \(a priority level that you may not read\)$/m,
    ],
    [
      'the time of a webhook names it to users who may read its configuration',
      { steps: [webhook, { stage: 'store', name: 'create', ms: 400, refused: false }] },
      /^Webhook: .*900 ms of 2000 ms \(w\.example\.com of hidden\)\nStore: .*400 ms of 2000 ms \(create\)$/m,
      /^Webhook: .*900 ms of 2000 ms \(a webhook that you may not read\)$/m,
    ],
    [
      'a plugin that refused a request is named to everyone who may see the request',
      {
        code: 403,
        durationMs: 1,
        steps: [{ stage: 'admission', name: 'AlwaysDeny', ms: 0, refused: true }],
        failure: { reason: 'Forbidden', message: 'no', stage: 'admission' },
      },
      /^AdmissionPlugin: the admission plugin AlwaysDeny refused it: no$/m,
      /^AdmissionPlugin: the admission plugin AlwaysDeny refused it: no$/m,
    ],
  ] as const)
    it(title, async () => {
      const peers: Peers = {
        own: { id: 'a', host: '' },
        ask: async () => [
          { replica: { id: 'b', host: '' }, records: [record(remembered) as unknown as RequestRecord] },
        ],
      };
      await using api = await ExplanationsFixture.open({ peers });
      const textFor = async (user: typeof root): Promise<string> => {
        const { json } = await api.get('/why/requests?id=r', user);
        return json.requests
          .flatMap((one: Explanation) => one.causes.map((cause) => `${cause.type}: ${cause.message}`))
          .join('\n');
      };
      assert.match(await textFor(root), full);
      assert.match(await textFor(jane), half);
      assert.doesNotMatch(await textFor(jane), /hidden|workload-low/);
    });
});
