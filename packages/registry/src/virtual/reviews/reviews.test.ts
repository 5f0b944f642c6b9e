import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes, defineResource, ObjectMeta, type ResourceType, strategyOf } from '@orch/apis';
import {
  type Attributes,
  type Authorizer,
  type Credentials,
  everythingListed,
  type RuleListing,
  type UserInfo,
} from '@orch/auth';
import { fieldError, namesFor } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import {
  codecCompiler,
  EnvelopeWriter,
  f,
  messageField,
  move,
  openEnvelope,
  protobufCompiler,
  type StructSchema,
  struct,
  within,
} from '@orch/schema';
import { RegistryFixture } from '../../testing/registry-fixture.ts';

const names = namesFor('orch');

const attributes = {
  resourceAttributes: f.struct(
    1,
    struct('t.ResourceAttributes', '', {
      namespace: f.string(1),
      verb: f.string(2),
      group: f.string(3),
      resource: f.string(5),
      subresource: f.string(6),
      name: f.string(7),
    }),
    { presence: 'pointer' },
  ),
  nonResourceAttributes: f.struct(
    2,
    struct('t.PathAttributes', '', { path: f.string(1), verb: f.string(2) }),
    {
      presence: 'pointer',
    },
  ),
} as const;
const specOf = (name: string, groups: string): StructSchema =>
  struct(`t.${name}Spec`, '', {
    ...attributes,
    user: f.string(3),
    [groups]: f.list(4, { kind: 'scalar', type: 'string' }),
    extra: f.map(5, { kind: 'list', items: { kind: 'scalar', type: 'string' } }),
    uid: f.string(6),
  });
const AccessStatus = struct('t.AccessStatus', '', {
  allowed: f.bool(1, { presence: 'always' }),
  denied: f.bool(4),
  reason: f.string(2),
  evaluationError: f.string(3),
});
const review = (name: string, spec: StructSchema, status: StructSchema): StructSchema =>
  struct(
    `t.${name}`,
    '',
    {
      metadata: f.struct(1, ObjectMeta, { presence: 'always' }),
      spec: f.struct(2, spec, { presence: 'always' }),
      status: f.struct(3, status, { presence: 'always' }),
    },
    { typeMeta: true },
  );
const SubjectReview = review('SubjectReview', specOf('Subject', 'groups'), AccessStatus);

const row = (
  group: string,
  kind: string,
  schema: StructSchema,
  rest: Partial<ResourceType> = {},
): ResourceType =>
  defineResource({
    group,
    resource: `${kind.toLowerCase()}s`,
    kind,
    namespaced: false,
    verbs: ['create'],
    virtual: true,
    versions: [{ version: 'v1', schema }],
    strategy: strategyOf({ resetStatus: true }),
    ...rest,
  });

const rows: readonly ResourceType[] = [
  row('authorization', 'SubjectAccessReview', SubjectReview, {
    versions: [
      { version: 'v1', schema: SubjectReview },
      {
        version: 'v1beta1',
        schema: review('OldSubjectReview', specOf('OldSubject', 'group'), AccessStatus),
        lens: within('spec', move('group', 'groups')),
        deprecated: '1.19',
      },
    ],
    strategy: strategyOf({
      resetStatus: true,
      validate: ({ spec }) => {
        const { user, groups } = isJsonObject(spec) ? spec : {};
        return user === undefined && groups === undefined ? [fieldError.required('spec.user')] : [];
      },
    }),
  }),
  row(
    'authorization',
    'LocalSubjectAccessReview',
    review('LocalReview', specOf('Local', 'groups'), AccessStatus),
    {
      namespaced: true,
    },
  ),
  row(
    'authorization',
    'SelfSubjectAccessReview',
    review('SelfReview', struct('t.SelfSpec', '', attributes), AccessStatus),
  ),
  row(
    'authorization',
    'SelfSubjectRulesReview',
    review(
      'RulesReview',
      struct('t.RulesSpec', '', { namespace: f.string(1) }),
      struct('t.RulesStatus', '', {
        resourceRules: f.list(1, { kind: 'scalar', type: 'json' }, { presence: 'always' }),
        nonResourceRules: f.list(2, { kind: 'scalar', type: 'json' }, { presence: 'always' }),
        incomplete: f.bool(3, { presence: 'always' }),
        evaluationError: f.string(4),
      }),
    ),
  ),
  row(
    'authentication',
    'TokenReview',
    review(
      'TokenReview',
      struct('t.TokenSpec', '', { token: f.string(1) }),
      struct('t.TokenStatus', '', {
        authenticated: f.bool(1),
        user: f.json(2),
        error: f.string(3),
      }),
    ),
  ),
  row(
    'authentication',
    'SelfSubjectReview',
    review(
      'SelfSubjectReview',
      struct('t.NoSpec', '', {}),
      struct('t.WhoStatus', '', { userInfo: f.json(1) }),
    ),
  ),
];

