import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ApiClient,
  type ApiResponse,
  type LaunchedServer,
  launchServer,
  type RequestOptions,
} from '@orch/testkit';

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
/** Each over a separate connection. */
const WATCHES = 200;
const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const entries = (count: number, make: (i: number) => [string, unknown]): object =>
  Object.fromEntries(many(count, make));
const map = (name: string, metadata: object = {}, rest: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...rest,
});

describe('amplification by small requests', { timeout: 150_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    // A release that warns of unknown and of duplicate fields.
    server = await launchServer({ args: ['--emulated-version=1.27'] });
  });
  after(async () => {
    assert.equal((await server.client.get('/readyz')).status, 200, 'the server still runs');
    await server[Symbol.asyncDispose]();
  });
  const headBytes = ({ headers }: ApiResponse): number => JSON.stringify(headers).length;

  for (const [what, metadata] of [
    ['labels', { labels: entries(100_000, (i) => [`!${i}`, '!']) }],
    ['annotations', { annotations: entries(100_000, (i) => [`!${i}`, '']) }],
    ['finalizers', { finalizers: many(600_000, () => '!') }],
    ['owners', { ownerReferences: many(100_000, () => ({})) }],
    [
      'controllers',
      {
        ownerReferences: many(20_000, (i) => ({
          apiVersion: 'v1',
          kind: 'Pod',
          name: 'p',
          uid: `u${i}`,
          controller: true,
        })),
      },
    ],
  ] as const) {
    it(`a body with very many invalid ${what} is answered with a bounded list of errors`, async () => {
      const answer = await server.client.post(maps, map('wrong', metadata));
      assert.equal(answer.status, 422, answer.text.slice(0, 200));
      assert.ok(answer.text.length < 256 * 1024, `${answer.text.length} bytes`);
    });
  }

  for (const [what, rest] of [
    ['many fields', entries(100_000, (i) => [`field${i}`, 1])],
    ['a field with a name of a megabyte', { ['k'.repeat(1_000_000)]: 1 }],
    ['fields named in line breaks', entries(50, (i) => [`\r\nSet-Cookie: ${i}=1`, 1])],
  ] as const) {
    it(`warnings about ${what} that are unknown fit into the response header`, async () => {
      const answer = await server.client.send('POST', `${maps}?dryRun=All`, {
        body: map('warned', {}, rest),
      });
      assert.equal(answer.status, 201, answer.text.slice(0, 200));
      assert.ok(answer.headers['warning']);
      assert.ok(headBytes(answer) < 8 * 1024, `${headBytes(answer)} bytes`);
      assert.equal(answer.headers['set-cookie'], undefined);
    });
  }

  it('comparing 100,000 finalizers takes linear, not quadratic, time', async () => {
    const finalizers = (prefix: string) => many(100_000, (i) => `a/${prefix}${i.toString(36)}`);
    const created = await server.client.post(maps, map('held', { finalizers: finalizers('x') }));
    assert.equal(created.status, 201, created.text.slice(0, 200));
    const deleted = await server.client.delete(`${maps}/held`);
    assert.equal(deleted.status, 200);
    const updated = await server.client.put(`${maps}/held`, map('held', { finalizers: finalizers('y') }));
    assert.equal(updated.status, 422);
    assert.ok(updated.text.length < 64 * 1024);
  });

  const json: RequestOptions = { contentType: 'application/json-patch+json' };
  for (const [what, operations, code] of [
    [
      'inserts in front of a long list',
      [
        { op: 'add', path: '/x', value: many(1_000_000, () => 0) },
        ...many(9_999, () => ({ op: 'add', path: '/x/0', value: 0 })),
      ],
      413,
    ],
    [
      'grows exponentially by copy operations',
      [
        { op: 'add', path: '/data', value: { a: 'x'.repeat(1000) } },
        ...many(40, (i) => ({ op: 'copy', from: '/data', path: `/data/b${i}` })),
      ],
      413,
    ],
    ['has too many operations', many(10_001, () => ({ op: 'test', path: '', value: {} })), 413],
    [
      'creates 600 levels of nesting',
      many(600, (i) => ({ op: 'add', path: '/a'.repeat(i + 1), value: {} })),
      422,
    ],
    ['moves a field into itself', [{ op: 'move', from: '/metadata', path: '/metadata/a' }], 422],
    ['points through __proto__', [{ op: 'add', path: '/__proto__/polluted', value: 1 }], 422],
    ['points through constructor', [{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }], 422],
  ] as const) {
    it(`a JSON patch that ${what} is answered with ${code}`, async () => {
      await server.client.post(maps, map('patched'));
      const answer = await server.client.send('PATCH', `${maps}/patched`, {
        ...json,
        body: JSON.stringify(operations),
      });
      assert.equal(answer.status, code, answer.text.slice(0, 300));
    });
  }

  for (const [what, method, target, code] of [
    ['a limit beyond 2^63', 'GET', `${maps}?limit=9223372036854775808`, 400],
    ['a limit below zero', 'GET', `${maps}?limit=-5`, 200],
    ['a limit with an exponent', 'GET', `${maps}?limit=1e3`, 400],
    ['a timeout beyond 64 bits', 'GET', `${maps}?timeout=99999999999h`, 400],
    ['a timeout below zero', 'GET', `${maps}?timeout=-1s`, 400],
    ['a watch timeout that is not a number', 'GET', `${maps}?watch=1&timeoutSeconds=NaN`, 400],
    ['a selector of 20,000 conditions', 'GET', `${maps}?labelSelector=${'a,'.repeat(20_000)}a`, 400],
    ['a field selector of 20,000 conditions', 'GET', `${maps}?fieldSelector=${'a=b,'.repeat(10_000)}`, 400],
    ['a selector that is all brackets', 'GET', `${maps}?labelSelector=${'('.repeat(30_000)}`, 400],
    ['a path of 20,000 segments', 'GET', `/api/v1${'/a'.repeat(20_000)}`, 400],
    ['a token that is not a token', 'GET', `${maps}?continue=${'A'.repeat(20_000)}`, 400],
    ['a method that every object has', 'constructor', '/version', 405],
    ['a method named __proto__', '__proto__', '/version', 405],
  ] as const) {
    it(`a request with ${what} is answered with ${code}`, async () => {
      const answer = await server.client.send(method, target);
      assert.equal(answer.status, code, answer.text.slice(0, 200));
    });
  }

  it('a compressed request body is refused, not parsed as an uncompressed one', async () => {
    const headers = { 'content-encoding': 'gzip' };
    for (const [method, path] of [
      ['POST', maps],
      ['PUT', `${maps}/x`],
    ] as const) {
      const answer = await server.client.send(method, path, { headers, body: map('x') });
      assert.equal(answer.status, 415, answer.text);
    }
  });

  it('a grace period beyond the range of timestamps is limited to a valid timestamp', async () => {
    for (const [name, spec, query] of [
      ['asked', {}, '?gracePeriodSeconds=9007199254740991'],
      ['own', { terminationGracePeriodSeconds: 9007199254740991 }, ''],
    ] as const) {
      const containers = [{ name: 'a', image: 'x' }];
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { nodeName: 'n', containers, ...spec },
      };
      assert.equal((await server.client.post(pods, pod)).status, 201);
      const deleted = await server.client.delete(`${pods}/${name}${query}`);
      assert.equal(deleted.status, 200, deleted.text);
      assert.equal((await server.client.delete(`${pods}/${name}?gracePeriodSeconds=0`)).status, 200);
    }
  });

  it('requests for unknown resources and verbs create no metric series', async () => {
    const seriesOf = async (): Promise<readonly string[]> =>
      (await server.client.get('/metrics')).text.split('\n').map((line) => line.split('} ')[0] ?? '');
    for (let i = 0; i < 50; i += 1) {
      await server.client.get(`/made-up-${i}`);
      await server.client.get(`/api/v1/made-up-${i}/x/y${i}`);
      await server.client.get(`${pods}/x/made-up-${i}`);
      await server.client.send(`MADEUP${i}`, '/version');
    }
    // Other series are added meanwhile, by requests of the control plane.
    assert.deepEqual(
      (await seriesOf()).filter((series) => /made-?up/i.test(series)),
      [],
    );
  });

  it('two hundred watches of one client end with its connections and do not delay other clients', async () => {
    const greedy = new ApiClient(server.config, { maxSockets: WATCHES });
    const open = async (): Promise<number> => {
      const { text } = await server.client.get('/metrics');
      return [...text.matchAll(/^apiserver_longrunning_requests\{.*\} (\d+)$/gm)].reduce(
        (sum, m) => sum + Number(m[1]),
        0,
      );
    };
    const stop = new AbortController();
    const watches = many(WATCHES, () =>
      greedy
        .watch('/api/v1/namespaces?watch=1', stop.signal)
        .next()
        .then(
          () => undefined,
          () => undefined,
        ),
    );
    await Promise.all(watches);
    assert.ok((await open()) >= WATCHES);
    assert.equal((await server.client.post(maps, map('beside'))).status, 201);
    stop.abort();
    greedy[Symbol.dispose]();
    while ((await open()) > 0) await pause(50);
  });
});
