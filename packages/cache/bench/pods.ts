import { silentLogger, systemEnv } from '@orch/machinery/env';
import { ModelStore } from '@orch/storage';
import type { CachedResource, ResourceCache, WatchCache } from '../src/index.ts';
import { createWatchCache } from '../src/index.ts';

export const PREFIX = '/registry/';
const FIELDS = ['metadata.name', 'metadata.namespace', 'spec.nodeName', 'status.phase'];
const MARK = Buffer.from('"uid":"');

/** Bytes of a pod of about 4.6 KB as they are stored: canonical JSON without a resourceVersion. */
export function podBytes(
  n: number,
  options: { readonly node?: string; readonly uniqueLabels?: boolean } = {},
): Buffer {
  const name = `web-${String(n).padStart(5, '0')}-7d4f9c-x2k8p`;
  const env = Array.from({ length: 31 }, (_, i) => ({
    name: `SETTING_${i}`,
    value: `value-${i}-${'x'.repeat(48)}`,
  }));
  const mounts = Array.from({ length: 6 }, (_, i) => ({
    name: `vol-${i}`,
    mountPath: `/var/lib/data/${i}`,
    readOnly: true,
  }));
  return Buffer.from(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: `team-${n % 20}`,
        uid: `0f5c9ad0-5a1e-4d7e-9f1c-${String(n).padStart(12, '0')}`,
        creationTimestamp: '2024-01-01T00:00:00Z',
        labels: {
          app: `app-${n % 100}`,
          tier: `tier-${n % 3}`,
          'pod-template-hash': '7d4f9c',
          ...(options.uniqueLabels === true ? { instance: name } : {}),
        },
        annotations: { checksum: 'c'.repeat(64) },
      },
      spec: {
        nodeName: options.node ?? `node-${n % 100}`,
        serviceAccountName: 'default',
        containers: [{ name: 'main', image: 'registry.example/team/web:1.2.3', env, volumeMounts: mounts }],
        volumes: mounts.map((m) => ({
          name: m.name,
          configMap: { name: `config-${m.name}`, defaultMode: 420 },
        })),
        tolerations: [{ key: 'not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
      },
      status: {
        phase: 'Running',
        podIP: `10.0.${(n >> 8) & 255}.${n & 255}`,
        startTime: '2024-01-01T00:00:01Z',
        containerStatuses: [
          { name: 'main', ready: true, restartCount: 0, image: 'registry.example/team/web:1.2.3' },
        ],
      },
    }),
  );
}

interface Pod {
  metadata: { name: string; namespace: string; labels: Record<string, string> };
  spec: { nodeName: string };
  status: { phase: string };
}

/** Reads the selectable fields from parsed JSON, and splices the resourceVersion in. */
export const pods: CachedResource = {
  name: 'pods',
  prefix: `${PREFIX}pods/`,
  selectableFields: FIELDS,
  indexedFields: ['spec.nodeName'],
  ingest(value, rev) {
    const { metadata, spec, status } = JSON.parse(value.toString()) as Pod;
    const at = value.indexOf(MARK);
    const json = Buffer.concat([
      value.subarray(0, at),
      Buffer.from(`"resourceVersion":"${rev}",`),
      value.subarray(at),
    ]);
    return {
      json,
      labels: metadata.labels,
      fields: [metadata.name, metadata.namespace, spec.nodeName, status.phase],
      revisionOffset: at + 19,
    };
  },
};

export function podKey(n: number): string {
  return `${pods.prefix}team-${n % 20}/web-${String(n).padStart(5, '0')}-7d4f9c-x2k8p`;
}

export interface Loaded extends AsyncDisposable {
  readonly store: ModelStore;
  readonly cache: WatchCache;
  readonly pods: ResourceCache;
  readonly signal: AbortSignal;
  /** Writes a pod that exists, and waits until the cache has it. */
  update(n: number, value: Buffer): Promise<void>;
  caughtUp(): Promise<void>;
}

/** A cache on a model store that holds `count` pods. */
export async function loaded(count: number, resource: CachedResource = pods): Promise<Loaded> {
  const env = systemEnv({ log: silentLogger });
  const store = new ModelStore({ clock: env.clock });
  const stop = new AbortController();
  const revisions: number[] = [];
  for (let n = 0; n < count; n++) {
    const done = await store.commit({ op: 'create', key: podKey(n), value: podBytes(n) }, stop.signal);
    revisions[n] = done.rev;
  }
  const cache = createWatchCache({
    store,
    prefix: PREFIX,
    resources: [resource],
    env,
    options: { digestMs: 0 },
  });
  const run = cache.run(stop.signal);
  await cache.ready(stop.signal);
  const cached = cache.resource('pods');
  if (cached === undefined) throw new Error('the cache lacks pods');
  const caughtUp = async (): Promise<void> => {
    const rev = await store.currentRevision(stop.signal);
    while (cache.revision() < rev) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    store,
    cache,
    pods: cached,
    signal: stop.signal,
    caughtUp,
    async update(n, value) {
      const done = await store.commit(
        { op: 'update', key: podKey(n), value, expected: revisions[n] ?? 0 },
        stop.signal,
      );
      if (!done.ok) throw new Error('lost a race');
      revisions[n] = done.rev;
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('done'));
      await run;
      await store.close();
    },
  };
}
