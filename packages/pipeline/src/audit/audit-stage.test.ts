import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Authenticator, type Authorizer, alwaysAllow, alwaysDeny } from '@orch/auth';
import { errors, namesFor } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { durationMs } from '@orch/machinery/time';
import {
  type Answer,
  type BytesReply,
  type Handler,
  type LocalRequest,
  localRequest,
  type ResourceContext,
} from '@orch/request';
import { createServer } from '../api-server.ts';
import type { AuditEvent, AuditLevel, AuditSink } from './event/types.ts';
import { auditPolicyEvaluator } from './policy/policy.ts';
import { readAuditPolicy } from './policy/read-policy.ts';

const names = namesFor('orch');

const byName: Authenticator = {
  authenticate({ headers }) {
    const name = headers.authorization;
    if (name === undefined) return { kind: 'none' };
    const user = { name, uid: 'u1', groups: ['dev'], extra: {} };
    return { kind: 'user', user, annotations: { [names.auditAnnotations.staleToken]: 'old' } };
  },
};

const json = (value: unknown, status = 200): BytesReply => ({
  kind: 'bytes',
  status,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

function audited(
  resources: Handler<ResourceContext>,
  options: {
    readonly level?: AuditLevel;
    readonly more?: string;
    /** Rules that replace the one with the level. */
    readonly rules?: string;
    readonly sink?: Partial<AuditSink>;
    readonly authorizer?: Authorizer;
  } = {},
) {
  const env = testEnv();
  const events: AuditEvent[] = [];
  const sink: AuditSink = {
    plugin: 'log',
    isStrict: false,
    accept: (event) => events.push(event) > 0,
    close: async () => undefined,
    ...options.sink,
  };
  const policy = `apiVersion: audit.orch.io/v1\nkind: Policy\n${options.more ?? ''}\nrules: ${options.rules ?? `[{level: ${options.level ?? 'Metadata'}}]`}`;
  const server = createServer({
    env,
    names,
    authenticator: byName,
    authorizer: options.authorizer ?? alwaysAllow,
    resources,
    servesResource: () => true,
    routes: [],
    apiPaths: () => [],
    requestTimeoutMs: 60_000,
    maxRequestsInflight: 10,
    maxMutatingRequestsInflight: 10,
    parseDuration: durationMs,
    audit: {
      evaluate: auditPolicyEvaluator(readAuditPolicy({ text: policy, file: 'policy.yaml' }, names, ['v1'])),
      sinks: [sink],
      readProtobuf: (bytes) => ({ fromProtobuf: bytes.length }),
      deprecationOf: ({ version }) => (version === 'v1beta1' ? { removed: '1.22' } : undefined),
    },
  });
  const sendRequest = (target: string, local: Partial<LocalRequest> = {}): Answer =>
    server.handle(localRequest({ target, headers: { authorization: 'alice' }, ...local }));
  return { env, events, sendRequest };
}

const readBodyThen =
  (reply: BytesReply): Handler<ResourceContext> =>
  async ({ request }) => {
    await request.body(1000);
    return reply;
  };

describe('audit of requests', () => {
  it('an event records user, request, time and result', () => {
    const { sendRequest, events } = audited(() => json({ kind: 'Pod' }));
    sendRequest('/api/v1/namespaces/a/pods/p?x=1', {
      id: 'id-1',
      headers: {
        authorization: 'alice',
        'user-agent': 'curl',
        'x-forwarded-for': '1.2.3.4, nonsense, ::1',
        'x-real-ip': '5.6.7.8',
      },
    });
    assert.deepEqual(
      events.map((event) => event.stage),
      ['RequestReceived', 'ResponseComplete'],
    );
    assert.deepEqual(events[1], {
      kind: 'Event',
      apiVersion: 'audit.orch.io/v1',
      level: 'Metadata',
      auditID: 'id-1',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/namespaces/a/pods/p?x=1',
      verb: 'get',
      user: { username: 'alice', uid: 'u1', groups: ['dev'] },
      sourceIPs: ['1.2.3.4', '::1', '5.6.7.8'],
      userAgent: 'curl',
      objectRef: { resource: 'pods', namespace: 'a', name: 'p', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 200 },
      requestReceivedTimestamp: '2024-01-01T00:00:00.000000Z',
      stageTimestamp: '2024-01-01T00:00:00.000000Z',
      annotations: {
        'authentication.orch.io/stale-token': 'old',
        'authorization.orch.io/decision': 'allow',
        'authorization.orch.io/reason': '',
      },
    });
    assert.equal(events[0]?.responseStatus, undefined);
  });

  it('an audited request is handled synchronously when all stages are', () => {
    const { sendRequest } = audited(() => json({}));
    assert.ok(!(sendRequest('/api/v1/pods') instanceof Promise));
  });

  const bodies: readonly [string, string, unknown][] = [
    ['application/json', '{"b": 1, "a": 2}', { b: 1, a: 2 }],
    ['application/yaml', 'b: 1\na: yes\n', { b: 1, a: true }],
    ['application/vnd.orch.protobuf', 'xyz', { fromProtobuf: 3 }],
    ['application/merge-patch+json', '{"a":null}', { a: null }],
    ['application/apply-patch+yaml', 'a: 1', { a: 1 }],
  ];
  for (const [type, body, expected] of bodies) {
    it(`a body in ${type} is recorded as JSON, and both objects at the highest level only`, async () => {
      for (const level of ['Metadata', 'Request', 'RequestResponse'] as const) {
        const { sendRequest, events } = audited(
          readBodyThen(json({ kind: 'Pod', metadata: { name: 'x' } })),
          {
            level,
          },
        );
        const headers = { authorization: 'alice', 'content-type': type };
        await sendRequest('/api/v1/namespaces/a/pods/p', { method: 'PATCH', headers, body });
        assert.equal(events[0]?.requestObject, undefined);
        assert.deepEqual(events[1]?.requestObject, level === 'Metadata' ? undefined : expected);
        const response = level === 'RequestResponse' ? { kind: 'Pod', metadata: { name: 'x' } } : undefined;
        assert.deepEqual(events[1]?.responseObject, response);
      }
    });
  }

  it('the name of a created object is taken from the reply', async () => {
    const { sendRequest, events } = audited(() => json({ metadata: { name: 'p-x7' } }, 201));
    await sendRequest('/api/v1/namespaces/a/pods', { method: 'POST', body: '{}' });
    assert.equal(events[1]?.objectRef?.name, 'p-x7');
  });

  it('managed fields are omitted when the policy requires it, also in lists', async () => {
    const object = { metadata: { name: 'a', managedFields: [{}] } };
    const { sendRequest, events } = audited(() => json({ kind: 'PodList', items: [object] }), {
      level: 'RequestResponse',
      more: 'omitManagedFields: true',
    });
    await sendRequest('/api/v1/pods');
    assert.deepEqual(events[1]?.responseObject, { kind: 'PodList', items: [{ metadata: { name: 'a' } }] });
  });

  it('a failure is recorded with its Status, and a denied request with the reason', async () => {
    const gone = audited(() => {
      throw errors.notFound({ group: '', kind: 'pods', name: 'p' });
    });
    await gone.sendRequest('/api/v1/namespaces/a/pods/p');
    assert.deepEqual(gone.events[1]?.responseStatus, {
      metadata: {},
      status: 'Failure',
      message: 'pods "p" not found',
      reason: 'NotFound',
      details: { name: 'p', kind: 'pods' },
      code: 404,
    });
    const refused = audited(() => json({}), { authorizer: alwaysDeny });
    await refused.sendRequest('/api/v1/pods');
    assert.equal(refused.events[1]?.annotations?.['authorization.orch.io/decision'], 'forbid');
    assert.equal(refused.events[1]?.responseStatus?.code, 403);
  });

  it('requests that fail authentication are recorded', async () => {
    const { sendRequest, events } = audited(() => json({}));
    await sendRequest('/api/v1/pods', { headers: {} });
    assert.deepEqual(
      events.map(({ stage, user, responseStatus }) => [stage, user, responseStatus?.code]),
      [['ResponseComplete', {}, 401]],
    );
  });

  for (const [what, method, target, verb, code, resource] of [
    ['a malformed percent-encoding', 'GET', '/api/v1/pods/%zz', 'get', 400, undefined],
    ['a path that is not UTF-8', 'GET', '/api/v1/namespaces/%ff/pods', 'get', 400, undefined],
    ['dot segments', 'GET', '/api/v1/../v1/secrets', 'get', 400, undefined],
    ['encoded dot segments', 'DELETE', '/api/v1/%2e%2e/secrets', 'delete', 400, undefined],
    ['an encoded slash', 'POST', '/api/v1/namespaces/a%2fb/pods', 'post', 400, undefined],
    ['an encoded NUL', 'GET', '/api/v1/pods/%00', 'get', 400, undefined],
    ['an empty segment', 'GET', '/api/v1//pods', 'get', 404, undefined],
    ['two slashes first', 'GET', '//api/v1/pods', 'get', 404, undefined],
    ['a path that is too long', 'PUT', `/api/v1/pods/${'a'.repeat(9000)}`, 'put', 400, undefined],
    ['an unknown method', 'FOO', '/api/v1/namespaces/a/pods/p', '', 405, 'pods'],
    ['the method TRACE', 'TRACE', '/api/v1/namespaces/a/secrets', '', 405, 'secrets'],
    ['an unknown method beside the API', 'FOO', '/version', 'foo', 404, undefined],
    ['a watch by POST', 'POST', '/api/v1/watch/pods', '', 405, 'pods'],
  ] as const) {
    it(`a request with ${what} leaves an event with its user, and one without credentials an event without`, async () => {
      const { sendRequest, events } = audited(() => json({}));
      assert.equal((await sendRequest(target, { method })).status, code);
      assert.equal((await sendRequest(target, { method, headers: {} })).status, 401);
      const seen = events.map((event) => [event.stage, event.user.username, event.responseStatus?.code]);
      assert.deepEqual(seen, [
        ['RequestReceived', 'alice', undefined],
        ['ResponseComplete', 'alice', code],
        ['ResponseComplete', undefined, 401],
      ]);
      for (const event of events) {
        assert.equal(event.requestURI, target);
        assert.equal(event.verb, verb);
        assert.equal(event.objectRef?.resource, resource);
      }
    });
  }

  it('a request with a malformed timeout leaves an event without a user', async () => {
    const { sendRequest, events } = audited(() => json({}));
    assert.equal((await sendRequest('/api/v1/pods?timeout=soon')).status, 400);
    assert.deepEqual(
      events.map(({ stage, user, responseStatus }) => [stage, user, responseStatus?.code]),
      [['ResponseComplete', {}, 400]],
    );
  });

  it('an impersonated request is recorded with both users', async () => {
    const { sendRequest, events } = audited(() => json({}));
    await sendRequest('/api/v1/pods', { headers: { authorization: 'alice', 'impersonate-user': 'bob' } });
    assert.deepEqual(events[1]?.user, { username: 'alice', uid: 'u1', groups: ['dev'] });
    assert.equal(events[1]?.impersonatedUser?.username, 'bob');
  });

  it('an internal error is recorded with the stage Panic', async () => {
    const { sendRequest, events } = audited(async () => {
      throw new TypeError('oops');
    });
    const reply = await sendRequest('/api/v1/pods');
    assert.equal(reply.status, 500);
    assert.deepEqual([events[1]?.stage, events[1]?.responseStatus?.code], ['Panic', 500]);
  });

  it('requests for deprecated versions are annotated', async () => {
    const { sendRequest, events } = audited(() => json({}));
    await sendRequest('/apis/apps/v1beta1/deployments');
    assert.equal(events[1]?.annotations?.['orch.io/deprecated'], 'true');
    assert.equal(events[1]?.annotations?.['orch.io/removed-release'], '1.22');
  });

  it('only long-running requests have the stage ResponseStarted', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { sendRequest, events } = audited(({ info }) => ({
      kind: 'stream',
      status: 200,
      headers: {},
      run: () => (info.verb === 'watch' ? ended : Promise.resolve()),
    }));
    const reply = await sendRequest('/api/v1/pods?watch=1');
    assert.equal(reply.kind, 'stream');
    const signals = { signal: new AbortController().signal, draining: new AbortController().signal };
    const running = reply.kind === 'stream' && reply.run({} as never, signals);
    await settle();
    assert.deepEqual(
      events.map((event) => event.stage),
      ['RequestReceived', 'ResponseStarted'],
    );
    end();
    await running;
    assert.equal(events[2]?.stage, 'ResponseComplete');
  });

  it('a streamed list is recorded when its last byte was sent, with its content', async () => {
    const { sendRequest, events } = audited(
      () => ({
        kind: 'chunks',
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        chunks: [Buffer.from('{"kind":'), Buffer.from('"PodList"}')],
      }),
      { level: 'RequestResponse' },
    );
    const reply = await sendRequest('/api/v1/pods');
    assert.equal(events.length, 1);
    assert.equal(reply.kind, 'chunks');
    if (reply.kind !== 'chunks') return;
    for await (const chunk of reply.chunks) assert.ok(chunk.length > 0);
    reply.onSent?.(20, true);
    assert.deepEqual(events[1]?.responseObject, { kind: 'PodList' });
    reply.onSent?.(3, false);
    assert.equal(events[2]?.responseStatus?.code, 499);
  });

  it('omitted stages and the level None record nothing', async () => {
    const some = audited(() => json({}), { more: 'omitStages: [RequestReceived]' });
    await some.sendRequest('/api/v1/pods');
    assert.equal(some.events.length, 1);
    const none = audited(() => json({}), { level: 'None' });
    await none.sendRequest('/api/v1/pods');
    assert.equal(none.events.length, 0);
    assert.match(none.env.metrics.text(), /apiserver_audit_level_total\{level="None"\} 1/);
  });

  it('lost events are counted, and requests refused only if the sink must not lose any', async () => {
    let handled = 0;
    const handler = () => {
      handled++;
      return json({});
    };
    const lossy = audited(handler, { sink: { accept: () => false } });
    assert.equal((await lossy.sendRequest('/api/v1/pods')).status, 200);
    assert.match(lossy.env.metrics.text(), /apiserver_audit_error_total\{plugin="log"\} 2/);
    const strict = audited(handler, { sink: { accept: () => false, isStrict: true } });
    assert.equal((await strict.sendRequest('/api/v1/pods')).status, 500);
    assert.equal(handled, 1);
    assert.match(strict.env.metrics.text(), /apiserver_audit_requests_rejected_total 1/);
  });

  for (const [what, target, level, name] of [
    ['a list of that one', '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Ds', 'Request', 's'],
    [
      'a watch of that one',
      '/api/v1/namespaces/a/secrets?watch=1&fieldSelector=metadata.name%3Ds',
      'Request',
      's',
    ],
    [
      'a list of another one',
      '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dt',
      'Metadata',
      't',
    ],
    [
      'a list of all but that one',
      '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name!%3Ds',
      'Metadata',
      undefined,
    ],
    [
      'a list by labels',
      '/api/v1/namespaces/a/secrets?labelSelector=metadata.name%3Ds',
      'Metadata',
      undefined,
    ],
    ['a list of all', '/api/v1/namespaces/a/secrets', 'Metadata', undefined],
  ] as const) {
    it(`a name in a field selector counts, as in authorization: ${what}`, async () => {
      const rules =
        '[{level: Request, resources: [{group: "", resources: [secrets], resourceNames: [s]}]}, {level: Metadata}]';
      const { sendRequest, events } = audited(() => json({ kind: 'SecretList', items: [] }), { rules });
      await sendRequest(target);
      assert.deepEqual(
        events.map((event) => [event.level, event.objectRef?.name]),
        events.map(() => [level, name]),
      );
      assert.ok(events.length > 0);
    });
  }
});
