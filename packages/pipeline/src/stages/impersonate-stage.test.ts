import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attributes, Authenticator, Authorizer, UserInfo } from '@orch/auth';
import { namesFor, type Status } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { durationMs } from '@orch/machinery/time';
import { type ApiRequest, type BytesReply, localRequest } from '@orch/request';
import { createServer } from '../api-server.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

const sender: UserInfo = { name: 'alice', uid: '1', groups: ['admins'], extra: {} };
const authenticator: Authenticator = { authenticate: () => ({ kind: 'user', user: sender }) };

/** The object of the attributes as one string: `users/bob`, `userextras/scope=read`. */
const word = (authorized: Attributes): string => {
  if (!authorized.isResource) return authorized.path;
  const { group, resource, subresource, namespace, name } = authorized;
  const what = [group, namespace, resource, subresource].filter((part) => part !== '').join('/');
  return `${what}=${name}`;
};

/** Grants impersonation as `granted` decides, and everything else to all. */
function authorizerOf(
  granted: (word: string) => boolean,
  isLate: boolean,
): Authorizer & { authorized: string[] } {
  const authorized: string[] = [];
  return {
    authorized,
    authorize(attributes) {
      if (attributes.verb !== 'impersonate') return { verdict: 'allow', reason: '' };
      assert.equal(attributes.user, sender);
      authorized.push(word(attributes));
      const decision = granted(word(attributes))
        ? ({ verdict: 'allow', reason: '' } as const)
        : ({ verdict: 'noOpinion', reason: 'no rule' } as const);
      return isLate ? Promise.resolve(decision) : decision;
    },
  };
}

function requestOf(fields: Fields): ApiRequest {
  const repeated = new Map<string, readonly string[]>();
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    headers[name] = typeof value === 'string' ? value : value.join(', ');
    if (typeof value !== 'string') repeated.set(name, value);
  }
  return Object.assign(localRequest({ target: '/api/v1/pods', headers }), { repeated });
}

async function sendRequest(fields: Fields, granted: (word: string) => boolean = () => true, isLate = false) {
  const seen: UserInfo[] = [];
  const env = testEnv();
  const authorizer = authorizerOf(granted, isLate);
  const server = createServer({
    env,
    names: namesFor('orch'),
    authenticator,
    authorizer,
    resources({ user }) {
      seen.push(user);
      return { kind: 'bytes', status: 200, headers: {}, body: Buffer.from('{}') };
    },
    servesResource: () => true,
    routes: [],
    apiPaths: () => [],
    requestTimeoutMs: 60_000,
    maxRequestsInflight: 0,
    maxMutatingRequestsInflight: 0,
    parseDuration: durationMs,
  });
  const reply = (await server.handle(requestOf(fields))) as BytesReply;
  const status = JSON.parse(reply.body.toString()) as Status;
  return {
    code: reply.status,
    status,
    user: seen[0],
    authorized: authorizer.authorized,
    entries: env.entries,
  };
}

const authentication = 'authentication.orch.io';

