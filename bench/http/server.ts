import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type Authenticator, alwaysAllow } from '@orch/auth';
import { listen } from '@orch/http';
import { servingTls } from '@orch/http/testing';
import { namesFor } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { durationMs } from '@orch/machinery/time';
import { createServer } from '@orch/pipeline';

/**
 * The process of one server under load: `bare` (node:https, or streams of node:http2 when the protocol is h2) or
 * `orch`, with bodies of `bytes` bytes.
 */
const [kind = '', bytes = '0', protocol = 'h1'] = process.argv.slice(2);
const body = Buffer.alloc(Number(bytes), 'x');

async function bare(): Promise<number> {
  const server = createHttpsServer(servingTls, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

async function bareHttp2(): Promise<number> {
  const server = createSecureServer(servingTls);
  server.on('stream', (stream) => {
    stream.respond({
      ':status': 200,
      'content-type': 'application/json',
      'content-length': String(body.length),
    });
    stream.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

async function orch(): Promise<number> {
  const env = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() };
  const user = { kind: 'user', user: { name: 'bench', uid: '', groups: [], extra: {} } } as const;
  const authenticator: Authenticator = { authenticate: () => user };
  const reply = {
    kind: 'bytes',
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body,
  } as const;
  const slices = { ...reply, kind: 'chunks', length: body.length } as const;
  const server = createServer({
    env,
    names: namesFor('orch'),
    authenticator,
    authorizer: alwaysAllow,
    resources: () => (body.length > 1024 * 1024 ? { ...slices, chunks: objects() } : reply),
    servesResource: () => true,
    routes: [],
    apiPaths: () => [],
    requestTimeoutMs: 60_000,
    maxRequestsInflight: 400,
    maxMutatingRequestsInflight: 200,
    parseDuration: durationMs,
  });
  return (await listen({ env, server, host: '127.0.0.1', port: 0, tls: servingTls })).port;
}

/** The body in chunks of the size of an object, as a list yields it. */
function* objects(): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 4600) yield body.subarray(at, at + 4600);
}

const start = kind === 'orch' ? orch : protocol === 'h2' ? bareHttp2 : bare;
process.send?.({ port: await start() });
process.on('message', () => process.send?.(process.cpuUsage()));
