/**
 * The floor of the read benchmarks: a bare Node HTTPS server that sends bytes it was given, in a process of its own.
 * Started as a program: prints its port as JSON, then serves
 *   POST /bytes/<n>  keeps the body as answer n        GET /bytes/<n>  sends it
 *   GET /watch       keeps the answer open             POST /event     writes the body to every open one
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:https';

const [certPath = '', keyPath = '', protocol = 'h1'] = process.argv.slice(2);
const tls = { cert: readFileSync(certPath), key: readFileSync(keyPath) };
const answers = new Map<string, Buffer>();
const watchers = new Set<{ write(chunk: Buffer): boolean }>();

async function readAll(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function publish(event: Buffer): void {
  for (const watcher of watchers) watcher.write(event);
}

if (protocol === 'h2') {
  const server = createSecureServer(tls);
  server.on('stream', async (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {});
    if (headers[':path'] === '/event') {
      publish(await readAll(stream));
      stream.respond({ ':status': 200 });
      stream.end();
      return;
    }
    watchers.add(stream);
    stream.on('close', () => watchers.delete(stream));
    stream.respond({ ':status': 200 });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(JSON.stringify(server.address()));
} else {
  const server = createServer(tls, async (request, response: ServerResponse) => {
    const path = request.url ?? '';
    if (request.method === 'POST') {
      const body = await readAll(request);
      if (path === '/event') publish(body);
      else answers.set(path, body);
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
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(JSON.stringify(server.address()));
}
