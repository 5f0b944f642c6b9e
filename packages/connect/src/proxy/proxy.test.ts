import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { after, before, describe, it } from 'node:test';
import { head, servingTls } from '@orch/http/testing';
import {
  type ConnectFixture,
  connectFixture,
  exchanged,
  namespace,
  somewhere,
} from '../testing/connect-fixture.ts';

type Program = (request: IncomingMessage, response: ServerResponse) => void;

/** Programs by the first segment of their path; each test adds its own. */
const programs = new Map<string, Program>();
const serve: Program = (request, response) => {
  const name = request.url?.split(/[/?]/)[1] ?? '';
  const program = programs.get(name) ?? programs.get('');
  program?.(request, response);
};

let f: ConnectFixture;
let plain: Server;
let secure: Server;
let port = 0;
let securePort = 0;

const opened = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

before(async () => {
  plain = createServer(serve);
  secure = createTlsServer(servingTls, serve);
  port = await opened(plain);
  securePort = await opened(secure);
  f = await connectFixture();
  await f.node(securePort);
  await f.pod('p', {
    containers: [{ name: 'c', image: 'x', ports: [{ name: 'web', containerPort: port }] }],
  });
  programs.set('', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('Content-Type', 'text/plain');
      response.end(`${request.method} ${request.url} [${Buffer.concat(chunks)}]`);
    });
  });
});
after(async () => {
  await f[Symbol.asyncDispose]();
  plain.closeAllConnections();
  secure.closeAllConnections();
  plain.close();
  secure.close();
});

const podProxy = `${namespace}/pods/p/proxy`;
const sendRequest = (line: string, ...fields: readonly string[]): Promise<string> =>
  exchanged(f, head(`${line} HTTP/1.1`, 'Connection: close', ...fields));
const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

