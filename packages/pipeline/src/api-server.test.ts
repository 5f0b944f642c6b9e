import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Attributes, type Authenticator, alwaysAllow, alwaysDeny, type UserInfo } from '@orch/auth';
import { MemoryObjectSource } from '@orch/auth/testing';
import { errors, namesFor, type Status } from '@orch/machinery';
import { settle, type TestEnv, testEnv } from '@orch/machinery/testing';
import { durationMs } from '@orch/machinery/time';
import {
  type Answer,
  type BytesReply,
  type Handler,
  type LocalRequest,
  localRequest,
  type Reply,
  type ResourceContext,
} from '@orch/request';
import { StoreError } from '@orch/storage';
import { createServer, type ServerOptions } from './api-server.ts';
import { SharedInflight } from './flow-control/index.ts';

const userOf = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });

/** Authenticates users by the name in the Authorization field. */
const byName: Authenticator = {
  authenticate({ headers }) {
    const name = headers.authorization;
    if (name === undefined) return { kind: 'none' };
    return name === 'bad' ? { kind: 'rejected', reason: 'because' } : { kind: 'user', user: userOf(name) };
  },
};

const ok: BytesReply = { kind: 'bytes', status: 200, headers: {}, body: Buffer.from('ok') };

function serverOf(
  resources: Handler<ResourceContext>,
  options: Partial<ServerOptions> = {},
  env: TestEnv = testEnv(),
) {
  const server = createServer({
    env,
    names: namesFor('orch'),
    authenticator: byName,
    authorizer: alwaysAllow,
    resources,
    servesResource: (info) => info.resource === 'pods' || info.resource === 'nodes',
    routes: [
      { path: '/version', handle: () => ok },
      {
        path: '/openapi',
        below: true,
        handle: ({ info }) => ({ ...ok, body: Buffer.from(JSON.stringify(info)) }),
      },
    ],
    apiPaths: () => ['/api', '/api/v1'],
    requestTimeoutMs: 60_000,
    maxRequestsInflight: 3,
    maxMutatingRequestsInflight: 2,
    parseDuration: durationMs,
    ...options,
  });
  const sendRequest = (target: string, local: Partial<LocalRequest> = {}): Answer =>
    server.handle(localRequest({ target, headers: { authorization: 'alice' }, ...local }));
  return { env, server, sendRequest };
}

/** One priority level with a queue, for everything. */
function queueing(): MemoryObjectSource {
  const source = new MemoryObjectSource();
  const queuing = { queues: 1, handSize: 1, queueLengthLimit: 10 };
  source.put('prioritylevelconfigurations.flowcontrol', {
    metadata: { name: 'queued' },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Queue', queuing } },
    },
  });
  source.put('flowschemas.flowcontrol', {
    metadata: { name: 'queued' },
    spec: {
      priorityLevelConfiguration: { name: 'queued' },
      matchingPrecedence: 2,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: '*' } }],
          resourceRules: [
            { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
          ],
        },
      ],
    },
  });
  return source;
}

const statusOf = async (answer: Answer): Promise<Status> => {
  const reply = await answer;
  assert.equal(reply.kind, 'bytes');
  const status = JSON.parse((reply as BytesReply).body.toString()) as Status;
  assert.equal(status.code, reply.status);
  return status;
};

const bodyOf = async (answer: Answer): Promise<string> => ((await answer) as BytesReply).body.toString();

