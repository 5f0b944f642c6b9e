/**
 * The floor of a server with threads: a bare Node HTTPS server in each of several threads, which share a port and nothing else. It
 * reads the body of a request and sends as many bytes as the path names. Started as a program with a certificate, its key and the
 * number of threads; prints its port as JSON.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface Input {
  readonly certPath: string;
  readonly keyPath: string;
  readonly port: number;
}

/** Serves in this thread. Returns the port. */
async function serve({ certPath, keyPath, port }: Input): Promise<number> {
  const bodies = new Map<string, Buffer>();
  const bodyOf = (path: string): Buffer => {
    let body = bodies.get(path);
    if (body === undefined) {
      body = Buffer.alloc(Number(path.slice(1)), '0123456789abcdef');
      bodies.set(path, body);
    }
    return body;
  };
  const tls = { cert: readFileSync(certPath), key: readFileSync(keyPath) };
  // A connection is not closed while others are measured.
  const server = createServer({ ...tls, noDelay: true, keepAliveTimeout: 0 }, (request, response) => {
    request.resume();
    request.once('end', () => {
      const body = bodyOf(request.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
  server.listen({ port, host: '127.0.0.1', reusePort: true });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

if (isMainThread) {
  const [certPath = '', keyPath = '', threads = '1'] = process.argv.slice(2);
  const port = await serve({ certPath, keyPath, port: 0 });
  for (let left = Number(threads) - 1; left > 0; left -= 1) {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { certPath, keyPath, port } satisfies Input,
    });
    await once(worker, 'message');
  }
  console.log(JSON.stringify({ port }));
} else parentPort?.postMessage(await serve(workerData as Input));
