import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { type RunningConsole, startConsole } from './console-browser.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends a request as it is, with any `Host` and any path. */
async function send(
  address: URL,
  path: string,
  { method = 'GET', headers = {}, body }: Sending = {},
): Promise<Answer> {
  const outgoing = request({
    host: address.hostname,
    port: address.port,
    method,
    path,
    headers,
    agent: false,
  });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return {
    status: incoming.statusCode,
    headers: incoming.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/** The header with which a browser that has opened the printed address continues. */
async function signIn({ address }: RunningConsole): Promise<Record<string, string>> {
  const { headers } = await send(address, address.pathname + address.search);
  return { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '' };
}

describe('attacks on the port of the console', () => {
  let server: LaunchedServer;
  let open: RunningConsole;
  let readOnly: RunningConsole;
  let user: Record<string, string>;
  let reader: Record<string, string>;
  before(async () => {
    server = await launchServer();
    open = await startConsole(server.adminConfig);
    readOnly = await startConsole(server.adminConfig, ['--read-only']);
    [user, reader] = await Promise.all([signIn(open), signIn(readOnly)]);
  });
  after(async () => {
    await open[Symbol.asyncDispose]();
    await readOnly[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const api = (path: string, sending: Sending = {}): Promise<Answer> =>
    send(open.address, `${open.address.pathname}server${path}`, {
      ...sending,
      headers: { ...user, ...sending.headers },
    });

  it('the printed address works once, and shows nothing of the token afterwards', async () => {
    const again = await send(open.address, open.address.pathname + open.address.search);
    assert.deepEqual([again.status, again.headers['set-cookie']], [401, undefined]);
    const page = await send(open.address, open.address.pathname, { headers: user });
    assert.equal(page.status, 200);
    assert.ok(!page.text.includes(open.address.search.slice('?token='.length)));
  });

  for (const path of ['', 'session', 'server/api', 'assets/x.js'])
    it(`nobody reads /${path} without the cookie, or knows the path without the address`, async () => {
      const { pathname } = open.address;
      assert.equal((await send(open.address, pathname + path)).status, 401);
      assert.equal((await send(open.address, `/${path}`)).status, 401);
      assert.equal((await send(open.address, `/${path}`, { headers: user })).status, 404);
    });

  it('a name of another host that leads here is refused, also with the cookie and with the token', async () => {
    const headers = { ...user, host: `evil.example:${open.address.port}` };
    assert.equal((await api('/api/v1/secrets', { headers })).status, 421);
    await using another = await startConsole(server.adminConfig);
    const { pathname, search } = another.address;
    const rebound = await send(another.address, pathname + search, { headers: { host: 'evil.example' } });
    assert.deepEqual([rebound.status, rebound.headers['set-cookie']], [421, undefined]);
  });

  for (const [title, headers] of [
    ['a form of another site', { origin: 'http://evil.example', 'content-type': 'text/plain' }],
    ['a script of another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['an image of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
  ] as const)
    it(`${title} neither writes nor reads, although the browser adds the cookie`, async () => {
      const target = '/api/v1/namespaces';
      const body = JSON.stringify({ metadata: { name: 'planted' } });
      assert.equal((await api(target, { method: 'POST', headers, body })).status, 403);
      const { status, text } = await api(target, { headers });
      assert.deepEqual([status, text.includes('default')], [403, false]);
      assert.equal((await server.client.get('/api/v1/namespaces/planted')).status, 404);
    });

  it('no answer can be read, framed, run or kept by others', async () => {
    for (const { headers } of [
      await send(open.address, open.address.pathname, { headers: user }),
      await api('/api/v1/namespaces'),
      await api('/nothing'),
    ]) {
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      assert.equal(headers['access-control-allow-origin'], undefined);
      assert.deepEqual(
        [
          headers['cache-control'],
          headers['x-content-type-options'],
          headers['cross-origin-resource-policy'],
        ],
        ['no-store', 'nosniff', 'same-origin'],
      );
    }
    assert.match(String((await api('/api/v1/namespaces')).headers['content-security-policy']), /sandbox/);
  });

  it('nothing of the credentials reaches the page', async () => {
    const { token = '' } = server.config;
    const secrets = [token, String(server.config.key ?? '')].filter((each) => each !== '');
    assert.ok(secrets.length > 0);
    const { pathname } = open.address;
    const review = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
    for (const { text, headers } of [
      await send(open.address, `${pathname}session`, { headers: user }),
      await send(open.address, pathname, { headers: user }),
      await api(review, { method: 'POST', body: '{}' }),
      await api('/%2e'),
    ])
      for (const secret of secrets) assert.ok(!(text + JSON.stringify(headers)).includes(secret));
  });

  it('a page cannot choose another identity', async () => {
    const headers = { authorization: 'Bearer x', 'impersonate-user': 'nobody', 'x-remote-user': 'nobody' };
    assert.equal((await api('/api/v1/secrets', { headers })).status, 200);
  });

  it('containers, nodes and services cannot be reached, neither by requests nor by upgrades', async () => {
    const upgrade = {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const pod = '/api/v1/namespaces/default/pods/one';
    for (const path of ['exec?command=sh', 'attach', 'portforward', 'proxy/', 'ex%65c', '%65xec'])
      assert.equal((await api(`${pod}/${path}`)).status, 403);
    for (const path of [`${pod}/attach`, `${pod}/proxy/`, '/api/v1/namespaces?watch=true'])
      assert.equal((await api(path, { headers: { ...upgrade, origin: open.address.origin } })).status, 403);
  });

  it('the proxy refuses every write with --read-only, and the server does not see it', async () => {
    const target = `${readOnly.address.pathname}server/api/v1/namespaces`;
    const body = JSON.stringify({ metadata: { name: 'written' } });
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', '/default'],
      ['PATCH', '/default'],
      ['DELETE', '/default'],
      ['POST', '?dryRun=All'],
    ] as const) {
      const answer = await send(readOnly.address, target + path, { method, headers: reader, body });
      assert.deepEqual([answer.status, /read-only/.test(answer.text)], [403, true]);
    }
    assert.equal((await server.client.get('/api/v1/namespaces/written')).status, 404);
    assert.equal((await send(readOnly.address, target, { headers: reader })).status, 200);
  });

  it('a cookie of one console is worth nothing at another one', async () => {
    const { status } = await send(readOnly.address, readOnly.address.pathname, { headers: user });
    assert.equal(status, 401);
  });

  it('a body of more than 16 MiB is refused', async () => {
    const body = Buffer.alloc(17 * 1024 * 1024, ' ');
    assert.equal((await api('/api/v1/namespaces', { method: 'POST', body })).status, 413);
  });

  it('a server that cannot be reached is a failure with a reason', async () => {
    const gone = await launchServer();
    await using running = await startConsole(gone.adminConfig);
    const headers = await signIn(running);
    await gone[Symbol.asyncDispose]();
    const { status, text } = await send(running.address, `${running.address.pathname}server/api`, {
      headers,
    });
    assert.deepEqual([status, JSON.parse(text).kind], [502, 'Status']);
  });
});
