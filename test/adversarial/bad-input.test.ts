import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const maps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: unknown, rest: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...rest,
});

interface StatusBody {
  readonly kind: string;
  readonly status: string;
  readonly reason?: string;
  readonly message: string;
  readonly code: number;
}

/** The response is a failure Status whose code is the HTTP status, and whose message names the error. */
function refused(answer: ApiResponse, code: number, message: RegExp): void {
  const status = answer.json as StatusBody;
  assert.equal(answer.status, code, answer.text);
  assert.equal(status?.kind, 'Status', answer.text);
  assert.equal(status.status, 'Failure');
  assert.equal(status.code, code);
  assert.match(status.message, message);
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const aliasBomb = `apiVersion: v1
kind: ConfigMap
metadata: { name: bomb }
data:
  a: &a [x, x, x, x, x, x, x, x, x, x]
  b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
  c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
  d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
  e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
  f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
  g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]
  h: [*g, *g, *g, *g, *g, *g, *g, *g, *g, *g]
`;

describe('responses to malformed input', { timeout: 170_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer();
  });
  after(async () => {
    assert.equal((await server.client.get('/readyz')).status, 200, 'the server still runs');
    await server[Symbol.asyncDispose]();
  });

  const yaml = { contentType: 'application/yaml' };

  for (const [title, body, options, code, message] of [
    ['malformed JSON', '{"apiVersion": "v1", ', {}, 400, /JSON|position|end/i],
    ['JSON with something after it', '{} {}', {}, 400, /JSON|after|unexpected/i],
    ['an empty body', '', {}, 400, /empty|body/i],
    ['a body that is not an object', '[1]', {}, 400, /object/i],
    ['malformed YAML', 'a: [1, 2', yaml, 400, /YAML|yaml|flow|line/i],
    ['a YAML alias bomb', aliasBomb, yaml, 400, /alias/i],
    [
      'JSON nested 20,000 deep',
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":${nested(20_000)}}`,
      {},
      400,
      /deep|depth|nest/i,
    ],
    ['YAML nested 20,000 deep', `a: ${nested(20_000)}`, yaml, 400, /deep|depth|nest/i],
    [
      'a body above 3 MiB',
      JSON.stringify(configMap('big', { data: { a: 'x'.repeat(3 * 1024 * 1024) } })),
      {},
      413,
      /3145728|limit|large/i,
    ],
    ['a wrong kind in the body', JSON.stringify({ ...configMap('x'), kind: 'Secret' }), {}, 400, /Secret/],
    [
      'a wrong apiVersion in the body',
      JSON.stringify({ ...configMap('x'), apiVersion: 'v2' }),
      {},
      400,
      /v2/,
    ],
    [
      'another namespace in the body',
      JSON.stringify({ ...configMap('x'), metadata: { name: 'x', namespace: 'other' } }),
      {},
      400,
      /namespace/,
    ],
    ['an invalid name', JSON.stringify(configMap('Not_A_Name')), {}, 422, /metadata\.name/],
    ['a name with a slash', JSON.stringify(configMap('a/b')), {}, 422, /metadata\.name/],
    ['no name at all', JSON.stringify(configMap('')), {}, 422, /metadata\.name|metadata\.generateName/],
    ['a number where text belongs', JSON.stringify(configMap('x', { data: { a: 1 } })), {}, 400, /data/],
    [
      'text where an object belongs',
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: 'x' }),
      {},
      400,
      /metadata/,
    ],
    ['an unknown content type', '<a/>', { contentType: 'application/xml' }, 415, /application\/xml/],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), {}, 400, /UTF-8|JSON/i],
  ] as const) {
    it(`${title} is answered with ${code}`, async () => {
      refused(await server.client.send('POST', maps, { body, ...options }), code, message);
    });
  }

  for (const [title, method, path, code] of [
    ['`..` in a path', 'GET', '/api/v1/namespaces/default/configmaps/../secrets', 404],
    ['an encoded slash in a name', 'GET', `${maps}/a%2fb`, 404],
    ['an encoded `..` as a namespace', 'GET', '/api/v1/namespaces/%2e%2e/configmaps', 404],
    ['a NUL in a name', 'GET', `${maps}/a%00b`, 404],
    ['a broken escape', 'GET', `${maps}/%zz`, 400],
    ['an unknown HTTP method', 'BREW', maps, 405],
    ['PUT to a collection', 'PUT', maps, 405],
    ['POST to an object', 'POST', `${maps}/x`, 405],
    ['an unknown resource', 'GET', '/api/v1/unicorns', 404],
    ['an unknown subresource', 'GET', `${maps}/x/unknown`, 404],
  ] as const) {
    it(`${title} is answered with ${code}`, async () => {
      const answer = await rawRequest(server, `${method} ${path} HTTP/1.1`);
      const allowed = code === 404 ? ['400', '404'] : [String(code), '400'];
      assert.ok(allowed.includes(answer.slice(9, 12)), answer.slice(0, 400));
      assert.doesNotMatch(answer, /at .*\.ts:|at .*\.mjs:/, 'no stack trace leaves the server');
    });
  }

  it('integers beyond 2^53 are stored and returned exactly', async () => {
    const body =
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"exact"},"spec":{"activeDeadlineSeconds":1,"terminationGracePeriodSeconds":9007199254740993,"containers":[{"name":"a","image":"x"}]}}';
    const created = await server.client.post('/api/v1/namespaces/default/pods', body);
    assert.equal(created.status, 201, created.text);
    assert.match(created.text, /"terminationGracePeriodSeconds":9007199254740993[,}]/);
    const got = await server.client.get('/api/v1/namespaces/default/pods/exact');
    assert.match(got.text, /"terminationGracePeriodSeconds":9007199254740993[,}]/);
  });

  it('a key named __proto__ is treated as data', async () => {
    const created = await server.client.post(
      maps,
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"proto","__proto__":{"polluted":"yes"}},"data":{"__proto__":"value","constructor":"c"}}',
    );
    assert.equal(created.status, 201, created.text);
    assert.match(created.text, /"__proto__":"value"/);
    assert.doesNotMatch(created.text, /polluted/);
    const patched = await server.client.send('PATCH', `${maps}/proto`, {
      body: '{"data":{"__proto__":"other"},"__proto__":{"metadata":{"name":"evil"}}}',
      contentType: 'application/merge-patch+json',
    });
    assert.equal(patched.status, 200, patched.text);
    assert.match(patched.text, /"__proto__":"other"/);
  });

  it('a modified continue token is refused', async () => {
    for (let i = 0; i < 4; i += 1) await server.client.post(maps, configMap(`page-${i}`));
    const page = (await server.client.get(`${maps}?limit=2`)).json as { metadata: { continue: string } };
    const token = page.metadata.continue;
    assert.notEqual(token, '');
    for (let i = 0; i < token.length; i += 5) {
      const flipped = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      if (flipped === token) continue;
      refused(
        await server.client.get(`${maps}?limit=2&continue=${encodeURIComponent(flipped)}`),
        400,
        /continue/,
      );
    }
    refused(
      await server.client.get(`/api/v1/secrets?limit=2&continue=${encodeURIComponent(token)}`),
      400,
      /continue/,
    );
  });

  it('the server buffers a bounded amount for a client that stops reading a watch, and serves all other clients', async () => {
    using other = new ApiClient(server.config);
    const list = (await server.client.get(maps)).json as { metadata: { resourceVersion: string } };
    const from = list.metadata.resourceVersion;
    const sleeper = await openSocket(server);
    sleeper.write(`GET ${maps}?watch=1&resourceVersion=${from} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await new Promise<void>((resolve) => sleeper.once('data', () => resolve()));
    sleeper.pause();
    const stop = new AbortController();
    const events = other.watch(`${maps}?watch=1&resourceVersion=${from}`, stop.signal);
    // More than the event window of the cache holds: events that are not read must not be kept for one client.
    const total = 900;
    const text = 'z'.repeat(100_000);
    const created = await other.post(maps, configMap('loud'));
    assert.equal(created.status, 201);
    const reading = (async () => {
      let seen = 0;
      for await (const event of events) {
        if (event.type === 'MODIFIED') seen += 1;
        if (seen === total) return seen;
      }
      return seen;
    })();
    for (let i = 0; i < total; i += 1) {
      const answer = await other.put(`${maps}/loud`, configMap('loud', { data: { text, i: String(i) } }));
      assert.equal(answer.status, 200, answer.text);
    }
    assert.equal(await reading, total, 'a watcher that reads gets every event');
    stop.abort();
    // The events that the client receives when it resumes: every event in order, or an end; never a gap.
    let rest = '';
    let next = 0;
    let gap: string | undefined;
    sleeper.setEncoding('latin1');
    for await (const chunk of sleeper) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter((l) => l.startsWith('{"type":"MODIFIED"'))) {
        const { i } = (JSON.parse(line) as { object: { data: Record<string, string> } }).object.data;
        if (Number(i) !== next) gap ??= `event ${i} instead of ${next}`;
        next += 1;
      }
      if (next === total) break;
    }
    sleeper.destroy();
    assert.equal(gap, undefined);
  });
});

function openSocket(server: LaunchedServer): Promise<TLSSocket> {
  const { ca, cert, key } = server.config;
  return new Promise((resolve, reject) => {
    const socket = connect(
      {
        host: '127.0.0.1',
        port: server.port,
        ca,
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
      },
      () => resolve(socket),
    );
    socket.once('error', reject);
  });
}

/** Sends a request line exactly as given: a client library would have normalised it. */
async function rawRequest(server: LaunchedServer, requestLine: string): Promise<string> {
  const socket = await openSocket(server);
  socket.write(`${requestLine}\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}