/** Tokens are names; `anna` has groups and extra fields. `broken` breaks the authenticator. */
const authenticate = ({ headers }: Credentials) => {
  const token = headers.authorization?.replace('Bearer ', '') ?? 'anna';
  if (token === 'wrong') return { kind: 'rejected', reason: 'a secret of the log' } as const;
  if (token === 'unknown') return { kind: 'none' } as const;
  if (token === 'nobody')
    return { kind: 'user', user: { name: names.users.anonymous, uid: '', groups: [], extra: {} } } as const;
  return {
    kind: 'user',
    user: { name: token, uid: `uid-${token}`, groups: ['people'], extra: { team: ['a', 'b'] } },
  } as const;
};

class Rules implements Authorizer {
  readonly asked: Attributes[] = [];

  rules({ name }: UserInfo): RuleListing {
    return name === 'root'
      ? everythingListed
      : { resourceRules: [], pathRules: [], incomplete: ['it does not list them'] };
  }

  authorize(attributes: Attributes) {
    const isReview = attributes.isResource && attributes.resource.endsWith('reviews');
    if (isReview) return { verdict: 'allow', reason: '' } as const;
    this.asked.push(attributes);
    const { name } = attributes.user;
    if (name === 'broken') throw new Error('the authorizer is out of order');
    if (name === 'root') return { verdict: 'allow', reason: 'root may' } as const;
    if (name === 'villain') return { verdict: 'deny', reason: 'never' } as const;
    return attributes.verb === 'get'
      ? ({ verdict: 'allow', reason: '' } as const)
      : ({ verdict: 'noOpinion', reason: 'no rule' } as const);
  }
}