describe('proxy to pods, services and nodes', () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`${method} is forwarded with path, query and body`, async () => {
      const text = await exchanged(
        f,
        head(
          `${method} ${podProxy}/a%20b/?x=1&watch=true&timeout=never HTTP/1.1`,
          'Connection: close',
          'Content-Length: 4',
        ),
        'body',
      );
      assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(text, new RegExp(`${method} /a%20b/\\?x=1&watch=true&timeout=never \\[body\\]`));
    });
  }

  it('HEAD is forwarded, and answered with the length of GET', async () => {
    programs.set('sized', (_request, response) => void response.setHeader('Content-Length', 12).end());
    const text = await sendRequest(`HEAD ${podProxy}/sized`);
    assert.match(text, /\r\nContent-Length: 12\r\n/);
    assert.equal(bodyOf(text), '');
  });

  for (const [status, expected] of [
    [204, /^HTTP\/1\.1 204 /],
    [304, /^HTTP\/1\.1 304 /],
    [404, /^HTTP\/1\.1 404 [\s\S]*\r\n\r\nnot here$/],
    [500, /^HTTP\/1\.1 500 [\s\S]*\r\n\r\nnot here$/],
  ] as const) {
    it(`the status ${status} is passed back unchanged`, async () => {
      programs.set('status', (_request, response) => {
        response.statusCode = status;
        response.end(status < 400 ? undefined : 'not here');
      });
      assert.match(await sendRequest(`GET ${podProxy}/status`), expected);
    });
  }

  it('the client connection is kept for further requests', async () => {
    const text = await exchanged(
      f,
      head(`POST ${podProxy}/one HTTP/1.1`, 'Transfer-Encoding: chunked'),
      '3\r\nabc\r\n0\r\n\r\n',
      head(`GET ${podProxy}/two HTTP/1.1`, 'Connection: close'),
    );
    assert.match(text, /POST \/one \[abc\][\s\S]*GET \/two \[\]/);
  });

  it('the program receives the origin of the request, and no identity or credentials', async () => {
    let seen: IncomingMessage | undefined;
    programs.set('who', (request, response) => {
      seen = request;
      response.end();
    });
    await exchanged(
      f,
      [
        `GET ${podProxy}/who?q HTTP/1.1`,
        'Host: api.example.com:6443',
        'Authorization: Bearer secret',
        'Connection: close, X-Hop',
        'X-Hop: 1',
        'Keep-Alive: timeout=5',
        'TE: trailers',
        'Proxy-Authorization: Basic eA==',
        'X-Remote-User: admin',
        'X-Remote-Group: system:masters',
        'X-Remote-Extra-Scopes: all',
        'X_Remote_User: admin',
        'x.remote.extra.scopes: all',
        'Cookie: session=1',
        'X-Forwarded-For: 192.0.2.1',
        'X-Forwarded-Uri: /made/up',
        'Forwarded: for=192.0.2.1',
        'X-App: kept',
        '',
        '',
      ].join('\r\n'),
    );
    assert.deepEqual(
      { ...seen?.headers },
      {
        host: 'api.example.com:6443',
        connection: 'close',
        cookie: 'session=1',
        'x-app': 'kept',
        'x-forwarded-for': '192.0.2.1, 127.0.0.1',
        'x-forwarded-host': 'api.example.com:6443',
        'x-forwarded-proto': 'https',
        'x-forwarded-uri': `${podProxy}/who`,
      },
    );
  });

  it('header fields in which a front proxy names users are removed', async () => {
    let seen: IncomingMessage | undefined;
    programs.set('who', (request, response) => {
      seen = request;
      response.end();
    });
    await using other = await connectFixture({
      identityFields: { names: ['x-user'], prefixes: ['x-extra-'] },
    });
    await other.pod('p');
    const text = head(
      `GET ${namespace}/pods/p:${port}/proxy/who HTTP/1.1`,
      'Connection: close',
      'X-User: a',
      'X-Extra-B: c',
      'X-Users: kept',
    );
    await exchanged(other, text);
    assert.deepEqual(
      [seen?.headers['x-user'], seen?.headers['x-extra-b'], seen?.headers['x-users']],
      [undefined, undefined, 'kept'],
    );
  });

  it('redirects and cookies are rewritten to paths of this server', async () => {
    programs.set('login', (_request, response) => {
      response.writeHead(302, {
        Location: '/home?a=b',
        'Set-Cookie': ['s=1; Path=/', 't=2; Path=/x; Domain=a.b'],
      });
      response.end();
    });
    const text = await sendRequest(`GET ${podProxy}/login`);
    assert.match(text, new RegExp(`\\r\\nLocation: ${podProxy}/home\\?a=b\\r\\n`));
    assert.match(
      text,
      new RegExp(`\\r\\nSet-Cookie: s=1; Path=${podProxy}/\\r\\nSet-Cookie: t=2; Path=${podProxy}/x\\r\\n`),
    );
  });

  it('links of pages are rewritten', async () => {
    programs.set('page', (request, response) => {
      assert.equal(request.headers['accept-encoding'], undefined);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end('<a href="/next">next</a>');
    });
    const text = await sendRequest(`GET ${podProxy}/page`, 'Accept: text/html,*/*', 'Accept-Encoding: gzip');
    assert.match(text, new RegExp(`<a href="${podProxy}/next">next</a>`));
    assert.match(text, /\r\nTransfer-Encoding: chunked\r\n/);
  });

  it('the path without a final slash is redirected, so that relative links work', async () => {
    assert.match(
      await sendRequest(`GET ${podProxy}?a=b`),
      new RegExp(`^HTTP/1\\.1 301 [\\s\\S]*\\r\\nLocation: ${podProxy}/\\?a=b\\r\\n`),
    );
    assert.match(await sendRequest(`DELETE ${podProxy}?a=b`), /DELETE \/\?a=b \[\]/);
  });

  it('repeated header fields are passed on over both protocols, one value where only one is allowed', async () => {
    programs.set('twice', (_request, response) => {
      for (const [name, values] of Object.entries({
        'Content-Type': ['text/plain', 'text/html'],
        Vary: ['A', 'B'],
        'Set-Cookie': ['a=1', 'b=2'],
        'HTTP2-Settings': ['x'],
        __proto__x: ['p', 'q'],
      }))
        response.appendHeader(name, values);
      response.end('ok');
    });
    const text = await sendRequest(`GET ${podProxy}/twice`);
    assert.match(text, /\r\nContent-Type: text\/plain\r\n/);
    assert.match(text, /\r\nVary: A, B\r\n/);
    const session = f.server.http2();
    const stream = session.request({ ':path': `${podProxy}/twice`, authorization: 'Bearer secret' });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    stream.resume();
    session.close();
    assert.deepEqual(
      [headers[':status'], headers['content-type'], headers['vary'], headers['set-cookie']],
      [200, 'text/plain', 'A, B', ['a=1', 'b=2']],
    );
  });

  it('the body of an answer is streamed', async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>();
    programs.set('events', (_request, response) => {
      response.setHeader('Content-Type', 'text/event-stream');
      response.write('data: 1\n\n');
      resolve(response);
    });
    const session = f.server.http2();
    const stream = session.request({ ':path': `${podProxy}/events`, authorization: 'Bearer secret' });
    const [first] = (await once(stream, 'data')) as [Buffer];
    assert.equal(String(first), 'data: 1\n\n');
    const second = once(stream, 'data');
    (await promise).write('data: 2\n\n');
    assert.equal(String((await second)[0]), 'data: 2\n\n');
    const gone = once(await promise, 'close');
    stream.close();
    await gone;
    session.close();
  });

  it('a client is stopped by back-pressure when its program does not read, over both protocols', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    for (const protocol of ['HTTP/1.1', 'HTTP/2']) {
      const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
      let received = 0;
      programs.set('slow', (request, response) => {
        resolve(request);
        request.on('end', () => response.end('done'));
      });
      const length = 1024 * piece.length;
      const path = `${podProxy}/slow`;
      const client =
        protocol === 'HTTP/2'
          ? f.server.http2().request({ ':method': 'POST', ':path': path, authorization: 'Bearer secret' })
          : await f.server.connect();
      if (protocol === 'HTTP/1.1')
        client.write(head(`POST ${path} HTTP/1.1`, `Content-Length: ${length}`, 'Connection: close'));
      let written = 0;
      const fill = (): void => {
        while (written < 1024) {
          written++;
          if (!client.write(piece)) {
            client.once('drain', fill);
            return;
          }
        }
        if (protocol === 'HTTP/2') client.end();
      };
      fill();
      const request = await promise;
      for (let turns = 0, before = -1; turns < 500; turns++) {
        if (written !== before) turns = 0;
        before = written;
        await new Promise((turn) => setImmediate(turn));
      }
      assert.ok(written < 1024, `${protocol}: ${written} pieces were taken`);
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      let text = '';
      client.on('data', (chunk: Buffer) => {
        text += String(chunk);
      });
      await once(client, 'close');
      assert.match(text, /done$/, protocol);
      assert.equal(received, length, protocol);
    }
  });

  it('a program sees an interrupted body when its client disconnects', async () => {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    programs.set('half', resolve);
    const socket = await f.server.connect();
    socket.write(head(`POST ${podProxy}/half HTTP/1.1`, 'Content-Length: 100'));
    socket.write('half');
    const request = await promise;
    const gone = new Promise((resolve) => request.on('error', () => undefined).on('close', resolve));
    request.resume();
    socket.destroy();
    await gone;
    assert.equal(request.complete, false);
  });

  it('an answer is passed on before the request body is complete', async () => {
    programs.set('early', (_request, response) => {
      response.writeHead(413, { Connection: 'close' });
      response.end('too much');
    });
    const text = await exchanged(
      f,
      head(`POST ${podProxy}/early HTTP/1.1`, 'Content-Length: 10000000'),
      Buffer.alloc(1000),
    );
    assert.match(text, /^HTTP\/1\.1 413 [\s\S]*\r\ntoo much\r\n0\r\n\r\n$/);
  });

  it('100-continue is sent once, and not requested from the program', async () => {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    programs.set('expect', (request, response) => {
      resolve(request);
      request.resume().on('end', () => response.end('thanks'));
    });
    const socket = await f.server.connect();
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += String(chunk);
    });
    socket.write(
      head(
        `POST ${podProxy}/expect HTTP/1.1`,
        'Expect: 100-continue',
        'Content-Length: 200000',
        'Connection: close',
      ),
    );
    await once(socket, 'data');
    socket.write(Buffer.alloc(100_000));
    const request = await promise;
    socket.write(Buffer.alloc(100_000));
    await once(socket, 'close');
    assert.match(text, /thanks$/);
    assert.equal(text.match(/100 Continue/g)?.length, 1);
    assert.equal(request.headers.expect, undefined);
  });

  it('an answer without bytes for four hours is ended', async () => {
    programs.set('stuck', (_request, response) => void response.write('beginning'));
    const answer = sendRequest(`GET ${podProxy}/stuck`);
    const socket = await f.server.connect();
    socket.destroy();
    while (f.api.env.clock.pending === 0) await new Promise((turn) => setImmediate(turn));
    for (let turns = 0; turns < 300; turns++) await new Promise((turn) => setImmediate(turn));
    f.api.env.clock.advance(5 * 3_600_000);
    assert.doesNotMatch(await answer, /0\r\n\r\n$/);
  });
});

