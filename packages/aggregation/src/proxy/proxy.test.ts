import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { type AddressInfo, connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { head, reader } from '@orch/http/testing';
import { until } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { AggregationFixture, apiServices, GROUP, podAddress } from '../testing/aggregation-fixture.ts';
import { ExtensionServer, json } from '../testing/extension-server.ts';

const path = `/apis/${GROUP}/v1/namespaces/default/pods`;
const authorization = 'Bearer secret';

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request over HTTP/2 and reads the answer to its end. */
async function send(
  session: ClientHttp2Session,
  fields: Record<string, string | string[]>,
  body?: string | Buffer,
): Promise<Answered> {
  const stream = session.request(
    { ':path': path, authorization, ...fields },
    { endStream: body === undefined },
  );
  if (body !== undefined) stream.end(body);
  const [headers] = await once(stream, 'response');
  return { status: headers[':status'], headers, text: await textOf(stream) };
}

async function textOf(stream: ClientHttp2Stream): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

for (const protocol of ['h2', 'http/1.1'] as const) {
  const start = (): Promise<ExtensionServer> => ExtensionServer.start({ protocols: [protocol] });

  describe(`requests to an extension API server over ${protocol}`, () => {
    it('every verb arrives with its path, query and body, and the answer is passed on', async () => {
      await using extension = await start();
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      const client = f.server.http2();
      extension.answer = (request, response) => {
        const pieces: Buffer[] = [];
        request.on('data', (piece: Buffer) => pieces.push(piece));
        request.on('end', () =>
          json(
            response,
            { method: request.method, url: request.url, body: Buffer.concat(pieces).toString() },
            201,
          ),
        );
      };
      const object = `${path}/a%20b`;
      for (const [method, target, body] of [
        ['GET', `${path}?labelSelector=a%3Db&limit=5`],
        ['GET', object],
        ['GET', `${path}/p/portforward/22/tcp`],
        ['POST', path, '{"a":1}'],
        ['PUT', object, '{"a":2}'],
        ['PATCH', object, '{"a":3}'],
        ['DELETE', object],
        ['DELETE', path, '{}'],
      ] as const) {
        const { status, text, headers } = await send(client, { ':method': method, ':path': target }, body);
        assert.deepEqual([status, JSON.parse(text)], [201, { method, url: target, body: body ?? '' }]);
        assert.equal(headers['content-type'], 'application/json');
      }
      const answered = await send(client, { ':method': 'HEAD' });
      assert.deepEqual([answered.status, answered.text], [201, '']);
      assert.ok(
        extension.requests.every(({ httpVersion }) => httpVersion === (protocol === 'h2' ? '2.0' : '1.1')),
      );
    });

    it('bodies of any length are streamed in both directions, no faster than the receiver reads', async () => {
      await using extension = await start();
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      // The extension API server returns what it receives: it reads as fast as its client does.
      extension.answer = (request, response) => {
        response.writeHead(200);
        request.pipe(response as unknown as NodeJS.WritableStream);
      };
      const stream = f.server.http2().request({ ':path': path, ':method': 'POST', authorization });
      const total = 24 * 1024 * 1024;
      const piece = Buffer.alloc(64 * 1024, 'x');
      let sent = 0;
      const more = (): void => {
        while (sent < total) {
          sent += piece.length;
          if (!stream.write(piece)) return;
        }
        stream.end();
      };
      stream.on('drain', more);
      more();
      const [headers] = await once(stream, 'response');
      assert.equal(headers[':status'], 200);
      // Nothing is read yet, so what was sent is bounded by the buffers on the way.
      let before = -1;
      await until(async () => {
        const isSame = before === sent;
        before = sent;
        await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
        return isSame && sent > 0;
      });
      assert.ok(sent < total, `${sent} bytes were sent`);
      let received = 0;
      for await (const chunk of stream) received += (chunk as Buffer).length;
      assert.equal(received, total);
    });

    it('a request whose body begins later reaches the server at once', async () => {
      await using extension = await start();
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      extension.answer = (request, response) => {
        response.writeHead(200);
        response.write('begun, ');
        request.pipe(response as unknown as NodeJS.WritableStream);
      };
      const stream = f.server.http2().request({ ':path': path, ':method': 'POST', authorization });
      const [headers] = await once(stream, 'response');
      stream.end('later');
      assert.deepEqual([headers[':status'], await textOf(stream)], [200, 'begun, later']);
    });

    it('a watch is delivered event by event, and ends at the server when its client leaves', async () => {
      await using extension = await start();
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      let events: { write(text: string): unknown } | undefined;
      let isClosed = false;
      extension.answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"type":"ADDED"}\n');
        events = response;
        request.on('close', () => {
          isClosed = true;
        });
        response.on('close', () => {
          isClosed = true;
        });
      };
      const stream = f.server.http2().request({ ':path': `${path}?watch=true`, authorization });
      let text = '';
      stream.on('data', (piece: Buffer) => {
        text += piece;
      });
      await until(() => text === '{"type":"ADDED"}\n');
      events?.write('{"type":"MODIFIED"}\n');
      await until(() => text.endsWith('{"type":"MODIFIED"}\n'));
      stream.close();
      await until(() => isClosed, 'the end of the watch at the server');
    });

    it('connections are kept for further requests, and replaced when the server closes them', async () => {
      await using extension = await start();
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      const client = f.server.http2();
      // The requests of the check, and reads of the resources and of both versions of OpenAPI.
      await until(() => extension.ownRequests === 4, 'the requests of the API server for itself');
      const { connections } = extension;
      for (let round = 0; round < 5; round++) assert.equal((await send(client, {})).status, 200);
      assert.equal(extension.connections, connections);
      extension.breakConnections();
      await until(() => extension.openConnections === 0);
      await until(async () => (await send(client, {})).status === 200);
      assert.equal(extension.connections, connections + 1);
    });

    it('the discovery document of the group version comes from the server too', async () => {
      await using extension = await start();
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      const client = f.server.http2();
      for (const target of [`/apis/${GROUP}/v1`, `/apis/${GROUP}/v1/`])
        assert.equal((await send(client, { ':path': target })).text, '{"kind":"Answer"}');
      const group = JSON.parse((await send(client, { ':path': `/apis/${GROUP}` })).text);
      assert.deepEqual([group.kind, group.name], ['APIGroup', GROUP]);
    });
  });
}

