import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { head, reader } from '@orch/http/testing';
import {
  answered,
  backend,
  type ConnectFixture,
  connectFixture,
  exchanged,
  namespace,
} from '../testing/connect-fixture.ts';

const exec = head(
  `POST ${namespace}/pods/p/exec?command=ls HTTP/1.1`,
  'Connection: Upgrade',
  'Upgrade: SPDY/3.1',
  'Content-Length: 0',
);
const log = head(`GET ${namespace}/pods/p/log HTTP/1.1`, 'Connection: close');
const proxied = (path = '/'): string =>
  head(`GET ${namespace}/pods/p/proxy${path} HTTP/1.1`, 'Connection: close');

const smuggled = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-Smuggled: yes\r\n\r\nevil';

/** The reply to a client whose node agent (or pod, if `tls` is false) handles the first request like this. */
async function facing(
  tls: boolean,
  answer: (socket: Socket) => void,
  sendRequest: (f: ConnectFixture, port: number) => Promise<string>,
): Promise<{ readonly text: string; readonly received: string; readonly dialed: readonly string[] }> {
  await using other = await backend({ tls, answer: (socket) => answer(socket) });
  await using f = await connectFixture();
  await f.node(other.port);
  await f.pod('p', { containers: [{ name: 'c', image: 'x', ports: [{ containerPort: other.port }] }] });
  const text = await sendRequest(f, other.port);
  return { text, received: other.received(), dialed: f.dialed };
}

const answersIn = (text: string): number => text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;

