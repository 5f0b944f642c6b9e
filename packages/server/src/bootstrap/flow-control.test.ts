import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Authenticator,
  alwaysAllow,
  emptySource,
  type ObjectSource,
  type ObjectSubscriber,
  type SourceObject,
} from '@orch/auth';
import { type ApiObject, errors, namesFor } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { durationMs } from '@orch/machinery/time';
import { createServer } from '@orch/pipeline';
import {
  type Answer,
  type BytesReply,
  type Handler,
  type LocalRequest,
  localRequest,
  type Reply,
  type ResourceContext,
} from '@orch/request';
import { flowSchemas } from './flow-schemas.ts';
import { priorityLevels } from './priority-levels.ts';

const names = namesFor('orch');
const schemaUid = names.headers.flowSchemaUid;

/** `name` or `name,group,group` in the Authorization field. */
const byName: Authenticator = {
  authenticate({ headers }) {
    const [name = '', ...groups] = (headers.authorization ?? '').split(',');
    const all = [...groups, names.userGroups.authenticated];
    return { kind: 'user', user: { name, uid: '', groups: all, extra: {} } };
  },
};

const ok: BytesReply = { kind: 'bytes', status: 200, headers: {}, body: Buffer.from('ok') };

interface Objects {
  readonly schemas: readonly object[];
  readonly levels: readonly object[];
}

/** A source of these objects; others can be delivered later. */
function sourceOf(objects: Objects) {
  const listeners = new Map<string, ObjectSubscriber>();
  const fed = (all: readonly object[]): SourceObject[] =>
    all.map((object) => {
      const { metadata } = object as ApiObject;
      return { key: metadata.name ?? '', revision: 1, read: () => object as ApiObject };
    });
  const give = ({ schemas, levels }: Objects): void => {
    listeners.get('prioritylevelconfigurations.flowcontrol')?.reset(fed(levels));
    listeners.get('flowschemas.flowcontrol')?.reset(fed(schemas));
  };
  const source: ObjectSource = {
    ...emptySource,
    subscribe(resource, listener) {
      listeners.set(resource, listener);
      return () => undefined;
    },
  };
  return { source, give: () => give(objects), giveOther: give };
}

const level = (name: string, shares: number, response: object = { type: 'Reject' }): object => ({
  metadata: { name, uid: `level-${name}` },
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: shares, limitResponse: response } },
});
const queue = { type: 'Queue', queuing: { queues: 16, handSize: 2, queueLengthLimit: 2 } };
const schema = (name: string, at: string, precedence: number, subjects: object[]): object => ({
  metadata: { name, uid: `schema-${name}` },
  spec: {
    priorityLevelConfiguration: { name: at },
    matchingPrecedence: precedence,
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects,
        resourceRules: [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
        ],
      },
    ],
  },
});
const everyUser = [{ kind: 'Group', group: { name: names.userGroups.authenticated } }];
const user = (name: string) => [{ kind: 'User', user: { name } }];

/** The objects of a new cluster as stored. */
const defaults = (): Objects => {
  const stored = ({ name, content }: { name: string; content: object }) => ({
    ...content,
    metadata: { name, uid: `uid-${name}` },
  });
  const has = () => true;
  return {
    schemas: flowSchemas(names, 0, has).map(stored),
    levels: priorityLevels(names, has).map(stored),
  };
};

function serverOf(
  resources: Handler<ResourceContext>,
  options: {
    readonly objects?: Objects;
    readonly seats?: number;
    readonly count?: number;
    readonly watchers?: number;
  } = {},
) {
  const env = testEnv();
  const { source, give, giveOther } = sourceOf(options.objects ?? { schemas: [], levels: [] });
  const server = createServer({
    env,
    names,
    authenticator: byName,
    authorizer: alwaysAllow,
    resources,
    servesResource: () => true,
    routes: [{ path: '/readyz', handle: () => ok }],
    apiPaths: () => [],
    requestTimeoutMs: 60_000,
    maxRequestsInflight: options.seats ?? 2,
    maxMutatingRequestsInflight: 0,
    parseDuration: durationMs,
    flowControl: {
      source,
      countObjects: () => options.count,
      countWatchers: () => options.watchers,
      countBytes: () => undefined,
    },
  });
  give();
  const sendRequest = (as: string, target = '/api/v1/pods/p', local: Partial<LocalRequest> = {}): Answer =>
    server.handle(localRequest({ target, headers: { authorization: as }, ...local }));
  return { env, server, sendRequest, giveOther };
}