const open = async () => {
  const authorizer = new Rules();
  const api = await RegistryFixture.open({
    release: '1.24',
    types: [...builtinTypes.filter(({ resource }) => resource === 'namespaces'), ...rows],
    access: { authenticator: { authenticate }, authorizer },
  });
  return { api, authorizer, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
};

const authorization = '/apis/authorization.orch.io';
const authentication = '/apis/authentication.orch.io/v1';
const request = (verb: string) => ({ verb, group: 'apps', resource: 'gadgets', namespace: 'n', name: 'g' });

describe('access reviews', () => {
  for (const [user, verb, status] of [
    ['root', 'delete', { allowed: true, reason: 'root may' }],
    ['anna', 'get', { allowed: true }],
    ['anna', 'delete', { allowed: false, reason: 'no rule' }],
    ['villain', 'get', { allowed: false, denied: true, reason: 'never' }],
    ['broken', 'get', { allowed: false, evaluationError: 'the authorizer is out of order' }],
  ] as const) {
    it(`an access review reports whether ${user} may ${verb}`, async () => {
      await using fixture = await open();
      const spec = { user, groups: ['g'], uid: 'u', extra: { k: ['v'] }, resourceAttributes: request(verb) };
      const answer = await fixture.api.post(`${authorization}/v1/subjectaccessreviews`, {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.orch.io/v1',
        spec,
        status: { allowed: true, reason: 'always allowed' },
      });
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual([answer.json.spec, answer.json.status], [spec, status]);
      assert.deepEqual(fixture.authorizer.asked.at(-1), {
        user: { name: user, uid: 'u', groups: ['g'], extra: { k: ['v'] } },
        isResource: true,
        version: '',
        subresource: '',
        ...request(verb),
      });
    });
  }

  it('older versions of access reviews are served with a warning', async () => {
    await using fixture = await open();
    const spec = { user: 'anna', group: ['one'], nonResourceAttributes: { path: '/healthz', verb: 'get' } };
    const answer = await fixture.api.post(`${authorization}/v1beta1/subjectaccessreviews`, { spec });
    assert.deepEqual([answer.status, answer.json.apiVersion], [201, 'authorization.orch.io/v1beta1']);
    assert.deepEqual([answer.json.spec, answer.json.status], [spec, { allowed: true }]);
    assert.match(String(answer.headers['Warning']), /use authorization\.orch\.io\/v1 SubjectAccessReview/);
    const [asked] = fixture.authorizer.asked;
    assert.deepEqual(asked?.user.groups, ['one']);
    assert.equal(asked?.isResource === false && asked.path, '/healthz');
  });

  it('access reviews are validated, served in Protobuf and YAML, and support only create', async () => {
    await using fixture = await open();
    const path = `${authorization}/v1/subjectaccessreviews`;
    const nobody = await fixture.api.post(path, { spec: { resourceAttributes: request('get') } });
    assert.deepEqual([nobody.status, nobody.json.details.causes[0].field], [422, 'spec.user']);
    const nothing = await fixture.api.post(path, { spec: { user: 'anna' } });
    assert.equal(nothing.status, 400);
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
      assert.equal((await fixture.api.send(method, path)).status, 405, method);

    const codec = protobufCompiler(names).compile(SubjectReview);
    const media = names.mediaTypes.protobuf;
    const message = messageField(codec, { spec: { user: 'root', resourceAttributes: request('delete') } });
    const body = new EnvelopeWriter('SubjectAccessReview', 'authorization.orch.io/v1').wrap(message);
    const packed = await fixture.api.post(path, body, { contentType: media, accept: media });
    const { raw } = openEnvelope(packed.bytes);
    const { status } = codecCompiler(names).compile(SubjectReview).decode(codec.decode(raw)).value;
    assert.deepEqual(status, { allowed: true, reason: 'root may' });
    const yaml = await fixture.api.post(path, 'spec: {user: root, resourceAttributes: {verb: get}}', {
      contentType: 'application/yaml',
      accept: 'application/yaml',
    });
    assert.match(yaml.text, /allowed: true/);
  });

  it('a self access review uses the user of the request', async () => {
    await using fixture = await open();
    const answer = await fixture.api.post(
      `${authorization}/v1/selfsubjectaccessreviews`,
      { spec: { resourceAttributes: request('list'), user: 'root' } },
      { headers: { authorization: 'Bearer villain' } },
    );
    assert.deepEqual(answer.json.status, { allowed: false, denied: true, reason: 'never' });
    assert.equal(fixture.authorizer.asked[0]?.user.name, 'villain');
  });

  it('a local access review refuses other namespaces', async () => {
    await using fixture = await open();
    const path = (namespace: string) =>
      `${authorization}/v1/namespaces/${namespace}/localsubjectaccessreviews`;
    const spec = { user: 'anna', resourceAttributes: request('get') };
    const inside = await fixture.api.post(path('n'), { spec });
    assert.deepEqual([inside.status, inside.json.metadata.namespace], [201, 'n']);
    assert.equal((await fixture.api.post(path('m'), { spec })).status, 400);
    const paths = { user: 'anna', nonResourceAttributes: { path: '/', verb: 'get' } };
    assert.equal((await fixture.api.post(path('n'), { spec: paths })).status, 400);
    const other = await fixture.api.post(path('n'), { metadata: { namespace: 'm' }, spec });
    assert.equal(other.status, 400);
    assert.equal(
      (await fixture.api.post(`${authorization}/v1/localsubjectaccessreviews`, { spec })).status,
      404,
    );
  });

  it('a rules review lists the rules of the authorizer and whether they are incomplete', async () => {
    await using fixture = await open();
    const postReview = async (user: string, namespace = 'n') =>
      fixture.api.post(
        `${authorization}/v1/selfsubjectrulesreviews`,
        { spec: { namespace } },
        { headers: { authorization: `Bearer ${user}` } },
      );
    const root = (await postReview('root')).json;
    assert.deepEqual(root.spec, {}, 'the answer does not repeat the question');
    assert.deepEqual(root.status, {
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    });
    const { status } = (await postReview('anna')).json;
    assert.deepEqual([status.resourceRules, status.nonResourceRules, status.incomplete], [null, null, true]);
    assert.equal(status.evaluationError, 'it does not list them');
    assert.equal((await postReview('root', '')).status, 400);
  });
});

describe('token reviews and self subject reviews', () => {
  const user = (name: string) => ({
    username: name,
    uid: `uid-${name}`,
    groups: ['people'],
    extra: { team: ['a', 'b'] },
  });

  for (const [token, status] of [
    ['bert', { authenticated: true, user: user('bert') }],
    ['wrong', { error: 'invalid bearer token' }],
    ['unknown', {}],
    ['nobody', {}],
  ] as const) {
    it(`a token review of the token of ${token}`, async () => {
      await using fixture = await open();
      const answer = await fixture.api.post(`${authentication}/tokenreviews`, { spec: { token } });
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual(answer.json.status, status);
    });
  }

  it('a token review without a token is refused', async () => {
    await using fixture = await open();
    assert.equal((await fixture.api.post(`${authentication}/tokenreviews`, { spec: {} })).status, 400);
  });

  it('a self subject review returns the authenticated user, regardless of the body', async () => {
    await using fixture = await open();
    const answer = await fixture.api.post(
      `${authentication}/selfsubjectreviews`,
      { status: { userInfo: user('root') } },
      { headers: { authorization: 'Bearer carla' } },
    );
    assert.deepEqual([answer.status, answer.json.status.userInfo], [201, user('carla')]);
  });
});

describe('virtual resources', () => {
  it('a virtual resource without a handler is a TypeError at startup', async () => {
    const types = [
      ...builtinTypes.filter(({ resource }) => resource === 'namespaces'),
      row('apps', 'Riddle', SubjectReview),
    ];
    await assert.rejects(RegistryFixture.open({ types }), /no handler for apps\/v1 riddles/);
  });
});
