import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type IpRange, parseIpRange } from '@orch/machinery/net';
import type { Handler, ResourceContext } from '@orch/request';
import { head, servingTls, type TestServer, testServer } from './testing/index.ts';

const ranges = (...texts: readonly string[]): readonly IpRange[] =>
  texts.map(parseIpRange).filter((range) => range !== undefined);
const loopback = ranges('127.0.0.0/8');

/** Returns the address of the client of a request. */
const address: Handler<ResourceContext> = ({ request }) => ({
  kind: 'bytes',
  status: 200,
  headers: {},
  body: Buffer.from(`from ${request.remoteAddress};`),
});

const proxied = (proxies = loopback, limits = {}): Promise<TestServer> =>
  testServer({ resources: address, proxies, limits });

const line = (text: string): Buffer => Buffer.from(`${text}\r\n`);
const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
/** A header of version 2; `addresses` is the source, the destination and the ports, in hex. */
function binary(command: number, family: number, addresses: string, extensions = ''): Buffer {
  const block = Buffer.from(addresses + extensions, 'hex');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(block.length);
  return Buffer.concat([signature, Buffer.from([command, family]), length, block]);
}

const ipv4 = 'c0000207' + '0a000001' + 'd431' + '192b';
const ipv6 = '20010db8000000000000000000000007' + '20010db8000000000000000000000001' + 'd431' + '192b';