describe('destinations of proxy requests', () => {
  const endpoints = (name: string, ...subsets: readonly object[]): object => ({
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { name },
    subsets,
  });
  const toPod = (ip = somewhere, reference: object = { kind: 'Pod', namespace: 'default', name: 'p' }) => ({
    ip,
    targetRef: reference,
  });
  const service = (name: string, ...ports: readonly object[]): object => ({
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name },
    spec: { ports },
  });

  before(async () => {
    const { api } = f;
    await api.post(`${namespace}/services`, service('one', { port: 80 }));
    await api.post(`${namespace}/endpoints`, endpoints('one', { addresses: [toPod()], ports: [{ port }] }));
    await api.post(
      `${namespace}/services`,
      service('two', { name: 'http', port: 80 }, { name: 'tls', port: 443 }),
    );
    await api.post(
      `${namespace}/endpoints`,
      endpoints('two', {
        addresses: [toPod()],
        ports: [
          { name: 'http', port },
          { name: 'tls', port: securePort },
        ],
      }),
    );
    await api.post(`${namespace}/services`, service('none', { port: 80 }));
    await api.post(`${namespace}/services`, service('unready', { port: 80 }));
    await api.post(
      `${namespace}/endpoints`,
      endpoints('unready', { notReadyAddresses: [toPod()], ports: [{ port }] }),
    );
    await api.post(`${namespace}/services`, service('made-up', { port: 80 }));
    await api.post(
      `${namespace}/endpoints`,
      endpoints('made-up', {
        addresses: [
          { ip: '198.51.100.99' },
          toPod('198.51.100.98'),
          toPod(somewhere, { kind: 'Pod', namespace: 'other', name: 'p' }),
          toPod(somewhere, { kind: 'Pod', namespace: 'default', name: 'gone' }),
          toPod(somewhere, { kind: 'Node', name: 'n' }),
        ],
        ports: [{ port }],
      }),
    );
    await f.pod('portless');
    await f.pod('pending', {}, { podIP: '', podIPs: [] });
  });

  for (const [target, expected] of [
    ['pods/p', /GET \/x \[\]$/],
    ['pods/p:web', /GET \/x \[\]$/],
    ['pods/http:p:', /GET \/x \[\]$/],
    ['pods/:p:web', /GET \/x \[\]$/],
    ['services/one', /GET \/x \[\]$/],
    ['services/one:80', /GET \/x \[\]$/],
    ['services/two:http', /GET \/x \[\]$/],
    ['services/two:80', /GET \/x \[\]$/],
    ['services/https:two:443', /GET \/x \[\]$/],
    ['services/https:two:tls', /GET \/x \[\]$/],
    ['pods/gone', /^HTTP\/1\.1 404 [\s\S]*pods \\"gone\\" not found/],
    ['services/gone', /^HTTP\/1\.1 404 [\s\S]*services \\"gone\\" not found/],
    ['pods/p:nope', /^HTTP\/1\.1 400 [\s\S]*pod p has no port \\"nope\\"/],
    ['pods/p:0', /^HTTP\/1\.1 400 [\s\S]*pod p has no port \\"0\\"/],
    ['pods/pending', /^HTTP\/1\.1 400 [\s\S]*does not have an address yet/],
    ['services/two', /^HTTP\/1\.1 503 [\s\S]*no endpoints available for service \\"two\\"/],
    ['services/two:81', /^HTTP\/1\.1 503 [\s\S]*no service port 81 found for service \\"two\\"/],
    ['services/two:nope', /^HTTP\/1\.1 503 [\s\S]*no endpoints available/],
    ['services/none', /^HTTP\/1\.1 503 [\s\S]*no endpoints available/],
    ['services/unready', /^HTTP\/1\.1 503 [\s\S]*no endpoints available/],
    ['services/made-up', /^HTTP\/1\.1 503 [\s\S]*no endpoints available/],
    ['services/ftp:one:80', /^HTTP\/1\.1 400 [\s\S]*invalid service request/],
  ] as const) {
    it(`the target ${target} leads to ${expected.source}`, async () => {
      assert.match(await sendRequest(`GET ${namespace}/${target}/proxy/x`), expected);
    });
  }

  for (const [target, expected] of [
    ['n', /GET \/x \[\]$/],
    ['gone', /^HTTP\/1\.1 404 [\s\S]*nodes \\"gone\\" not found/],
    ['n:kube', /^HTTP\/1\.1 400 [\s\S]*invalid port \\"kube\\" of node n/],
    ['n:70000', /^HTTP\/1\.1 400 /],
  ] as const) {
    it(`the target nodes/${target} leads to ${expected.source}`, async () => {
      assert.match(await sendRequest(`GET /api/v1/nodes/${target}/proxy/x`), expected);
    });
  }

  it('other ports of a node receive no client certificate', async () => {
    const before = f.dialed.length;
    assert.match(await sendRequest(`GET /api/v1/nodes/n:${port}/proxy/x`), /GET \/x \[\]$/);
    assert.deepEqual(f.dialed.slice(before), [`${somewhere}:${port}`]);
  });

  it('pods of other namespaces are not endpoints', async () => {
    assert.match(await sendRequest('GET /api/v1/namespaces/other/pods/p/proxy/x'), /^HTTP\/1\.1 404 /);
  });

  it('a ready endpoint of a service is chosen at random', async () => {
    const ips = ['198.51.100.11', '198.51.100.12', '198.51.100.13'];
    for (const [at, ip] of ips.entries()) await f.pod(`e${at}`, {}, { podIP: ip, podIPs: [{ ip }] });
    await f.api.post(`${namespace}/services`, service('many', { port: 80 }));
    await f.api.post(
      `${namespace}/endpoints`,
      endpoints('many', {
        addresses: ips.map((ip, at) => toPod(ip, { kind: 'Pod', namespace: 'default', name: `e${at}` })),
        ports: [{ port }],
      }),
    );
    const before = f.dialed.length;
    for (let n = 0; n < 30; n++) await sendRequest(`GET ${namespace}/services/many/proxy/x`);
    assert.deepEqual(
      [...new Set(f.dialed.slice(before))].sort(),
      ips.map((ip) => `${ip}:${port}`),
    );
  });
});