describe('stages of the request pipeline', () => {
  it('a request is handled synchronously when all stages are', () => {
    const { sendRequest } = serverOf(() => ok);
    assert.equal(sendRequest('/api/v1/pods'), ok);
  });

  it('the registry receives the request, its info and the user', async () => {
    const seen: ResourceContext[] = [];
    const { sendRequest } = serverOf((context) => {
      seen.push(context);
      return ok;
    });
    await sendRequest('/api/v1/namespaces/a/pods/p?x=1');
    assert.deepEqual(
      [seen[0]?.info.name, seen[0]?.user.name, seen[0]?.request.rawQuery],
      ['p', 'alice', 'x=1'],
    );
  });

  it('missing and invalid credentials are answered with 401, without a reason', async () => {
    const { sendRequest, env } = serverOf(() => ok);
    for (const headers of [{}, { authorization: 'bad' }]) {
      const status = await statusOf(sendRequest('/api/v1/pods', { headers }));
      assert.deepEqual([status.code, status.reason, status.message], [401, 'Unauthorized', 'Unauthorized']);
    }
    assert.match(env.metrics.text(), /authentication_attempts\{result="failure"\} 2/);
    assert.equal(env.entries.filter((entry) => entry['reason'] === 'because').length, 1);
  });

  it('without authentication no path can be probed', async () => {
    const { sendRequest } = serverOf(() => ok);
    for (const target of ['/nonsense', '/version', '/api/v1/nonsense', '/']) {
      assert.equal((await statusOf(sendRequest(target, { headers: {} }))).code, 401);
    }
  });

  it('the authorizer receives the attributes of the request', async () => {
    const authorized: Attributes[] = [];
    const { sendRequest } = serverOf(() => ok, {
      authorizer: {
        async authorize(attributes) {
          authorized.push(attributes);
          return { verdict: 'allow', reason: '' };
        },
      },
    });
    await sendRequest('/api/v1/namespaces/a/pods/p/status', {
      method: 'PATCH',
      headers: { authorization: 'bob', 'content-type': 'application/apply-patch+yaml' },
    });
    await sendRequest('/version');
    const [first, second] = authorized;
    assert.deepEqual(
      { ...first, user: first?.user.name },
      {
        user: 'bob',
        isResource: true,
        verb: 'patch',
        group: '',
        version: 'v1',
        resource: 'pods',
        subresource: 'status',
        namespace: 'a',
        name: 'p',
      },
    );
    assert.deepEqual({ ...second, user: '' }, { user: '', isResource: false, verb: 'get', path: '/version' });
  });

  it('a denied request is answered with 403, user, verb and resource', async () => {
    const { sendRequest } = serverOf(() => ok, { authorizer: alwaysDeny });
    const status = await statusOf(sendRequest('/api/v1/namespaces/a/pods/p/log'));
    assert.equal(
      status.message,
      'pods "p" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "a": Everything is forbidden.',
    );
    assert.deepEqual(status.details, { name: 'p', kind: 'pods' });
    const list = await statusOf(sendRequest('/apis/apps/v1/deployments'));
    assert.match(
      list.message ?? '',
      /^deployments\.apps is forbidden: User "alice" cannot list .* at the cluster scope/,
    );
    const path = await statusOf(sendRequest('/version'));
    assert.equal(
      path.message,
      'forbidden: User "alice" cannot get path "/version": Everything is forbidden.',
    );
  });

  it('paths are listed at / and for an unknown path, but not below the API', async () => {
    const { sendRequest } = serverOf(() => ok);
    const paths = ['/api', '/api/v1', '/openapi', '/version'];
    assert.deepEqual(JSON.parse(await bodyOf(sendRequest('/'))), { paths });
    const unknown = (await sendRequest('/nonsense')) as BytesReply;
    assert.deepEqual([unknown.status, JSON.parse(unknown.body.toString())], [404, { paths }]);
    const group = (await sendRequest('/apis/nonsense')) as BytesReply;
    assert.deepEqual([group.status, group.body.toString()], [404, '404 page not found\n']);
    assert.match(await bodyOf(sendRequest('/openapi/v3/apis')), /"path":"\/openapi\/v3\/apis"/);
    assert.equal((await sendRequest('/versions')).status, 404);
  });

  it('methods other than GET and HEAD are refused on non-resource paths', async () => {
    const { sendRequest } = serverOf(() => ok);
    assert.equal((await statusOf(sendRequest('/version', { method: 'POST' }))).code, 405);
    assert.equal((await sendRequest('/version', { method: 'HEAD' })).status, 200);
  });

  it('a Status is indented on request, and for interactive clients', async () => {
    const { sendRequest } = serverOf(() => ok);
    const headers = { 'user-agent': 'curl/8' };
    assert.match(
      await bodyOf(sendRequest('/version?pretty=1', { headers: {} })),
      /^\{\n {2}"kind": "Status",\n/,
    );
    assert.match(await bodyOf(sendRequest('/version', { headers })), /^\{\n/);
    assert.match(await bodyOf(sendRequest('/version?pretty=false', { headers })), /^\{"kind"/);
  });
});

describe('failures in the pipeline', () => {
  for (const [what, error, code, reason] of [
    ['an ApiError', errors.badRequest('no'), 400, 'BadRequest'],
    ['compacted history', new StoreError('compacted', 'gone'), 410, 'Expired'],
    ['a future revision', new StoreError('futureRevision', 'ahead'), 504, 'Timeout'],
    ['an unreachable store', new StoreError('unavailable', 'away'), 503, 'ServiceUnavailable'],
    ['an unknown outcome', new StoreError('outcomeUnknown', 'who knows'), 504, 'Timeout'],
    ['too large a value', new StoreError('tooLarge', 'big'), 413, 'RequestEntityTooLarge'],
    ['a closed store', new StoreError('closed', 'over'), 503, 'ServiceUnavailable'],
    ['corrupt data', new StoreError('corrupt', 'rot'), 500, 'InternalError'],
    ['a fault of ours', new TypeError('secret detail'), 500, 'InternalError'],
  ] as const) {
    for (const isLater of [false, true]) {
      it(`${what} ${isLater ? 'later' : 'at once'} is answered with ${code} ${reason}`, async () => {
        const { sendRequest, env } = serverOf(() => {
          if (isLater) return Promise.reject(error);
          throw error;
        });
        const status = await statusOf(sendRequest('/api/v1/pods', { id: 'id-1' }));
        assert.deepEqual([status.code, status.reason], [code, reason]);
        const reports = env.entries.filter((entry) => entry['level'] === 'error');
        assert.equal(reports.length, code === 500 ? 1 : 0);
        if (error instanceof TypeError) {
          assert.doesNotMatch(JSON.stringify(status), /secret detail/);
          assert.match(status.message ?? '', /request id-1/);
          assert.match(JSON.stringify(reports[0]), /id-1.*secret detail/);
        }
        assert.match(
          env.metrics.text(),
          new RegExp(`apiserver_request_total\\{code="${code}"[^}]*verb="LIST"[^}]*\\} 1`),
        );
      });
    }
  }

  it('Retry-After is also sent as a header', async () => {
    const { sendRequest } = serverOf(() => {
      throw errors.tooLargeResourceVersion('9', '5');
    });
    assert.equal((await sendRequest('/api/v1/pods')).headers['Retry-After'], '1');
  });
});

describe('deadlines of requests', () => {
  const forever = () => new Promise<Reply>(() => undefined);

  it('at its deadline a request is answered with 504, and its signal aborts', async () => {
    const signals: AbortSignal[] = [];
    const { sendRequest, env } = serverOf(({ request }) => {
      signals.push(request.signal);
      return forever();
    });
    const answer = sendRequest('/api/v1/pods');
    env.clock.advance(59_999);
    assert.equal(signals[0]?.aborted, false);
    env.clock.advance(3_000);
    const status = await statusOf(answer);
    assert.deepEqual([status.code, status.reason], [504, 'Timeout']);
    assert.equal(signals[0]?.aborted, true);
  });

  it('a shorter timeout of the client applies, and a malformed one is refused', async () => {
    const { sendRequest, env } = serverOf(forever);
    const answer = sendRequest('/api/v1/pods?timeout=2s');
    env.clock.advance(2_000);
    assert.equal((await statusOf(answer)).code, 504);
    const refused = await statusOf(sendRequest('/api/v1/pods?timeout=soon'));
    assert.equal(refused.code, 400);
    assert.match(refused.message ?? '', /^invalid timeout specified in the request URL: "soon" /);
  });

  it('a request that ends after its deadline is counted by its outcome', async () => {
    const ends: ((failure?: Error) => void)[] = [];
    const resources = () =>
      new Promise<Reply>((resolve, reject) =>
        ends.push((failure) => (failure === undefined ? resolve(ok) : reject(failure))),
      );
    const { env, sendRequest } = serverOf(resources);
    const answers = [sendRequest('/api/v1/pods?timeout=1s'), sendRequest('/api/v1/pods?timeout=1s')];
    await env.clock.advanceAsync(1000);
    for (const answer of answers) assert.equal((await statusOf(answer)).code, 504);
    ends[0]?.();
    ends[1]?.(new Error('the caller has left'));
    await settle();
    for (const status of ['result', 'error'])
      assert.match(
        env.metrics.text(),
        new RegExp(
          `^apiserver_request_post_timeout_total\\{source="timeout-handler",status="${status}"\\} 1$`,
          'm',
        ),
      );
  });

  it('writes are timed by how they treat unknown fields, and other requests are not', async () => {
    const { env, sendRequest } = serverOf(() => ok, { heedsFieldValidation: true });
    for (const query of ['', 'fieldValidation=Strict', 'fieldValidation=invented'])
      await sendRequest(`/api/v1/namespaces/a/pods?${query}`, { method: 'POST' });
    await sendRequest('/api/v1/pods?fieldValidation=Strict');
    const name = 'field_validation_request_duration_seconds_count';
    assert.deepEqual(env.metrics.text().match(new RegExp(`^${name}.*$`, 'gm')), [
      `${name}{enabled="true",field_validation=""} 1`,
      `${name}{enabled="true",field_validation="Strict"} 1`,
    ]);
  });

  it('watches have no deadline', async () => {
    const { sendRequest, env } = serverOf(forever);
    let isSettled = false;
    void Promise.resolve(sendRequest('/api/v1/pods?watch=1&timeout=2s')).then(() => {
      isSettled = true;
    });
    await env.clock.advanceAsync(600_000);
    assert.equal(isSettled, false);
  });
});

describe('limits on requests in flight', () => {
  it('requests beyond the limits are refused with 429, except those of administrators and watches', async () => {
    const waiting: ((reply: Reply) => void)[] = [];
    const { sendRequest, server, env } = serverOf(() => new Promise((resolve) => waiting.push(resolve)), {
      authenticator: {
        authenticate: ({ headers }) => ({ kind: 'user', user: userOf('x', headers.authorization ?? '') }),
      },
    });
    for (let count = 0; count < 3; count++) void sendRequest('/api/v1/pods');
    for (let count = 0; count < 2; count++) void sendRequest('/api/v1/pods', { method: 'POST' });
    await settle();
    assert.equal(server.inflight(), 5);
    for (const method of ['GET', 'POST']) {
      const refused = await sendRequest('/api/v1/pods', { method });
      assert.deepEqual([refused.status, refused.headers['Retry-After']], [429, '1']);
    }
    const before = waiting.length;
    void sendRequest('/api/v1/pods', { headers: { authorization: 'system:masters' } });
    void sendRequest('/api/v1/pods?watch=1');
    assert.equal(waiting.length, before + 2);
    for (const resolve of waiting) resolve(ok);
    await settle();
    assert.equal(server.inflight(), 0);
    assert.equal(
      await Promise.race([sendRequest('/api/v1/pods'), settle().then(() => 'waiting')]),
      'waiting',
    );
    assert.match(env.metrics.text(), /apiserver_dropped_requests_total\{request_kind="mutating"\} 1/);
    assert.match(env.metrics.text(), /apiserver_current_inflight_requests\{request_kind="readOnly"\} \d/);
  });

  it('the limits of a process with threads are for the requests of all threads together', async () => {
    const inflight = new SharedInflight(new SharedArrayBuffer(SharedInflight.bytes));
    const waiting: ((reply: Reply) => void)[] = [];
    const [first, second] = [1, 2].map((number) =>
      serverOf(() => new Promise((resolve) => waiting.push(resolve)), {
        thread: { count: 2, number, inflight },
      }),
    );
    assert.ok(first !== undefined && second !== undefined);
    void first.sendRequest('/api/v1/pods');
    void second.sendRequest('/api/v1/pods');
    void second.sendRequest('/api/v1/pods');
    await settle();
    for (const { sendRequest } of [first, second])
      assert.equal((await sendRequest('/api/v1/pods')).status, 429);
    for (const resolve of waiting.splice(0)) resolve(ok);
    await settle();
    const next = first.sendRequest('/api/v1/pods');
    await settle();
    for (const resolve of waiting) resolve(ok);
    assert.equal((await next).status, 200);
  });

  it('a request that fails synchronously is no longer counted', async () => {
    const { sendRequest, server } = serverOf(() => {
      throw errors.badRequest('no');
    });
    for (let count = 0; count < 10; count++) assert.equal((await sendRequest('/api/v1/pods')).status, 400);
    assert.equal(server.inflight(), 0);
  });
});

describe('metrics and logs of requests', () => {
  it('requests are counted and timed by verb, resource, scope and code', async () => {
    const { sendRequest, env } = serverOf(async () => {
      env.clock.advance(300);
      return ok;
    });
    await sendRequest('/api/v1/namespaces/a/pods/p');
    await sendRequest('/api/v1/namespaces/a/pods', { method: 'POST' });
    await sendRequest('/api/v1/namespaces/a/pods?dryRun=All', { method: 'POST' });
    const text = env.metrics.text();
    const labels = (scope: string, verb: string) =>
      `group="",resource="pods",scope="${scope}",subresource="",verb="${verb}",version="v1"`;
    for (const line of [
      `apiserver_request_total{code="200",component="apiserver",dry_run="",${labels('resource', 'GET')}} 1`,
      `apiserver_request_total{code="200",component="apiserver",dry_run="",${labels('namespace', 'POST')}} 1`,
      `apiserver_request_total{code="200",component="apiserver",dry_run="All",${labels('namespace', 'POST')}} 1`,
      `apiserver_request_duration_seconds_bucket{component="apiserver",dry_run="",${labels('resource', 'GET')},le="0.2"} 0`,
      `apiserver_request_duration_seconds_bucket{component="apiserver",dry_run="",${labels('resource', 'GET')},le="0.4"} 1`,
      `apiserver_request_sli_duration_seconds_bucket{component="apiserver",${labels('resource', 'GET')},le="0.1"} 0`,
      `apiserver_request_sli_duration_seconds_bucket{component="apiserver",${labels('resource', 'GET')},le="0.4"} 1`,
      `apiserver_request_slo_duration_seconds_count{component="apiserver",${labels('namespace', 'POST')}} 2`,
      'apiserver_request_filter_duration_seconds_count{filter="authentication"} 3',
      'apiserver_request_filter_duration_seconds_count{filter="authorization"} 3',
      `apiserver_response_sizes_sum{component="apiserver",${labels('resource', 'GET')}} 2`,
    ]) {
      assert.ok(text.includes(line), line);
    }
  });

  it('time in a queue of flow control is counted, and excluded from the service level indicator', async () => {
    const waiting: ((reply: Reply) => void)[] = [];
    const { sendRequest, env } = serverOf(() => new Promise((resolve) => waiting.push(resolve)), {
      maxRequestsInflight: 1,
      maxMutatingRequestsInflight: 0,
      flowControl: {
        source: queueing(),
        countObjects: () => undefined,
        countWatchers: () => undefined,
        countBytes: () => undefined,
      },
    });
    const first = sendRequest('/api/v1/namespaces/a/pods/p');
    const second = sendRequest('/api/v1/namespaces/a/pods/p');
    await settle();
    assert.match(env.metrics.text(), /apiserver_current_inqueue_requests\{request_kind="readOnly"\} 1/);
    env.clock.advance(3_000);
    waiting[0]?.(ok);
    await first;
    await settle();
    env.clock.advance(1_000);
    waiting[1]?.(ok);
    await second;
    const sumOf = (name: string) =>
      Number(
        new RegExp(`^apiserver_request_${name}_seconds_sum\\{[^}]*verb="GET".*\\} (.*)$`, 'm').exec(
          env.metrics.text(),
        )?.[1],
      );
    assert.equal(sumOf('duration'), 7);
    assert.equal(sumOf('sli_duration'), 4);
    assert.match(env.metrics.text(), /filter_duration_seconds_sum\{filter="priorityandfairness"\} 3$/m);
    assert.match(env.metrics.text(), /apiserver_current_inqueue_requests\{request_kind="mutating"\} 0/);
    assert.match(env.metrics.text(), /apiserver_current_inqueue_requests\{request_kind="readOnly"\} 0/);
  });

  it('requests for unknown resources create no series', async () => {
    const { sendRequest, env } = serverOf(() => {
      throw errors.resourceNotFound();
    });
    for (let count = 0; count < 50; count++) {
      await sendRequest(`/apis/g${count}/v1/things${count}`);
      await sendRequest(`/made/up/${count}`);
      await sendRequest('/version', { method: `M${count}` });
    }
    const lines = env.metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith('apiserver_request_total'));
    assert.ok(lines.length <= 4, lines.join('\n'));
  });

  it('a stream counts as long-running until it ends, and then as a request', async () => {
    const { sendRequest, env } = serverOf(() => ({
      kind: 'stream',
      status: 200,
      headers: {},
      run: async () => undefined,
    }));
    const reply = await sendRequest('/api/v1/pods?watch=1');
    assert.ok(reply.kind === 'stream');
    assert.doesNotMatch(env.metrics.text(), /apiserver_request_total\{/);
    const signal = new AbortController().signal;
    const sink = { write: () => true, writeFramed: () => true, drained: async () => undefined };
    const running = reply.run(sink, { signal, draining: signal });
    assert.match(env.metrics.text(), /apiserver_longrunning_requests\{[^}]*verb="WATCH"[^}]*\} 1/);
    await running;
    assert.match(env.metrics.text(), /apiserver_longrunning_requests\{[^}]*verb="WATCH"[^}]*\} 0/);
    assert.match(env.metrics.text(), /apiserver_request_total\{[^}]*verb="WATCH"[^}]*\} 1/);
  });

  it('slow requests and internal errors are logged as warnings, and no others', async () => {
    const { sendRequest, env } = serverOf(({ info }) => {
      if (info.name === 'slow') env.clock.advance(1_500);
      if (info.name === 'broken') throw new StoreError('unavailable', 'away');
      if (info.name === 'missing') throw errors.notFound({ group: '', kind: 'pods', name: 'missing' });
      return ok;
    });
    for (const name of ['fine', 'slow', 'missing', 'broken'])
      await sendRequest(`/api/v1/nodes/${name}?a=b`, { id: name });
    const warned = env.entries.filter((entry) => entry['level'] === 'warn');
    assert.deepEqual(
      warned.map((entry) => [entry['requestId'], entry['code'], entry['user']]),
      [
        ['slow', 200, 'alice'],
        ['broken', 503, 'alice'],
      ],
    );
    assert.equal(warned[0]?.['uri'], '/api/v1/nodes/slow?a=b');
  });
});
