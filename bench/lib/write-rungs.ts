/**
 * The rungs between the floor of the write benchmarks and a server: a process that does what its rung names and everything
 * of the rungs before it, each in the fewest lines. Started as a program with a certificate, its key, the endpoints of etcd and
 * the rung; prints its port as JSON.
 */
import { readFileSync } from 'node:fs';
import { type Authenticator, alwaysAllow } from '@orch/auth';
import { listen } from '@orch/http';
import { type ApiObject, namesFor } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { encodeJson, parseJson } from '@orch/machinery/json';
import { durationMs, formatTime } from '@orch/machinery/time';
import { createServer } from '@orch/pipeline';
import type { ApiRequest, Reply } from '@orch/request';
import { withResourceVersion } from '@orch/schema';
import { prefixRange, readable } from '@orch/storage';
import { openEtcdStore } from '@orch/storage/etcd';
import { type WriteRung, writeRungs } from './write-rung-names.ts';

const [certPath = '', keyPath = '', endpoints = '', rung = ''] = process.argv.slice(2);
const has = (other: WriteRung): boolean => writeRungs.indexOf(rung as WriteRung) >= writeRungs.indexOf(other);

const env = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() };
const store = await openEtcdStore({ endpoints: endpoints.split(','), env });
const { signal } = new AbortController();
const prefix = `/bench-rungs/${process.pid}/`;
const cached = new Map<string, Buffer>();
let next = 0;

/** The stored bytes of a new object. */
function created(body: Buffer): Buffer {
  const { kind, apiVersion, metadata, ...fields } = parseJson(body) as ApiObject;
  const uid = systemRandom.uuid();
  const creationTimestamp = formatTime(systemClock.now());
  return encodeJson({ kind, apiVersion, metadata: { ...metadata, uid, creationTimestamp }, ...fields });
}

async function write(request: ApiRequest): Promise<Reply> {
  const body = await request.body(1_000_000);
  const value = has('JSON') ? created(body) : body;
  const { ok, rev } = await store.commit({ op: 'create', key: `${prefix}${next++}`, value }, signal);
  return {
    kind: 'bytes',
    status: ok ? 201 : 409,
    headers: { 'Content-Type': 'application/json' },
    body: has('JSON') ? withResourceVersion(value, rev) : value,
  };
}

/** Receives every event, and keeps the objects where the rung does. */
async function follow(): Promise<void> {
  const after = await store.currentRevision(signal);
  for await (const { events } of store.watch(prefixRange(prefix), after, signal)) {
    if (!has('cache')) continue;
    for (const event of events) if (event.type === 'put') cached.set(event.kv.key, readable(event.kv).value);
  }
}

const user = { kind: 'user', user: { name: 'bench', uid: '', groups: [], extra: {} } } as const;
const authenticator: Authenticator = { authenticate: () => user };
const pipeline = createServer({
  env,
  names: namesFor('kubernetes'),
  authenticator,
  authorizer: alwaysAllow,
  resources: ({ request }) => write(request),
  servesResource: () => true,
  routes: [],
  apiPaths: () => [],
  requestTimeoutMs: 60_000,
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
  parseDuration: durationMs,
});

if (has('watch')) void follow();
const { port } = await listen({
  env,
  server: has('pipeline') ? pipeline : { handle: write },
  host: '127.0.0.1',
  port: 0,
  tls: { cert: readFileSync(certPath), key: readFileSync(keyPath) },
});
console.log(JSON.stringify({ port }));