/** A handler whose replies are sent on request. */
function held(reply: Reply = ok) {
  const open: (() => void)[] = [];
  const users: string[] = [];
  const handler: Handler<ResourceContext> = ({ user: { name } }) => {
    users.push(name);
    return new Promise((resolve) => void open.push(() => resolve(reply)));
  };
  return { handler, users, next: () => open.shift()?.() };
}

const headerOf = (reply: Reply, name: string): unknown => reply.headers[name];

describe('API priority and fairness', () => {
  it('a request with a free seat is handled without a promise', () => {
    const { sendRequest } = serverOf(() => ok, { objects: defaults() });
    assert.ok(!(sendRequest('alice') instanceof Promise));
  });

  const classified: readonly [string, string, string, string][] = [
    ['an administrator', `root,${names.userGroups.masters}`, '/api/v1/pods', 'exempt'],
    ['a health check', 'alice', '/readyz', 'probes'],
    ['a user', 'alice', '/api/v1/pods', 'global-default'],
    [
      'a node and its lease',
      `system:node:n,${names.userGroups.nodes}`,
      '/apis/coordination.orch.io/v1/namespaces/a/leases/n',
      'system-node-high',
    ],
    [
      'a node and a pod',
      `system:node:n,${names.userGroups.nodes}`,
      '/api/v1/namespaces/a/pods/p',
      'system-nodes',
    ],
    [
      'a service account',
      `system:serviceaccount:a:b,${names.userGroups.serviceAccounts}`,
      '/api/v1/pods',
      'service-accounts',
    ],
    [
      'a service account of the system',
      `system:serviceaccount:${names.namespaces.system}:b,${names.userGroups.serviceAccounts}`,
      '/api/v1/pods',
      `${names.namespaces.system}-service-accounts`,
    ],
    ['the scheduler', names.users.scheduler, '/api/v1/pods', names.programs.scheduler],
    [
      'the lock of the controller manager',
      names.users.controllerManager,
      `/apis/${names.apiVersion('coordination', 'v1')}/namespaces/${names.namespaces.system}/leases/l`,
      'system-leader-election',
    ],
    ['a path that nothing else takes', 'alice', '/nowhere', 'global-default'],
  ];
  for (const [title, as, target, expected] of classified) {
    it(`a request is classified by the flow schemas of a new cluster: ${title}`, async () => {
      const { sendRequest } = serverOf(() => ok, { objects: defaults() });
      assert.equal(headerOf(await sendRequest(as, target), schemaUid), `uid-${expected}`);
    });
  }

  it('the schema of lowest precedence applies, then by name; schemas of missing levels are ignored', async () => {
    const { sendRequest } = serverOf(() => ok, {
      objects: {
        levels: [level('l', 1)],
        schemas: [
          schema('late', 'l', 500, everyUser),
          schema('b', 'l', 100, everyUser),
          schema('a', 'l', 100, everyUser),
          schema('dangling', 'none', 1, everyUser),
        ],
      },
    });
    assert.equal(headerOf(await sendRequest('alice'), schemaUid), 'schema-a');
  });

  it('a level without queues refuses with 429, Retry-After and the schema; other levels are not affected', async () => {
    const { handler, next } = held();
    const { sendRequest, env } = serverOf(handler, {
      seats: 2,
      objects: {
        levels: [level('small', 5), level('other', 5)],
        schemas: [schema('mallory', 'small', 1, user('mallory')), schema('rest', 'other', 2, everyUser)],
      },
    });
    const first = sendRequest('mallory');
    const refused = await sendRequest('mallory');
    assert.deepEqual(
      [refused.status, headerOf(refused, 'Retry-After'), headerOf(refused, schemaUid)],
      [429, '1', 'schema-mallory'],
    );
    const other = sendRequest('alice');
    next();
    next();
    assert.deepEqual([(await first).status, (await other).status], [200, 200]);
    assert.match(env.metrics.text(), /rejected_requests_total\{.*"mallory".*reason="concurrency-limit"\} 1/);
  });

  it('queued requests are served fairly among users, and a full queue refuses', async () => {
    const { handler, users, next } = held();
    const { sendRequest, env } = serverOf(handler, {
      seats: 1,
      objects: { levels: [level('l', 1000, queue)], schemas: [schema('all', 'l', 1, everyUser)] },
    });
    const many = Array.from({ length: 20 }, () => sendRequest('mallory'));
    const one = sendRequest('alice');
    const codes: number[] = [];
    for (const answer of many) void Promise.resolve(answer).then(({ status }) => void codes.push(status));
    await settle();
    // Two queues of length two, and one seat.
    assert.deepEqual([codes.length, new Set(codes).has(429)], [15, true]);
    assert.match(env.metrics.text(), /current_inqueue_requests\{flow_schema="all",priority_level="l"\} 5/);
    for (let i = 0; i < 6; i++) {
      next();
      await settle();
    }
    assert.equal((await one).status, 200);
    assert.ok(users.indexOf('alice') <= 3, users.join());
    assert.match(env.metrics.text(), /current_inqueue_requests\{flow_schema="all",priority_level="l"\} 0/);
  });

  it('a get is executed while many large lists of another user wait for their seats', async () => {
    const { handler, users, next } = held();
    const { sendRequest } = serverOf(handler, {
      seats: 20,
      count: 1000,
      objects: { levels: [level('l', 1000, queue)], schemas: [schema('all', 'l', 1, everyUser)] },
    });
    for (let i = 0; i < 8; i++) void sendRequest('mallory', '/api/v1/pods');
    const executed = users.length;
    assert.ok(executed > 0 && executed < 8, `${executed} lists`);
    const get = sendRequest('alice', '/api/v1/namespaces/a/pods/p');
    await settle();
    assert.deepEqual(users.slice(executed), ['alice']);
    for (let i = 0; i <= executed; i++) next();
    assert.equal((await get).status, 200);
  });

  it('large lists that have waited for seats begin one by one, between other requests', async () => {
    let iteration = 0;
    const started: number[] = [];
    const first = Promise.withResolvers<void>();
    const { sendRequest } = serverOf(
      async () => {
        started.push(iteration);
        await first.promise;
        return ok;
      },
      {
        seats: 20,
        count: 1000,
        objects: { levels: [level('l', 1000, queue)], schemas: [schema('all', 'l', 1, everyUser)] },
      },
    );
    const lists = Array.from({ length: 9 }, () => sendRequest('mallory', '/api/v1/pods'));
    const executed = started.length;
    assert.ok(executed < lists.length - 2, `${executed} lists`);
    const count = (): void => {
      iteration += 1;
      if (started.length < lists.length) setImmediate(count);
    };
    setImmediate(count);
    first.resolve();
    await Promise.all(lists);
    const queued = started.slice(executed);
    assert.equal(new Set(queued).size, queued.length, started.join());
  });

  it('a request is refused after a quarter of its timeout, and removed when its client disconnects', async () => {
    const { handler, users } = held();
    const { sendRequest, env, server } = serverOf(handler, {
      seats: 1,
      objects: { levels: [level('l', 1000, queue)], schemas: [schema('all', 'l', 1, everyUser)] },
    });
    void sendRequest('alice');
    const late = sendRequest('bob');
    const leaving = localRequest({ target: '/api/v1/pods/p', headers: { authorization: 'carol' } });
    const gone = server.handle(leaving);
    leaving.cancel(errors.plain(499, 'gone'));
    assert.equal((await gone).status, 429);
    await env.clock.advanceAsync(16_000);
    assert.equal((await late).status, 429);
    assert.deepEqual(users, ['alice']);
    assert.match(env.metrics.text(), /rejected_requests_total\{.*reason="time-out"\} 1/);
    assert.match(env.metrics.text(), /rejected_requests_total\{.*reason="cancelled"\} 1/);
  });

  it('administrators are never refused, even before objects are loaded', async () => {
    const { handler, users } = held();
    const { sendRequest } = serverOf(handler, { seats: 1 });
    void sendRequest('alice');
    assert.equal((await sendRequest('bob')).status, 429);
    for (let i = 0; i < 5; i++) void sendRequest(`root,${names.userGroups.masters}`);
    assert.equal(users.filter((name) => name === 'root').length, 5);
  });

  it('a failed request releases its seats, whether it fails at once or later', async () => {
    for (const fail of [
      () => {
        throw errors.badRequest('no');
      },
      () => Promise.reject(errors.badRequest('no')),
    ]) {
      const { sendRequest, server } = serverOf(fail, { seats: 1 });
      for (let i = 0; i < 3; i++) assert.equal((await sendRequest('alice')).status, 400);
      assert.equal(server.inflight(), 0);
    }
  });

  it('a list occupies seats by the number of objects while it is written, up to a second', async () => {
    const list: Reply = { kind: 'chunks', status: 200, headers: {}, chunks: [] };
    const { sendRequest, env } = serverOf(() => list, { seats: 10, count: 100_000 });
    const first = await sendRequest('alice', '/api/v1/pods');
    assert.equal((await sendRequest('alice', '/api/v1/pods?limit=5')).status, 429);
    if (first.kind === 'chunks') first.onSent?.(0, true);
    assert.equal((await sendRequest('alice', '/api/v1/pods?limit=5')).status, 200);
    await sendRequest('alice', '/api/v1/pods');
    assert.equal((await sendRequest('alice')).status, 429);
    await env.clock.advanceAsync(1000);
    assert.equal((await sendRequest('alice')).status, 200);
  });

  for (const [what, target, method, count, watchers, expected] of [
    ['a get, however many objects there are', '/api/v1/pods/p', 'GET', 100_000, 0, 1],
    ['a list of a thousand', '/api/v1/pods', 'GET', 1000, 0, 10],
    ['a list of a page of 250', '/api/v1/pods?limit=250', 'GET', 1000, 0, 3],
    ['a list of one name', '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dp', 'GET', 1000, 0, 1],
    [
      'a list of one name of all namespaces',
      '/api/v1/pods?fieldSelector=metadata.name%3Dp',
      'GET',
      1000,
      0,
      10,
    ],
    ['a watch that begins with everything', '/api/v1/pods?watch=1', 'GET', 350, 0, 4],
    ['a watch that goes on', '/api/v1/pods?watch=1&resourceVersion=7', 'GET', 1000, 0, 1],
    ['a write without watchers', '/api/v1/pods/p', 'PUT', 1000, 0, 1],
    ['a write with 250 watchers', '/api/v1/pods/p', 'PUT', 1000, 250, 3],
    ['a write with 100,000 watchers', '/api/v1/pods', 'POST', 0, 100_000, 10],
    ['a deletion of 500', '/api/v1/namespaces/a/pods', 'DELETE', 500, 150, 5],
    ['what is not stored', '/api/v1/pods', 'POST', undefined, undefined, 1],
  ] as const) {
    it(`the number of seats follows the work: ${expected} for ${what}`, async () => {
      const { sendRequest, env } = serverOf(() => ok, {
        seats: 100,
        ...(count === undefined ? {} : { count }),
        ...(watchers === undefined ? {} : { watchers }),
      });
      await sendRequest('alice', target, { method });
      assert.match(env.metrics.text(), new RegExp(`work_estimated_seats_sum\\{[^}]*\\} ${expected}\\n`));
      const observed = /watch_count_samples_sum\{[^}]*\} (\d+)/.exec(env.metrics.text())?.[1] ?? '0';
      assert.equal(Number(observed), method === 'GET' ? 0 : (watchers ?? 0));
    });
  }

  it('levels lend and borrow seats in every release that has these fields', async () => {
    const { handler, users } = held();
    const limited = (name: string, more: object) => ({
      metadata: { name, uid: `level-${name}` },
      spec: {
        type: 'Limited',
        limited: { nominalConcurrencyShares: 10, limitResponse: { type: 'Reject' }, ...more },
      },
    });
    const { sendRequest } = serverOf(handler, {
      seats: 25,
      objects: {
        levels: [limited('idle', { lendablePercent: 50 }), limited('busy', { borrowingLimitPercent: 30 })],
        schemas: [schema('rest', 'idle', 2, user('nobody')), schema('all', 'busy', 1, everyUser)],
      },
    });
    const replies = Array.from({ length: 20 }, () => Promise.resolve(sendRequest('alice')));
    const refused = await Promise.race(replies.slice(13));
    assert.equal(refused.status, 429);
    // Ten own seats and three of the five that the other level lends.
    assert.equal(users.length, 13);
  });

  it('metrics report the progress of the queues', async () => {
    const { handler, next } = held();
    const { sendRequest, env } = serverOf(handler, {
      seats: 1,
      objects: { levels: [level('l', 1000, queue)], schemas: [schema('all', 'l', 1, everyUser)] },
    });
    const value = (name: string, bound = ''): number => {
      const found = new RegExp(`flowcontrol_${name}\\{${bound}priority_level="l"\\} (\\S+)`).exec(
        env.metrics.text(),
      );
      return Number(found?.[1]);
    };
    const all = ['alice', 'bob', 'carol'].map((name) => Promise.resolve(sendRequest(name)));
    assert.equal(value('current_r'), 0);
    for (let i = 0; i < 3; i++) {
      env.clock.advance(100);
      next();
      await settle();
    }
    await Promise.all(all);
    sendRequest('dora');
    assert.ok(value('latest_s') <= value('current_r'));
    assert.ok(value('dispatch_r') <= value('current_r'));
    assert.ok(value('next_s_bounds', 'bound="min",') <= value('next_s_bounds', 'bound="max",'));
    assert.ok(value('next_discounted_s_bounds', 'bound="min",') <= value('next_s_bounds', 'bound="min",'));
  });

  it('a watch occupies seats while it begins only, and connections occupy none', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const watch: Reply = { kind: 'stream', status: 200, headers: {}, run: () => ended };
    const { sendRequest, server } = serverOf(() => watch, { seats: 5, count: 1000 });
    const signals = { signal: new AbortController().signal, draining: new AbortController().signal };
    const first = await sendRequest('alice', '/api/v1/pods?watch=1');
    assert.equal((await sendRequest('alice', '/api/v1/pods?watch=1')).status, 429);
    assert.equal((await sendRequest('alice', '/api/v1/namespaces/a/pods/p/log')).status, 200);
    const running = first.kind === 'stream' && first.run({} as never, signals);
    assert.equal((await sendRequest('alice', '/api/v1/pods?watch=1')).status, 200);
    assert.equal(server.inflight(), 0);
    end();
    await running;
  });

  it('changed limits take effect at once, also for queued requests', async () => {
    const { handler, users } = held();
    const objects = { levels: [level('l', 5, queue)], schemas: [schema('all', 'l', 1, everyUser)] };
    const { sendRequest, giveOther, env } = serverOf(handler, { seats: 2, objects });
    void sendRequest('alice');
    void sendRequest('bob');
    assert.deepEqual(users, ['alice']);
    giveOther({ ...objects, levels: [level('l', 1000, queue)] });
    await settle();
    assert.deepEqual(users, ['alice', 'bob']);
    assert.match(env.metrics.text(), /request_concurrency_limit\{priority_level="l"\} 2/);
  });
});