describe('the identity of proxied requests', () => {
  const user = {
    name: 'Jösé',
    uid: 'u-1',
    groups: ['system:authenticated', 'a,b'],
    extra: { 'Example.com/Scopes': ['x', 'y'] },
  };
  const authenticator = { authenticate: () => ({ kind: 'user', user }) as const };

  it('the server receives the user in header fields, over a connection with the client certificate of the proxy', async () => {
    const authority = testCertificate({ commonName: 'proxy-authority', use: 'authority' });
    const pairOf = (commonName: string) => testCertificate({ commonName, use: 'client' }, authority);
    let identity = pairOf('front-proxy-client');
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open({
      aggregation: { identity: () => identity },
      server: { authenticator },
    });
    await f.extend(extension);
    const client = f.server.http2();
    await send(client, {});
    const [first] = extension.requests;
    assert.equal(first?.client, 'front-proxy-client');
    const fields = first?.headers ?? {};
    assert.equal(Buffer.from(String(fields['x-remote-user']), 'latin1').toString(), 'Jösé');
    assert.equal(fields['x-remote-uid'], 'u-1');
    assert.equal(fields['x-remote-group'], 'system:authenticated, a,b');
    assert.equal(fields['x-remote-extra-%45xample.com%2f%53copes'], 'x, y');
    assert.equal(fields[':authority'], 'extension.default.svc:443');
    const raw = first?.raw ?? [];
    assert.equal(raw.filter((name) => name === 'x-remote-group').length, 2);
    // A renewed certificate is used for the next request.
    identity = pairOf('renewed');
    await send(client, {});
    assert.equal(extension.requests[1]?.client, 'renewed');
  });

  it('credentials and identities of the client are removed, regardless of the spelling of their fields', async () => {
    await using extension = await ExtensionServer.start({ protocols: ['http/1.1'] });
    await using f = await AggregationFixture.open({
      aggregation: { identityFields: { names: ['X-Proxy-User'], prefixes: ['X-Proxy-Extra-'] } },
    });
    await f.extend(extension);
    const forged = [
      'X-Remote-User: admin',
      'x-REMOTE-user: admin',
      'X_Remote_User: admin',
      'X-Remote_Group: system:masters',
      'X.Remote.Group: system:masters',
      'X-Remote-Group: system:masters',
      'X-Remote-Uid: 0',
      'X-Remote-Extra-Scopes: all',
      'X_REMOTE_EXTRA_scopes: all',
      'X-Proxy-User: admin',
      'X_Proxy_User: admin',
      'X-Proxy-Extra-a: all',
      'X-Forwarded-Client-Cert: admin',
      'Proxy-Authorization: Basic admin',
      'Keep-Alive: timeout=admin',
      'Te: trailers',
      'X-Dropped: admin',
      'Connection: keep-alive, X-Dropped, X-Remote-User, Host',
      'X-Kept: kept',
    ];
    const socket = await f.server.connect();
    const out = reader(socket);
    socket.write(head(`GET ${path} HTTP/1.1`, ...forged, 'Connection: close'));
    await out.closed;
    assert.match(out.text(), /^HTTP\/1\.1 200 /);
    const { raw = [] } = extension.requests[0] ?? {};
    const fields = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : [])).sort();
    const own = fields.filter((field) => !/^(x-forwarded-for|audit-id|connection|host): /i.test(field));
    assert.deepEqual(own, [
      'x-kept: kept',
      'x-remote-group: system:authenticated',
      'x-remote-uid: 1',
      'x-remote-user: alice',
    ]);
    assert.doesNotMatch(fields.join('\n'), /admin|secret|masters|all/);
  });
});

