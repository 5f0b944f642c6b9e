import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { parseProxy } from './proxy.ts';
import { fetchText, get, http1Peer, http2Peer, settingsFor, soon, transportTo } from './testing/peers.ts';

interface Running extends AsyncDisposable {
  readonly port: number;
  /** Targets of the requests to the proxy, as its protocol encodes them. */
  readonly targets: string[];
}

async function running(server: Server, targets: string[]): Promise<Running> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function join(client: Socket, origin: Socket): void {
  origin.on('error', () => client.destroy());
  client.on('close', () => origin.destroy());
  origin.on('close', () => client.destroy());
  client.pipe(origin).pipe(client);
}

/** An HTTP proxy; every host name leads to this machine. */
function httpProxy(login?: string): Promise<Running> {
  const targets: string[] = [];
  const server = createHttp();
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    targets.push(String(request.url));
    client.on('error', () => {});
    if (login !== undefined && request.headers['proxy-authorization'] !== `Basic ${btoa(login)}`) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const origin = connect(Number(String(request.url).split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      join(client, origin);
    });
  });
  return running(server, targets);
}

/** A SOCKS5 proxy that takes bytes one by one, as they may come; every name leads to this machine. */
function socksProxy(login?: string): Promise<Running> {
  const targets: string[] = [];
  const server = createTcp((client) => void serveSocks(client, login, targets).catch(() => client.destroy()));
  return running(server, targets);
}

async function serveSocks(client: Socket, login: string | undefined, targets: string[]): Promise<void> {
  const take = async (count: number): Promise<Buffer> => {
    for (;;) {
      const bytes = client.read(count) as Buffer | null;
      if (bytes !== null) return bytes;
      await once(client, 'readable');
    }
  };
  const [, methods = 0] = await take(2);
  const offered = await take(methods);
  const method = login === undefined ? 0 : 2;
  if (!offered.includes(method)) return void client.end(Buffer.from([5, 255]));
  client.write(Buffer.from([5]));
  client.write(Buffer.from([method]));
  if (login !== undefined) {
    const [, nameLength = 0] = await take(2);
    const name = await take(nameLength);
    const password = await take((await take(1))[0] ?? 0);
    const isRight = `${name}:${password}` === login;
    client.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return void client.end();
  }
  const [, , , type = 0] = await take(4);
  const host = await take(type === 1 ? 4 : type === 4 ? 16 : ((await take(1))[0] ?? 0));
  const port = (await take(2)).readUInt16BE();
  const name = type === 1 ? host.join('.') : type === 4 ? host.toString('hex') : String(host);
  targets.push(`${name}:${port}`);
  if (name.startsWith('forbidden')) return void client.end(Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]));
  const origin = connect(port, '127.0.0.1', () => {
    client.write(Buffer.from([5, 0, 0, 3, 4, ...Buffer.from('name'), 0, 1]));
    join(client, origin);
  });
}

describe('proxies of connections', () => {
  for (const [what, open, url] of [
    ['http', httpProxy, (port: number) => `http://127.0.0.1:${port}`],
    ['socks5', socksProxy, (port: number) => `socks5://127.0.0.1:${port}`],
  ] as const) {
    it(`requests use the proxy, which resolves names: ${what}`, async () => {
      await using peer = await http2Peer((stream, headers) => stream.end(headers[':authority']));
      await using plain = await http1Peer((request, response) => response.end(request.headers.host));
      await using proxy = await open();
      const proxyUrl = url(proxy.port);
      for (const server of [`https://api.test:${peer.port}`, `http://127.0.0.1:${plain.port}`]) {
        await using transport = transportTo(settingsFor(server, { proxyUrl }));
        assert.equal(await fetchText(transport, get('/')), new URL(server).host);
        assert.equal(proxy.targets.at(-1), new URL(server).host);
      }
    });

    it(`the proxy gets user name and password of its URL: ${what}`, async () => {
      await using peer = await http2Peer((stream) => stream.end('ok'));
      await using proxy = await open('us%er:p@ss');
      const settings = (login: string) =>
        settingsFor(`https://api.test:${peer.port}`, {
          proxyUrl: url(proxy.port).replace('//', `//${login}`),
        });
      await using right = transportTo(settings('us%25er:p%40ss@'));
      assert.equal(await fetchText(right, get('/')), 'ok');
      for (const login of ['', 'us%25er:hidden@']) {
        await using wrong = transportTo(settings(login));
        await assert.rejects(wrong.send(get('/'), soon()), (error: Error & { outcome?: string }) => {
          assert.equal(error.outcome, 'notSent');
          assert.match(
            error.message,
            /the proxy (?:responded 407|closed|rejected the credentials|does not|requires)/,
          );
          assert.doesNotMatch(error.message, /hidden|p@ss/);
          return true;
        });
      }
    });
  }

  it('the error of a rejecting proxy has its reason', async () => {
    await using proxy = await socksProxy();
    await using transport = transportTo(
      settingsFor('https://forbidden.test:1', { proxyUrl: `socks5://127.0.0.1:${proxy.port}` }),
    );
    await assert.rejects(transport.send(get('/'), soon()), {
      outcome: 'notSent',
      message: /the proxy responded: not allowed by its rules/,
    });
  });

  for (const [text, proxy] of [
    ['http://h', { kind: 'http', host: 'h', port: 80 }],
    ['https://h', { kind: 'https', host: 'h', port: 443 }],
    ['socks5://h', { kind: 'socks5', host: 'h', port: 1080 }],
    ['socks5h://[::1]:9', { kind: 'socks5', host: '::1', port: 9 }],
    ['http://a:b@h:8', { kind: 'http', host: 'h', port: 8, user: { name: 'a', password: 'b' } }],
  ] as const) {
    it(`a proxy URL is parsed: ${text}`, () => {
      assert.deepEqual(parseProxy(text), proxy);
    });
  }

  for (const text of ['h:8', 'ftp://h', 'http://', '', 'no-url:secret@x']) {
    it(`an invalid proxy URL is rejected: ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parseProxy(text),
        (error: Error) =>
          error instanceof TypeError &&
          error.message.startsWith('proxy-url: ') &&
          !error.message.includes('secret'),
      );
    });
  }
});
