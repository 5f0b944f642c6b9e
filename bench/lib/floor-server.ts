/**
 * The floor of the benchmarks: a process with a bare Node HTTPS server that sends stored bytes. Started as a program
 * with a certificate, its key and `h1` or `h2`; prints its ports as JSON. It serves:
 * - POST /bytes/<n>: stores the body as response n;
 * - GET /bytes/<n>: sends it;
 * - GET /watch: keeps the response open;
 * - POST /event: writes the body to every open response.
 *
 * The control port always uses HTTP/1.1.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

const [certPath = '', keyPath = '', protocol = 'h1'] = process.argv.slice(2);
const tls = { cert: readFileSync(certPath), key: readFileSync(keyPath) };
const answers = new Map<string, Buffer>();
const watchers = new Set<{ write(chunk: Buffer): boolean }>();

async function readAll(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  if (request.method === 'POST') {
    const body = await readAll(request);
    if (path === '/event') for (const watcher of watchers) watcher.write(body);
    else answers.set(path, body);
    response.writeHead(200, { 'content-length': 2 });
    response.end('{}');
    return;
  }
  if (path === '/watch') {
    watchers.add(response);
    response.on('close', () => watchers.delete(response));
    response.flushHeaders();
    return;
  }
  const body = answers.get(path) ?? Buffer.alloc(0);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

async function opened(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

// A connection is not closed while others are measured.
const control = await opened(createServer({ ...tls, noDelay: true, keepAliveTimeout: 0 }, answer));
let port = control;
if (protocol === 'h2') {
  const server = createSecureServer(tls);
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {});
    watchers.add(stream);
    stream.on('close', () => watchers.delete(stream));
    stream.respond({ ':status': 200 });
  });
  port = await opened(server);
}
console.log(JSON.stringify({ port, control }));
