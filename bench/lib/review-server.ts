/**
 * An admission webhook that allows everything, as a program with a certificate and its key; prints its port as JSON. It
 * serves POST <any path> answers a review; POST /wait/<n> does so after n milliseconds; GET /last sends the body of the
 * review that was received last.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const [certPath = '', keyPath = ''] = process.argv.slice(2);
const KEEP_ALIVE_MS = 600_000;
let last: Buffer = Buffer.alloc(0);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = request.method === 'POST' ? await answerReview(request) : last;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

async function answerReview(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  last = Buffer.concat(chunks);
  const { apiVersion, kind, request: asked } = JSON.parse(last.toString());
  const [, ms] = /^\/wait\/(\d+)/.exec(request.url ?? '') ?? [];
  if (ms !== undefined) await wait(Number(ms));
  return JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: true } });
}

const server = createServer({ cert: readFileSync(certPath), key: readFileSync(keyPath) }, answer);
// A client that pauses meanwhile must not meet a connection that ends.
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