/** Passes bytes on to a port of this machine, until it is cut. */
class Relay implements AsyncDisposable {
  isCut = false;
  readonly #server: Server;
  readonly #sockets: Socket[] = [];

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const target = connectTcp(port, '127.0.0.1');
      this.#sockets.push(client, target);
      this.#pass(client, target);
      this.#pass(target, client);
    });
  }

  static async open(port: number): Promise<Relay> {
    const relay = new Relay(port);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #pass(from: Socket, to: Socket): void {
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
    from.on('data', (bytes) => {
      if (!this.isCut) to.write(bytes);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

describe('kept connections to extension API servers', () => {
  it('kept connections to extension API servers are given up, with their requests, when the server no longer answers pings', async () => {
    await using extension = await ExtensionServer.start();
    await using relay = await Relay.open(extension.port);
    await using f = await AggregationFixture.open();
    await f.extend(extension, { port: relay.port });
    extension.answer = (_request, response) => {
      response.writeHead(200);
      response.write('{}\n');
    };
    const stream = f.server.http2().request({ ':path': `${path}?watch=true`, authorization });
    stream.on('error', () => undefined);
    const ended = once(stream, 'close');
    await once(stream, 'data');
    relay.isCut = true;
    // A ping after 30 seconds, and its deadline 15 seconds later.
    await f.api.env.clock.advanceAsync(46_000);
    await ended;
  });

  it('kept connections to extension API servers carry the trace context of this server, not that of the client', async () => {
    await using extension = await ExtensionServer.start();
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    await using f = await AggregationFixture.open({ aggregation: { traceHeaders: () => ({ traceparent }) } });
    await f.extend(extension);
    await send(f.server.http2(), {
      traceparent: `00-${'3'.repeat(32)}-${'4'.repeat(16)}-01`,
      tracestate: 'a=b',
    });
    const { headers = {} } = extension.requests[0] ?? {};
    assert.deepEqual([headers['traceparent'], headers['tracestate']], [traceparent, undefined]);
  });
});

describe('API services that are changed', () => {
  it('a group version is proxied from the registration on, until it is deregistered', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    const client = f.server.http2();
    assert.equal((await send(client, {})).status, 404);
    await f.extend(extension);
    assert.equal((await send(client, {})).status, 200);
    await f.api.delete(`${apiServices}/v1.${GROUP}`);
    await f.api.settled();
    assert.equal((await send(client, {})).status, 404);
    await until(() => extension.openConnections === 0, 'unused connections are closed');
  });

  it('a server whose own certificate is the bundle of authorities is proxied to', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.extend(extension, { spec: { caBundle: extension.certificate } });
    assert.equal((await send(f.server.http2(), {})).status, 200);
  });

  it('connections to a server whose certificate has no alternative names are counted', async () => {
    await using f = await AggregationFixture.open();
    const counted = () =>
      f.api.env.metrics.text().match(/^apiserver_\w+_aggregator_x509_missing_san_total (\d+)$/m)?.[1];
    await using usual = await ExtensionServer.start();
    await f.extend(usual);
    assert.equal((await send(f.server.http2(), {})).status, 200);
    assert.equal(counted(), '0');
    await using unnamed = await ExtensionServer.start({ hosts: [], commonName: 'unnamed.default.svc' });
    await f.service({ port: unnamed.port, name: 'unnamed' });
    await f.api.patch(`${apiServices}/v1.${GROUP}`, {
      spec: { service: { namespace: 'default', name: 'unnamed' }, caBundle: unnamed.caBundle },
    });
    await f.api.settled();
    assert.equal((await send(f.server.http2(), {})).status, 200);
    assert.ok(Number(counted()) > 0);
  });

  it('another service, or another endpoint, is used from the next request on', async () => {
    await using first = await ExtensionServer.start();
    await using second = await ExtensionServer.start({ hosts: ['second.default.svc'] });
    await using f = await AggregationFixture.open();
    await f.extend(first);
    const client = f.server.http2();
    await send(client, {});
    await f.service({ port: second.port, name: 'second' });
    await f.api.patch(`${apiServices}/v1.${GROUP}`, {
      spec: { service: { namespace: 'default', name: 'second' }, caBundle: second.caBundle },
    });
    await f.api.settled();
    await send(client, {});
    assert.deepEqual([first.requests.length, second.requests.length], [1, 1]);
  });

  it('an endpoint that refuses connections is replaced by another one before anything is sent', async () => {
    await using extension = await ExtensionServer.start();
    const addresses = [podAddress(0), podAddress(1), podAddress(2)];
    await using f = await AggregationFixture.open({ refused: new Set(addresses.slice(0, 2)) });
    await f.extend(extension, { addresses });
    const client = f.server.http2();
    for (let round = 0; round < 6; round++) assert.equal((await send(client, {})).status, 200);
    assert.equal(extension.requests.length, 6);
  });
});
