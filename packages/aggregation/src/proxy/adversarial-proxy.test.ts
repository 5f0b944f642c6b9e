import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createServer, type TLSSocket } from 'node:tls';
import { head, reader } from '@orch/http/testing';
import { namesFor } from '@orch/machinery';
import { settle, until } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { AggregationFixture, GROUP, namespaced, podAddress } from '../testing/aggregation-fixture.ts';
import { type ExtensionResponse, ExtensionServer, json } from '../testing/extension-server.ts';

const path = `/apis/${GROUP}/v1/namespaces/default/pods`;

/** Sends a raw request and returns everything that is received until the connection ends. */
async function exchanged(f: AggregationFixture, line: string, ...fields: readonly string[]): Promise<string> {
  const socket = await f.server.connect();
  const out = reader(socket);
  socket.write(head(`${line} HTTP/1.1`, ...fields, 'Connection: close'));
  await out.closed;
  return out.text();
}

/** A server that writes bytes instead of HTTP. */
class RawExtension implements AsyncDisposable {
  readonly #authority = testCertificate({ commonName: 'raw-authority', use: 'authority' });
  readonly #pair = testCertificate(
    { commonName: 'raw', use: 'server', hosts: ['extension.default.svc'] },
    this.#authority,
  );
  readonly #sockets = new Set<TLSSocket>();
  readonly #server = createServer({ ...this.#pair, ALPNProtocols: ['http/1.1'] }, (socket) => {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (/x-remote-user: system:/i.test(text))
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      else if (/^(GET|POST|DELETE) /.test(text)) {
        this.received.push(text);
        this.answer(socket);
      }
    });
  });
  readonly received: string[] = [];
  answer: (socket: TLSSocket) => void = (socket) => void socket.destroy();

  get caBundle(): string {
    return Buffer.from(this.#authority.cert).toString('base64');
  }

  async open(f: AggregationFixture): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    await f.service({ port: (this.#server.address() as AddressInfo).port });
    await f.register(this as unknown as ExtensionServer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

describe('malicious extension API servers', () => {
  for (const [what, answer, pattern] of [
    [
      'a 101 that was not requested',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nHTTP/1.1 200 OK\r\n',
      /^HTTP\/1\.1 503 [\s\S]*a protocol that was not requested/,
    ],
    [
      'a 101 without a protocol',
      'HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad',
      /^HTTP\/1\.1 503 /,
    ],
    ['something other than HTTP', 'SSH-2.0-server\r\n', /^HTTP\/1\.1 503 [\s\S]*its answer is not HTTP/],
    ['a status that does not exist', 'HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n', /^HTTP\/1\.1 503 /],
    [
      'a head that never ends',
      `HTTP/1.1 200 OK\r\n${'X-Fill: 0123456789\r\n'.repeat(8000)}`,
      /^HTTP\/1\.1 503 [\s\S]*the head of its answer is larger than 65536 bytes/,
    ],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      /^HTTP\/1\.1 503 /,
    ],
    [
      'a shorter body than announced',
      'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
      /^HTTP\/1\.1 503 [\s\S]*before the end of its answer/,
      'end',
    ],
    ['no answer', '', /^HTTP\/1\.1 503 [\s\S]*before an answer/, 'end'],
  ] as const)
    it(`${what} is answered with 503`, async () => {
      await using extension = new RawExtension();
      await using f = await AggregationFixture.open();
      await extension.open(f);
      const isEnd = answer === '' || /10\r\n\r\nabc$/.test(answer);
      extension.answer = (socket) => void (isEnd ? socket.end(answer) : socket.write(answer));
      const text = await exchanged(f, `GET ${path}`);
      assert.match(text, pattern);
      assert.match(text, /"reason":"ServiceUnavailable"/);
      // A read may be repeated.
      assert.match(text, /^Retry-After: 1\r$/m);
      assert.equal(extension.received.length, 1);
    });

  it('a redirect is neither followed nor passed on, also one to the API server itself', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of ['/api/v1/namespaces/default/secrets', 'https://attacker.example/']) {
        extension.answer = (_request, response) => {
          response.writeHead(status, { location });
          response.end();
        };
        const text = await exchanged(f, `GET ${path}`);
        assert.match(
          text,
          /^HTTP\/1\.1 502 [\s\S]*attempted to redirect this request, which is not permitted/,
        );
        assert.doesNotMatch(text, /location|secrets|attacker/i);
      }
    }
  });

  it('fields with which a server would act for the whole origin are not passed on', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    extension.answer = (_request, response) => {
      response.setHeader('set-cookie', 'a=b');
      response.setHeader('strict-transport-security', 'max-age=1');
      response.setHeader('www-authenticate', 'Basic realm=x');
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('warning', '299 - "kept"');
      json(response as ExtensionResponse, {});
    };
    const text = await exchanged(f, `GET ${path}`);
    assert.match(text, /^Warning: 299 - "kept"\r$/m);
    assert.doesNotMatch(text, /cookie|strict-transport|www-authenticate|access-control/i);
  });

  it('reporting policies, client hints and flow-control identities of a server are not passed on', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    const flowControl = (['orch', 'kubernetes'] as const).flatMap((naming) =>
      Object.values(namesFor(naming).headers),
    );
    const fields = [
      'NEL',
      'Report-To',
      'Reporting-Endpoints',
      'Accept-CH',
      'Critical-CH',
      'Expect-CT',
      'Origin-Agent-Cluster',
      'Public-Key-Pins-Report-Only',
      'Set-Login',
      'Use-As-Dictionary',
      'Access-Control-Max-Age',
      'Access-Control-Expose-Headers',
      ...flowControl,
    ];
    extension.answer = (_request, response) => {
      for (const name of fields) response.setHeader(name, 'forged');
      response.setHeader('warning', '299 - "kept"');
      json(response as ExtensionResponse, {});
    };
    const text = await exchanged(f, `GET ${path}`);
    assert.match(text, /^Warning: 299 - "kept"\r$/m);
    assert.doesNotMatch(text, /forged/);
  });

  it('a write that was sent, and whose outcome is unknown, is sent once, and its client is not asked to repeat it', async () => {
    await using extension = new RawExtension();
    await using f = await AggregationFixture.open();
    await extension.open(f);
    for (const line of [`POST ${path}`, `DELETE ${path}/p`]) {
      const text = await exchanged(f, line, 'Content-Length: 0');
      assert.match(text, /^HTTP\/1\.1 503 /);
      assert.doesNotMatch(text, /Retry-After/i);
    }
    assert.equal(extension.received.length, 2);
  });

  it('a body that breaks off ends the connection of the client, who does not take it for complete', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    extension.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"items":[');
      void settle().then(() => extension.breakConnections());
    };
    const text = await exchanged(f, `GET ${path}`);
    assert.doesNotMatch(text, /\r\n0\r\n/);
  });

  it('a malformed chunk behind the head ends the connection of the client, and no other', async () => {
    await using extension = new RawExtension();
    await using f = await AggregationFixture.open();
    extension.answer = (socket) =>
      void socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    await extension.open(f);
    const text = await exchanged(f, `GET ${path}`);
    assert.doesNotMatch(text, /\r\n0\r\n/);
    assert.match(await exchanged(f, 'GET /api/v1/namespaces/team-a'), /^HTTP\/1\.1 \d{3} /);
  });

  it('a server that does not answer is left at the deadline of the request, and blocks no other request', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    let open = 0;
    extension.answer = (request, response) => {
      if (request.url?.endsWith('/slow') !== true) return json(response, {});
      open++;
      response.on('close', () => open--);
    };
    const slow = await f.server.connect();
    slow.write(head(`GET ${path}/slow HTTP/1.1`));
    await until(() => open === 1);
    assert.match(await exchanged(f, `GET ${path}/fast`), /^HTTP\/1\.1 200 /);
    slow.destroy();
    await until(() => open === 0, 'the request at the server has ended');
  });
});

