import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';

/** A proxy that runs until it is disposed of. */
export interface RunningProxy extends AsyncDisposable {
  readonly port: number;
  /** Targets of the requests to the proxy, as its protocol encodes them. */
  readonly targets: string[];
}

async function running(server: Server, targets: string[]): Promise<RunningProxy> {
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

/** An HTTP proxy, over TLS with a certificate; every host name leads to this machine. Rejects when it cannot listen. */
export function httpProxy(login?: string, pair?: Pick<TlsOptions, 'cert' | 'key'>): Promise<RunningProxy> {
  const targets: string[] = [];
  const server = pair === undefined ? createHttp() : createHttps(pair);
  server.on('tlsClientError', () => {});
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

/** A SOCKS5 proxy that takes bytes one by one, as they may come; every name leads to this machine. Rejects when it cannot listen. */
export function socksProxy(login?: string): Promise<RunningProxy> {
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