describe('adversarial node agents', () => {
  for (const [what, bytes, expected] of [
    [
      'refuses with a body that looks like an answer',
      answered('400 Bad Request', smuggled),
      /^HTTP\/1\.1 400 /,
    ],
    ['refuses with a body without end', `HTTP/1.1 500 X\r\n\r\n${smuggled}`, /^HTTP\/1\.1 500 /],
    [
      'says 200 to an upgrade, and names the protocol',
      `HTTP/1.1 200 OK\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nContent-Length: 0\r\n\r\n${smuggled}`,
      /^HTTP\/1\.1 502 /,
    ],
    [
      'says 403 and goes on as if it had agreed',
      `HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n${smuggled}`,
      /^HTTP\/1\.1 502 .*refused the credentials of this server/s,
    ],
    [
      'changes to another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      /^HTTP\/1\.1 502 .*protocol that was not requested/s,
    ],
    [
      'redirects to credentials of the machine',
      'HTTP/1.1 307 X\r\nLocation: http://169.254.169.254/latest/meta-data/\r\nContent-Length: 0\r\n\r\n',
      /^HTTP\/1\.1 502 .*redirect \(307\), which is not followed/s,
    ],
    [
      'says something else than HTTP',
      'SSH-2.0-OpenSSH_9.9\r\n\r\n',
      /^HTTP\/1\.1 502 .*its answer is not HTTP/s,
    ],
    [
      'gives its length in two ways',
      `HTTP/1.1 400 X\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      /^HTTP\/1\.1 502 .*its answer is not HTTP/s,
    ],
    [
      'sends a head without end',
      `HTTP/1.1 200 OK\r\n${'X-Much: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(3000)}`,
      /^HTTP\/1\.1 502 .*larger than 65536 bytes/s,
    ],
    ['closes without a word', '', /^HTTP\/1\.1 502 .*closed before an answer/s],
  ] as const) {
    it(`a node agent that ${what} cannot send an answer to the client`, async () => {
      for (const [requestText, title] of [
        [exec, 'exec'],
        [log, 'log'],
      ] as const) {
        // Logs need no upgrade: a plain 200 is the expected answer.
        if (title === 'log' && what.startsWith('says 200')) continue;
        const { text, dialed } = await facing(
          true,
          (socket) => socket.end(bytes),
          (f) => exchanged(f, requestText),
        );
        if (title === 'exec') assert.match(text, expected);
        else assert.match(text, /^HTTP\/1\.1 [45]\d\d /);
        assert.doesNotMatch(text, /^X-Smuggled/m);
        assert.equal(text.split('\r\n\r\n').length, 2, 'one head and one body');
        assert.equal(dialed.length, 1, 'one connection, to the agent');
      }
    });
  }

  it('the text of a refusal is limited to a few kilobytes', async () => {
    const { text } = await facing(
      true,
      (socket) => socket.end(answered('400 Bad Request', 'x'.repeat(1_000_000))),
      (f) => exchanged(f, exec),
    );
    assert.ok(text.length < 10_000);
  });

  it('the text of a log is always text/plain, without header fields of the agent', async () => {
    const page = '<script>alert(1)</script>';
    const { text } = await facing(
      true,
      (socket) =>
        socket.end(answered('200 OK', page, 'Content-Type: text/html', 'Set-Cookie: a=b', 'X-Own: 1')),
      (f) => exchanged(f, log),
    );
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(text, /\r\nContent-Type: text\/plain\r\n/);
    assert.match(text, /\r\nX-Content-Type-Options: nosniff\r\n/);
    assert.doesNotMatch(text, /set-cookie|x-own/i);
    assert.match(text, /\r\n\r\n<script>alert\(1\)<\/script>$/);
  });
});

describe('clients that send bytes before the answer to an upgrade', () => {
  const next = head(`DELETE ${namespace}/pods/p HTTP/1.1`);

  it('early bytes of the client are delivered after the upgrade, and not before', async () => {
    const { promise, resolve } = Promise.withResolvers<Socket>();
    await using agent = await backend({ tls: true, answer: resolve });
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const socket = await f.server.connect();
    const out = reader(socket);
    socket.write(`${exec}ahead of time`);
    const agentSide = await promise;
    assert.doesNotMatch(agent.received(), /ahead/);
    agentSide.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
    await agent.until(/\r\n\r\nahead of time$/);
    socket.destroy();
    await out.closed;
  });

  it('early bytes are discarded when the agent refuses', async () => {
    const { text, received } = await facing(
      true,
      (socket) => socket.end(answered('400 Bad Request', 'no')),
      (f) => exchanged(f, exec + next),
    );
    assert.equal(answersIn(text), 1);
    assert.match(text, /\r\nConnection: close\r\n/);
    assert.doesNotMatch(received, /DELETE/);
  });

  it('early bytes are buffered up to a bound', async () => {
    await using agent = await backend({ tls: true, answer: () => undefined });
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const socket = await f.server.connect();
    const out = reader(socket);
    socket.write(exec);
    const much = Buffer.alloc(64 * 1024 * 1024);
    socket.write(much);
    await agent.until(/\r\n\r\n/);
    for (let turns = 0; turns < 500; turns++) await new Promise((turn) => setImmediate(turn));
    assert.ok(socket.writableLength > 0, 'the client is held back');
    f.api.env.clock.advance(30_001);
    await out.until(/502/);
    socket.destroy();
  });
});

describe('adversarial proxied programs', () => {
  for (const [what, bytes, expected] of [
    ['sends more than it announced', `${answered('200 OK', 'body')}${smuggled}`, /\r\n\r\nbody$/],
    ['answers twice', `HTTP/1.1 204 No Content\r\n\r\n${smuggled}`, /^HTTP\/1\.1 204 [\s\S]*\r\n\r\n$/],
    [
      'changes the protocol unasked',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET /',
      /^HTTP\/1\.1 502 /,
    ],
    [
      'gives its length in two ways',
      `HTTP/1.1 200 X\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      /^HTTP\/1\.1 502 /,
    ],
    [
      'has an invented status',
      answered('999 Own', 'x'),
      /^HTTP\/1\.1 502 [\s\S]*status 999, which does not exist/,
    ],
    [
      'has a field called __proto__',
      answered('200 OK', 'x', '__proto__: a', '__proto__: b'),
      /^HTTP\/1\.1 200 [\s\S]*\r\n__proto__: a, b\r\n[\s\S]*\r\n\r\nx$/,
    ],
    [
      'folds a header field',
      'HTTP/1.1 200 X\r\nA: b\r\n c: d\r\nContent-Length: 0\r\n\r\n',
      /^HTTP\/1\.1 (502|200 [\s\S]*\r\nA: b c: d\r\n)/,
    ],
    [
      'decides over the whole origin',
      answered(
        '200 OK',
        '',
        'Strict-Transport-Security: max-age=1',
        'Clear-Site-Data: "*"',
        'Access-Control-Allow-Origin: *',
        'Audit-Id: mine',
        'NEL: mine',
        'Report-To: mine',
        'Reporting-Endpoints: a="mine"',
        'Access-Control-Max-Age: 1',
        'X-Other-PF-FlowSchema-UID: mine',
        'Date: never',
      ),
      /^HTTP\/1\.1 200 (?![\s\S]*(strict-transport|clear-site|access-control|mine|never))/i,
    ],
  ] as const) {
    it(`a program that ${what} sends one complete answer to its client`, async () => {
      const { text } = await facing(
        false,
        (socket) => socket.end(bytes),
        (f) => exchanged(f, proxied()),
      );
      assert.match(text, expected);
      assert.doesNotMatch(text, /X-Smuggled/);
      assert.equal(answersIn(text), 1);
    });
  }

  for (const [what, bytes] of [
    ['of a known length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['in bad chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n'],
  ] as const) {
    it(`a body that the program interrupts ${what} is not taken for complete`, async () => {
      const { text } = await facing(
        false,
        (socket) => socket.end(bytes),
        (f) => exchanged(f, proxied()),
      );
      assert.doesNotMatch(text, /\r\n0\r\n\r\n$/);
      assert.doesNotMatch(text, /Content-Length: 4\r\n/);
    });
  }

  it('redirects of a program are not followed', async () => {
    const { text, dialed } = await facing(
      false,
      (socket) => socket.end(answered('302 Found', '', 'Location: http://169.254.169.254/latest/')),
      (f) => exchanged(f, proxied()),
    );
    assert.match(text, /^HTTP\/1\.1 302 [\s\S]*\r\nLocation: http:\/\/169\.254\.169\.254\/latest\/\r\n/);
    assert.equal(dialed.length, 1);
  });

  it('an upgrade with additional header fields and early bytes is passed on in order', async () => {
    await using program = await backend({
      answer: (socket) =>
        socket.write(
          `HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nX-App: 1\r\n\r\n${smuggled}`,
        ),
    });
    await using f = await connectFixture();
    await f.pod('p');
    const socket = await f.server.connect();
    const out = reader(socket);
    socket.write(
      head(
        `GET ${namespace}/pods/p:${program.port}/proxy/ws HTTP/1.1`,
        'Connection: Upgrade',
        'Upgrade: websocket',
      ),
    );
    const text = await out.until(/evil$/);
    assert.match(text, /^HTTP\/1\.1 101 [\s\S]*?\r\nX-App: 1\r\n[\s\S]*?\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    socket.destroy();
  });

  it('an upgrade to HTTP/2 is not forwarded', async () => {
    const { text, received } = await facing(
      false,
      (socket) => socket.end(answered('200 OK', 'plain')),
      (f) =>
        exchanged(
          f,
          head(
            `GET ${namespace}/pods/p/proxy/ HTTP/1.1`,
            'Connection: close, Upgrade, HTTP2-Settings',
            'Upgrade: h2c',
            'HTTP2-Settings: AAA',
          ),
        ),
    );
    assert.match(text, /plain$/);
    assert.doesNotMatch(received, /upgrade|http2/i);
  });
});

describe('adversarial addresses in objects', () => {
  for (const address of [
    '169.254.169.254',
    'fe80::1',
    '::ffff:169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    'a@b',
    'host/path',
    'host:80',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    ' x',
    'a b',
    '',
  ]) {
    it(`a node at ${JSON.stringify(address)} is not dialled`, async () => {
      await using f = await connectFixture();
      await f.node(10_250, { type: 'InternalIP', address });
      await f.pod('p');
      for (const path of [`${namespace}/pods/p/log`, '/api/v1/nodes/n/proxy/', '/api/v1/nodes/n:80/proxy/']) {
        const text = await exchanged(f, head(`GET ${path} HTTP/1.1`, 'Connection: close'));
        assert.match(text, /^HTTP\/1\.1 (503|400) [\s\S]*(address not allowed|no address of type)/, path);
      }
      assert.deepEqual(f.dialed, []);
    });
  }

  for (const podIP of ['127.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1', 'fe80::1', '0.0.0.0']) {
    it(`a pod at ${podIP} is not dialled`, async () => {
      await using f = await connectFixture();
      await f.pod('p', {}, { podIP, podIPs: [{ ip: podIP }] });
      assert.match(await exchanged(f, proxied()), /^HTTP\/1\.1 400 [\s\S]*address not allowed/);
      assert.deepEqual(f.dialed, []);
    });
  }

  it('on a node at this machine only the agent is dialled', async () => {
    await using agent = await backend({
      tls: true,
      answer: (socket) => socket.end(answered('200 OK', 'agent')),
    });
    await using f = await connectFixture();
    await f.node(agent.port, { type: 'InternalIP', address: '127.0.0.1' });
    const get = (name: string) =>
      exchanged(f, head(`GET /api/v1/nodes/${name}/proxy/ HTTP/1.1`, 'Connection: close'));
    assert.match(await get('n'), /agent$/);
    assert.match(await get(`http:n:${agent.port}`), /agent$/);
    assert.match(await get('n:2379'), /^HTTP\/1\.1 400 [\s\S]*address not allowed/);
    assert.deepEqual(f.dialed, [`127.0.0.1:${agent.port}`, `127.0.0.1:${agent.port}`]);
  });

  it('a name that resolves to a forbidden address is not dialled', async () => {
    await using f = await connectFixture({ openTcp: connect });
    await f.node(10_250, { type: 'Hostname', address: 'localhost' });
    // The agent may be on this machine; other local services must not be reachable.
    const text = await exchanged(f, head('GET /api/v1/nodes/n:2379/proxy/ HTTP/1.1', 'Connection: close'));
    assert.match(text, /^HTTP\/1\.1 503 [\s\S]*address not allowed/);
  });
});

describe('adversarial paths of proxy requests', () => {
  for (const path of [
    '/../x',
    '/a/../../x',
    '/%2e%2e/x',
    '/.%2E/x',
    '/a%2fb',
    '/a\\b',
    '/%5c..',
    '/%00',
    '/%0d%0aX-A:b',
    '/./x',
  ]) {
    it(`the path ${path} is not forwarded`, async () => {
      await using f = await connectFixture();
      await f.pod('p');
      assert.match(await exchanged(f, proxied(path)), /^HTTP\/1\.1 400 /);
      assert.deepEqual(f.dialed, []);
    });
  }

  it('a path over HTTP/2 with characters that a request line cannot contain is refused', async () => {
    await using f = await connectFixture();
    await f.pod('p');
    const session = f.server.http2();
    for (const path of ['/a#b', '/a?b#c']) {
      const stream = session.request({
        ':path': `${namespace}/pods/p/proxy${path}`,
        authorization: 'Bearer secret',
      });
      stream.on('error', () => undefined);
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      assert.equal(headers[':status'], 400, path);
      stream.close();
    }
    session.close();
    assert.deepEqual(f.dialed, []);
  });

  for (const name of ['ftp:p:80', 'a:b:c:d', 'https::80', ':80', 'p:80:x:', 'javascript:p']) {
    it(`a pod with the name ${name} cannot be requested`, async () => {
      await using f = await connectFixture();
      const text = await exchanged(
        f,
        head(`GET ${namespace}/pods/${name}/proxy/ HTTP/1.1`, 'Connection: close'),
      );
      assert.match(text, /^HTTP\/1\.1 (400|404) /);
      assert.deepEqual(f.dialed, []);
    });
  }
});