async function tcp(port: number): Promise<Socket> {
  const socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** A TLS connection over a socket on which a header was written. */
async function secured(socket: Socket): Promise<TLSSocket> {
  const tls = connectTls({
    socket,
    ca: servingTls.cert,
    servername: 'localhost',
    ALPNProtocols: ['http/1.1'],
  });
  tls.on('error', () => undefined);
  await once(tls, 'secureConnect', { signal: AbortSignal.timeout(20_000) });
  return tls;
}

async function addressAfter(port: number, header: Buffer): Promise<string> {
  const socket = await tcp(port);
  socket.write(header);
  const tls = await secured(socket);
  tls.write(head('GET /api/v1/namespaces HTTP/1.1'));
  let text = '';
  for await (const chunk of tls.setEncoding('utf8')) {
    text += chunk;
    const [, found] = /from (\S*);/.exec(text) ?? [];
    if (found !== undefined) {
      tls.destroy();
      return found;
    }
  }
  throw new Error(`no answer: ${text}`);
}

/** Resolves when the server has closed a connection on which the bytes were written. */
async function closedAfter(port: number, bytes: Buffer): Promise<void> {
  const socket = await tcp(port);
  socket.resume().write(bytes);
  await once(socket, 'close', { signal: AbortSignal.timeout(20_000) });
}

describe('connections of a balancer with the PROXY protocol', () => {
  for (const [what, header, expected] of [
    ['version 1, IPv4', line('PROXY TCP4 192.0.2.7 10.0.0.1 54321 6443'), '192.0.2.7'],
    ['version 1, IPv6', line('PROXY TCP6 2001:db8::7 2001:db8::1 54321 6443'), '2001:db8::7'],
    ['version 1, unknown', line('PROXY UNKNOWN'), '127.0.0.1'],
    ['version 1, unknown with addresses', line('PROXY UNKNOWN ffff:f ffff:f 65535 65535'), '127.0.0.1'],
    ['version 2, IPv4', binary(0x21, 0x11, ipv4), '192.0.2.7'],
    ['version 2, IPv6', binary(0x21, 0x21, ipv6), '2001:db8::7'],
    ['version 2, extensions', binary(0x21, 0x11, ipv4, `05${'0003'}616263`), '192.0.2.7'],
    ['version 2, a check of the balancer', binary(0x20, 0x00, ''), '127.0.0.1'],
    ['version 2, a Unix socket', binary(0x21, 0x31, '00'.repeat(216)), '127.0.0.1'],
  ] as const) {
    it(`the request has the address that the header names: ${what}`, async () => {
      await using server = await proxied();
      assert.equal(await addressAfter(server.port, header), expected);
    });
  }

  it('a header that arrives byte by byte, with the first bytes of TLS behind it, is read', async () => {
    await using server = await proxied();
    const socket = await tcp(server.port);
    socket.setNoDelay(true);
    for (const byte of binary(0x21, 0x11, ipv4)) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    (await secured(socket)).destroy();
    assert.equal(await addressAfter(server.port, binary(0x21, 0x11, ipv4)), '192.0.2.7');
  });

  it('bytes behind the header in the same segment belong to TLS', async () => {
    await using server = await proxied();
    const socket = await tcp(server.port);
    // The first bytes of TLS are appended to the header.
    socket.cork();
    socket.write(line('PROXY TCP4 192.0.2.7 10.0.0.1 54321 6443'));
    process.nextTick(() => setImmediate(() => socket.uncork()));
    (await secured(socket)).destroy();
  });

  const long = `0500ff${'61'.repeat(255)}`;
  for (const [what, bytes] of [
    ['TLS without a header', Buffer.from('1603010200010001fc0303', 'hex')],
    ['HTTP without TLS', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a line that does not end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
    ['an address of the other family', line('PROXY TCP4 2001:db8::7 10.0.0.1 1 2')],
    ['text in place of an address', line('PROXY TCP4 192.0.2.07x 10.0.0.1 1 2')],
    ['line breaks in the line', Buffer.from('PROXY TCP4 192.0.2.7\n10.0.0.1 1 2\r\n')],
    ['another version', binary(0x31, 0x11, ipv4)],
    ['an unknown command', binary(0x22, 0x11, ipv4)],
    ['addresses that are cut off', binary(0x21, 0x21, ipv4)],
    ['a length of 64 KiB', Buffer.concat([signature, Buffer.from('2111ffff', 'hex')])],
    ['extensions of more than 4 KiB', binary(0x21, 0x11, ipv4, long.repeat(20))],
  ] as const) {
    it(`a connection with ${what} is closed`, async () => {
      await using server = await proxied();
      await closedAfter(server.port, bytes);
      assert.equal(await addressAfter(server.port, line('PROXY UNKNOWN')), '127.0.0.1');
    });
  }

  it('a header that does not come in time closes the connection', async () => {
    await using server = await proxied(loopback, { handshakeTimeoutMs: 50 });
    await closedAfter(server.port, signature.subarray(0, 5));
  });

  it('clients that leave within the header leave nothing behind', async () => {
    await using server = await proxied();
    for (let n = 0; n < 20; n++) {
      const socket = await tcp(server.port);
      socket.write(signature.subarray(0, n % 12));
      if (n % 2 === 0) socket.resetAndDestroy();
      else socket.end();
    }
    assert.equal(await addressAfter(server.port, line('PROXY UNKNOWN')), '127.0.0.1');
    await server.listener.drain(new AbortController().signal);
  });

  it('a drain does not wait for headers', async () => {
    await using server = await proxied();
    const socket = await tcp(server.port);
    const closed = once(socket.resume(), 'close');
    assert.equal(await addressAfter(server.port, line('PROXY UNKNOWN')), '127.0.0.1');
    await server.listener.drain(new AbortController().signal);
    await closed;
  });
});

describe('connections of other addresses', () => {
  it('a header of a client is not believed, nor read', async () => {
    await using server = await proxied(ranges('192.0.2.0/24'));
    await closedAfter(server.port, line('PROXY TCP4 10.0.0.7 10.0.0.1 54321 6443'));
  });

  it('a client connects without a header', async () => {
    await using server = await proxied(ranges('192.0.2.0/24', '2001:db8::/32'));
    assert.equal(await addressAfter(server.port, Buffer.alloc(0)), '127.0.0.1');
  });

  it('a server without balancers does not accept a header', async () => {
    await using server = await testServer();
    await closedAfter(server.port, binary(0x21, 0x11, ipv4));
  });
});
