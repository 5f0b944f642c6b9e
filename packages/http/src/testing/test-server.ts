import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { type Authorizer, alwaysAllow, readTokenFile, tokenFileAuthenticator } from '@orch/auth';
import { type Env, type Metrics, namesFor } from '@orch/machinery';
import { createLogger, createMetrics, systemClock, systemRandom } from '@orch/machinery/env';
import type { IpRange } from '@orch/machinery/net';
import { durationMs } from '@orch/machinery/time';
import { createServer, type ServerOptions } from '@orch/pipeline';
import type { Handler, ResourceContext, Route } from '@orch/request';
import { type Listener, listen } from '../listener.ts';
import type { HttpLimits } from '../shared/limits.ts';
import { servingTls } from './serving-tls.ts';

/** Options of a test. */
export interface TestServerOptions {
  readonly resources?: Handler<ResourceContext>;
  readonly routes?: readonly Route[];
  readonly limits?: Partial<HttpLimits>;
  readonly proxies?: readonly IpRange[];
  readonly authorizer?: Authorizer;
  readonly server?: Partial<ServerOptions>;
  /** The turns of the thread; when absent, the listener has its own. */
  readonly turns?: Env['turns'];
}

/** A server on a loopback port, with one user: token `secret`. */
export interface TestServer extends AsyncDisposable {
  readonly listener: Listener;
  readonly port: number;
  readonly metrics: Metrics;
  /** Log lines, parsed. */
  readonly logged: readonly Record<string, unknown>[];
  connect(): Promise<TLSSocket>;
  http2(): ClientHttp2Session;
}

const authorization = 'Authorization: Bearer secret';

/** The head of an HTTP/1.1 request of that user. */
export const head = (line: string, ...fields: readonly string[]): string =>
  [line, 'Host: h', authorization, ...fields, '', ''].join('\r\n');

/** A handler that returns the request body in angle brackets, up to a limit of 1000 bytes. */
export const echo: Handler<ResourceContext> = async ({ request }) => ({
  kind: 'bytes',
  status: 200,
  headers: {},
  body: Buffer.concat([Buffer.from('<'), await request.body(1000), Buffer.from('>')]),
});

export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const logged: Record<string, unknown>[] = [];
  const metrics = createMetrics();
  const log = createLogger({
    write: (line) => logged.push(JSON.parse(line)),
    clock: systemClock,
    verbosity: 3,
  });
  const { turns } = options;
  const env: Env = {
    ...{ clock: systemClock, random: systemRandom, log, metrics },
    ...(turns !== undefined && { turns }),
  };
  const names = namesFor('orch');
  const server = createServer({
    env,
    names,
    authenticator: tokenFileAuthenticator(readTokenFile('secret,alice,1', names.userGroups.authenticated)),
    authorizer: options.authorizer ?? alwaysAllow,
    resources:
      options.resources ??
      (() => ({ kind: 'bytes', status: 200, headers: {}, body: Buffer.from('resource') })),
    servesResource: () => true,
    routes: options.routes ?? [],
    apiPaths: () => [],
    requestTimeoutMs: 60_000,
    maxRequestsInflight: 400,
    maxMutatingRequestsInflight: 200,
    parseDuration: durationMs,
    ...options.server,
  });
  const listener = await listen({
    env,
    server,
    host: '127.0.0.1',
    port: 0,
    tls: servingTls,
    ...(options.proxies === undefined ? {} : { proxies: options.proxies }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const { port } = listener;
  const open = new Set<{ destroy(): void }>();
  return {
    listener,
    port,
    metrics,
    logged,
    connect: () =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port, ca: servingTls.cert, ALPNProtocols: ['http/1.1'] });
        open.add(socket);
        socket.once('error', reject);
        socket.once('secureConnect', () => {
          socket.off('error', reject);
          socket.on('error', () => undefined);
          resolve(socket);
        });
      }),
    http2() {
      const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: servingTls.cert });
      session.on('error', () => undefined);
      open.add(session);
      return session;
    },
    async [Symbol.asyncDispose]() {
      for (const one of open) one.destroy();
      await listener.drain(AbortSignal.abort());
      server.close();
    },
  };
}

/** Collects the data that a socket receives; `until` waits for it to match. */
export function reader(socket: TLSSocket): {
  text(): string;
  until(pattern: RegExp): Promise<string>;
  readonly closed: Promise<void>;
} {
  let text = '';
  const checks = new Set<() => void>();
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (const check of checks) check();
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    text: () => text,
    closed,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!pattern.test(text)) return;
          checks.delete(check);
          resolve(text);
        };
        checks.add(check);
        void closed.then(() =>
          pattern.test(text) ? resolve(text) : reject(new Error(`closed before ${pattern}: ${text}`)),
        );
        check();
      }),
  };
}