describe('impersonation of other users', () => {
  for (const [what, fields, expected] of [
    ['nobody else', {}, sender],
    ['a user', { 'impersonate-user': 'bob' }, { name: 'bob', groups: ['system:authenticated'] }],
    [
      'a user in groups, in which commas separate nothing',
      { 'impersonate-user': 'bob', 'impersonate-group': ['dev', 'a, b'] },
      { name: 'bob', groups: ['dev', 'a, b', 'system:authenticated'] },
    ],
    [
      'a user with an uid',
      { 'impersonate-user': 'bob', 'impersonate-uid': '42' },
      { name: 'bob', uid: '42', groups: ['system:authenticated'] },
    ],
    [
      'a user with extras, percent-decoded',
      {
        'impersonate-user': 'bob',
        'impersonate-extra-acme.com%2fproject': ['a', 'b'],
        'impersonate-extra-r%c3%b6le': 'x',
        'impersonate-extra-100%': 'y',
      },
      {
        name: 'bob',
        groups: ['system:authenticated'],
        extra: { 'acme.com/project': ['a', 'b'], röle: ['x'], '100%': ['y'] },
      },
    ],
    [
      'a service account, in its own groups',
      { 'impersonate-user': 'system:serviceaccount:ns:sa' },
      {
        name: 'system:serviceaccount:ns:sa',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
      },
    ],
    [
      'a service account in groups of choice',
      { 'impersonate-user': 'system:serviceaccount:ns:sa', 'impersonate-group': 'dev' },
      { name: 'system:serviceaccount:ns:sa', groups: ['dev', 'system:authenticated'] },
    ],
    [
      'anonymous, who is not authenticated',
      { 'impersonate-user': 'system:anonymous' },
      { name: 'system:anonymous', groups: ['system:unauthenticated'] },
    ],
    [
      'a user in a group that says it',
      { 'impersonate-user': 'bob', 'impersonate-group': ['system:unauthenticated', 'dev'] },
      { name: 'bob', groups: ['system:unauthenticated', 'dev'] },
    ],
    [
      'a user whose name is not ASCII',
      { 'impersonate-user': Buffer.from('bøb').toString('latin1') },
      { name: 'bøb', groups: ['system:authenticated'] },
    ],
  ] as const) {
    it(`impersonation is accepted for ${what}`, async () => {
      for (const isLate of [false, true]) {
        const { code, user } = await sendRequest(fields, () => true, isLate);
        assert.equal(code, 200);
        assert.deepEqual(user, { uid: '', extra: {}, ...expected });
      }
    });
  }

  const whole = {
    'impersonate-user': 'bob',
    'impersonate-group': ['dev', 'ops'],
    'impersonate-uid': '42',
    'impersonate-extra-scope': ['read', 'write'],
  };
  const parts = [
    'users=bob',
    'groups=dev',
    'groups=ops',
    `${authentication}/uids=42`,
    `${authentication}/userextras/scope=read`,
    `${authentication}/userextras/scope=write`,
  ];

  it('every part requires a permission', async () => {
    assert.deepEqual((await sendRequest(whole)).authorized, parts);
    assert.deepEqual((await sendRequest({ 'impersonate-user': 'system:serviceaccount:ns:sa' })).authorized, [
      'ns/serviceaccounts=sa',
    ]);
    assert.deepEqual((await sendRequest({ 'impersonate-user': 'system:serviceaccount:ns' })).authorized, [
      'users=system:serviceaccount:ns',
    ]);
  });

  for (const missing of parts) {
    it(`impersonation without the permission for ${missing} is refused`, async () => {
      for (const isLate of [false, true]) {
        const { code, status, user } = await sendRequest(whole, (part) => part !== missing, isLate);
        assert.deepEqual([code, status.reason, user], [403, 'Forbidden', undefined]);
        assert.match(status.message ?? '', /User "alice" cannot impersonate resource .*: no rule$/);
      }
    });
  }

  it('permission to impersonate users does not include the group system:masters', async () => {
    const fields = { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' };
    const { code, status } = await sendRequest(fields, (part) => part.startsWith('users='));
    assert.equal(code, 403);
    assert.equal(
      status.message,
      'groups "system:masters" is forbidden: User "alice" cannot impersonate resource "groups" in API group "" at the cluster scope: no rule',
    );
  });

  for (const [what, fields] of [
    ['a group without a user', { 'impersonate-group': 'dev' }],
    ['an uid without a user', { 'impersonate-uid': '42' }],
    ['an extra without a user', { 'impersonate-extra-scope': 'read' }],
    ['an empty user', { 'impersonate-user': '' }],
    ['two users', { 'impersonate-user': ['bob', 'carol'] }],
    ['two uids', { 'impersonate-user': 'bob', 'impersonate-uid': ['1', '2'] }],
    ['an extra without a name', { 'impersonate-user': 'bob', 'impersonate-extra-': 'x' }],
    ['a part that there is not', { 'impersonate-user': 'bob', 'impersonate-role': 'admin' }],
    ['a name that is not UTF-8', { 'impersonate-user': 'b\u00f8b' }],
  ] as const) {
    it(`malformed impersonation is refused with 400: ${what}`, async () => {
      const { code, user, authorized } = await sendRequest(fields);
      assert.deepEqual([code, user, authorized], [400, undefined, []]);
    });
  }

  it('the log has the impersonating and the impersonated user', async () => {
    const { entries } = await sendRequest({ 'impersonate-user': 'bob' });
    const line = entries.find(({ msg }) => msg === 'request');
    assert.deepEqual([line?.['user'], line?.['actingAs']], ['alice', 'bob']);
  });
});