describe('upgrades through the aggregation layer', () => {
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: a',
    'Sec-WebSocket-Version: 13',
  ];
  const switching =
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: b\r\n\r\n';

  it('after a 101 the two connections are joined, with the user in the request', async () => {
    await using extension = new RawExtension();
    await using f = await AggregationFixture.open();
    await extension.open(f);
    extension.answer = (socket) => {
      socket.removeAllListeners('data');
      socket.write(`${switching}early`);
      socket.on('data', (chunk: Buffer) => socket.write(`<${chunk}>`));
    };
    const socket = await f.server.connect();
    const out = reader(socket);
    const { bearerPrefix, channelV4 } = f.api.names.webSocketProtocols;
    const protocols = `Sec-WebSocket-Protocol: ${bearerPrefix}c2VjcmV0, ${channelV4}`;
    socket.write(head(`GET ${path}/p/console HTTP/1.1`, ...upgrade, protocols, 'X-Remote-User: admin'));
    await out.until(/^HTTP\/1\.1 101 [\s\S]*early/);
    socket.write('ping');
    await out.until(/<ping>/);
    socket.end();
    await out.closed;
    assert.match(extension.received[0] ?? '', /^x-remote-user: alice\r$/m);
    assert.match(extension.received[0] ?? '', new RegExp(`^sec-websocket-protocol: ${channelV4}\\r$`, 'm'));
    assert.doesNotMatch(extension.received[0] ?? '', /admin|authorization|secret|c2VjcmV0/i);
  });

  it('another answer than 101 is passed on, and no byte behind it', async () => {
    await using extension = new RawExtension();
    await using f = await AggregationFixture.open();
    await extension.open(f);
    extension.answer = (socket) =>
      void socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nnoHTTP/1.1 200 OK\r\n\r\n');
    const text = await exchanged(f, `GET ${path}/p/console`, ...upgrade);
    assert.match(text, /^HTTP\/1\.1 403 [\s\S]*\r\n\r\nno$/);
  });

  it('a protocol that this server does not tunnel is not requested', async () => {
    await using extension = new RawExtension();
    await using f = await AggregationFixture.open();
    await extension.open(f);
    extension.answer = (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    const text = await exchanged(f, `GET ${path}/p`, 'Connection: Upgrade', 'Upgrade: h2c');
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(extension.received[0] ?? '', /upgrade|h2c/i);
  });
});

describe('addresses of extension API servers', () => {
  for (const [what, address] of [
    ['a reserved address', '240.0.0.1'],
    ['a metadata service', 'fd00:ec2::254'],
  ] as const)
    it(`an endpoint at ${what} is never dialled`, async () => {
      await using extension = await ExtensionServer.start();
      await using f = await AggregationFixture.open();
      await f.service({ port: extension.port, addresses: [address] });
      await f.register(extension);
      assert.match(await exchanged(f, `GET ${path}`), /^HTTP\/1\.1 503 [\s\S]*no addresses with port name/);
      assert.deepEqual(f.dialed, []);
    });

  it('an endpoint that is not a pod of the namespace is never dialled', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.service({ port: extension.port });
    await f.api.delete(`${namespaced}/pods/extension-0?gracePeriodSeconds=0`);
    await f.register(extension);
    assert.match(await exchanged(f, `GET ${path}`), /^HTTP\/1\.1 503 /);
    assert.deepEqual([f.dialed, podAddress()], [[], '198.51.100.7']);
  });
});
