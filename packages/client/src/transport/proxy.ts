import type { Socket } from 'node:net';
import { onAbort } from '@orch/machinery/concurrency';
import { listedAuthorities } from '../default-authorities.ts';
import { type Endpoint, hostAndPort, withoutBrackets } from './endpoint.ts';
import { openTcp, openTls } from './sockets.ts';
import { socks5 } from './socks5.ts';

/** A user of a proxy. */
interface ProxyUser {
  readonly name: string;
  readonly password: string;
}

/** A proxy and its credentials. */
export interface ProxyServer {
  readonly kind: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly user?: ProxyUser;
}

const kinds: Readonly<Record<string, { readonly kind: ProxyServer['kind']; readonly port: number }>> = {
  'http:': { kind: 'http', port: 80 },
  'https:': { kind: 'https', port: 443 },
  'socks5:': { kind: 'socks5', port: 1080 },
  'socks5h:': { kind: 'socks5', port: 1080 },
};

/** Parses a proxy URL. Throws a TypeError without the password. */
export function parseProxy(proxyUrl: string): ProxyServer {
  const url = URL.parse(proxyUrl);
  if (url === null || url.hostname === '') throw new TypeError('proxy-url: not an absolute URL');
  const known = kinds[url.protocol];
  if (known === undefined)
    throw new TypeError(`proxy-url: the scheme ${JSON.stringify(url.protocol)} is not http, https or socks5`);
  return {
    kind: known.kind,
    host: withoutBrackets(url.hostname),
    port: url.port === '' ? known.port : Number(url.port),
    ...(url.username === '' ? {} : { user: userOf(url) }),
  };
}

function userOf({ username, password }: URL): ProxyUser {
  try {
    return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new TypeError('proxy-url: user name or password have an invalid percent-encoding');
  }
}

/** Connects to the endpoint through the proxy, which resolves names. `ca`: further authorities for an https proxy. */
export async function openThrough(
  proxy: ProxyServer,
  { endpoint, ca }: { readonly endpoint: Endpoint; readonly ca: string | undefined },
  signal: AbortSignal,
): Promise<Socket> {
  const tcp = await openTcp(proxy.host, proxy.port, signal);
  if (proxy.kind === 'socks5') return socks5(tcp, { endpoint, login: proxy.user }, signal);
  if (proxy.kind === 'http') return connectMethod(tcp, { user: proxy.user, endpoint }, signal);
  const secure = await openTls(
    tcp,
    {
      serverName: proxy.host,
      isUnverified: false,
      protocols: ['http/1.1'],
      ...(ca === undefined ? {} : { ca: [...listedAuthorities(), ca] }),
    },
    signal,
  );
  return connectMethod(secure, { user: proxy.user, endpoint }, signal);
}

/** Requests a tunnel (RFC 9110 section 9.3.6). */
function connectMethod(
  socket: Socket,
  { user, endpoint }: { readonly user: ProxyServer['user']; readonly endpoint: Endpoint },
  signal: AbortSignal,
): Promise<Socket> {
  const { request } = process.getBuiltinModule('node:http');
  const target = hostAndPort(endpoint);
  const login =
    user === undefined ? undefined : Buffer.from(`${user.name}:${user.password}`).toString('base64');
  return new Promise((resolve, reject) => {
    const connectRequest = request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(login === undefined ? {} : { 'proxy-authorization': `Basic ${login}` }) },
    });
    const fail = (cause: unknown): void => {
      unregister();
      socket.destroy();
      reject(cause);
    };
    let unregister = (): void => {};
    unregister = onAbort(signal, () => fail(signal.reason));
    connectRequest.once('error', fail);
    const rejected = (status: number | undefined): void => fail(new Error(`the proxy responded ${status}`));
    connectRequest.once('response', (response) => rejected(response.statusCode));
    connectRequest.once('connect', (response, tunnel, head) => {
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) return rejected(status);
      unregister();
      if (head.length > 0) tunnel.unshift(head);
      resolve(tunnel as Socket);
    });
    connectRequest.end();
  });
}
