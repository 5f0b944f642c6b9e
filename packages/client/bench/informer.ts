/**
 * Memory and time of an informer: what the heap grows by for objects of a kind, against their bytes on the wire.
 * Needs `--expose-gc`. `[pods | leases] [count]`; the pages come from a transport in the same process.
 */
import { namesFor } from '@orch/machinery';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { createClient, createInformer, type Resource, type Transport } from '../src/index.ts';

const [shape = 'pods', wanted = '50000'] = process.argv.slice(2);
const count = Number(wanted);

const meta = (n: number, name: string, fields: object): object => ({
  name,
  namespace: `team-${n % 20}`,
  uid: `0f5c9ad0-5a1e-4d7e-9f1c-${String(n).padStart(12, '0')}`,
  resourceVersion: String(1000 + n),
  creationTimestamp: `2024-01-01T00:${String(n % 60).padStart(2, '0')}:00Z`,
  labels: { app: `app-${n % 100}`, 'pod-template-hash': `7d4f${n % 100}` },
  managedFields: [
    {
      manager: 'kubectl-create',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2024-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: fields,
    },
  ],
});

const pod = (n: number): object => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: meta(n, `web-${n}-x2k8p`, {
    'f:spec': { 'f:containers': { 'k:{"name":"main"}': { '.': {}, 'f:image': {} } } },
  }),
  spec: {
    nodeName: `node-${n % 500}`,
    volumes: [
      {
        name: `token-${n.toString(36)}`,
        projected: { sources: [{ configMap: { name: 'ca' } }], defaultMode: 420 },
      },
    ],
    containers: [
      {
        name: 'main',
        image: `registry.example/team/web:1.2.${n % 10}`,
        env: [{ name: 'TEAM', value: `team-${n % 20}` }],
        resources: { requests: { cpu: '100m', memory: '128Mi' } },
        volumeMounts: [{ name: `token-${n.toString(36)}`, mountPath: '/var/run/secrets', readOnly: true }],
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    tolerations: [{ key: 'not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
  },
  status: {
    phase: 'Running',
    podIP: `10.0.${(n >> 8) & 255}.${n & 255}`,
    conditions: ['Ready', 'Initialized'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: '2024-01-01T00:00:01Z',
    })),
  },
});

/** Small objects that have next to nothing in common: the worst case. */
const lease = (n: number): object => ({
  kind: 'Lease',
  apiVersion: 'v1',
  metadata: meta(n, `node-${n}`, { 'f:spec': { 'f:holderIdentity': {} } }),
  spec: { holderIdentity: `node-${n}`, leaseDurationSeconds: 40, renewTime: `2024-01-01T00:00:00.${n}Z` },
});

const make = shape === 'leases' ? lease : pod;
const resource: Resource =
  shape === 'leases'
    ? { group: 'coordination', version: 'v1', resource: 'leases', kind: 'Lease', namespaced: true }
    : { group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: true };

let wireBytes = 0;
/** Time that making the pages took: not the informer's. */
let servedMs = 0;

function page(target: string): Buffer {
  const began = performance.now();
  const query = new URLSearchParams(target.split('?')[1]);
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(count, from + Number(query.get('limit') ?? count));
  const items = Array.from({ length: to - from }, (_, i) => make(from + i));
  const next = to < count ? { continue: String(to) } : {};
  const bytes = Buffer.from(JSON.stringify({ metadata: { resourceVersion: '1', ...next }, items }));
  wireBytes += bytes.byteLength;
  servedMs += performance.now() - began;
  return bytes;
}

const transport: Transport = {
  async send({ target }, signal) {
    async function* body(): AsyncGenerator<Uint8Array> {
      if (!target.includes('watch=')) yield page(target);
      else await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: body() };
  },
  reset: () => undefined,
  close: async () => undefined,
};

const collect = async (): Promise<number> => {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const env = systemEnv({ log: silentLogger });
const client = createClient({ transport, names: namesFor('orch'), env, userAgent: 'bench' });
const stop = new AbortController();
page('?limit=500');
wireBytes = 0;
servedMs = 0;
const before = await collect();
const began = performance.now();
const informer = createInformer({ client, env }, resource);
const run = informer.run(stop.signal);
await informer.synced(stop.signal);
const syncedMs = performance.now() - began - servedMs;
const bytes = (await collect()) - before;
console.log(
  JSON.stringify({
    bench: 'informer',
    shape,
    objects: informer.store.size,
    wireMB: Math.round(wireBytes / 1e5) / 10,
    keptMB: Math.round(bytes / 1e5) / 10,
    keptToWire: Math.round((bytes / wireBytes) * 100) / 100,
    syncedMs: Math.round(syncedMs),
  }),
);
stop.abort();
await run;
