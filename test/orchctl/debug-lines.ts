import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asObject, asObjects, asText, type JsonObject } from '@orch/machinery/json';
import type { CommandResult } from '@orch/orchctl/testing';
import type { CommandCluster } from './cluster.ts';

/** Command lines of `debug` for the pod `web` and the node `n`. */
export const debugLines: readonly string[] = [
  ...['legacy', 'general', 'baseline', 'restricted', 'netadmin', 'sysadmin'].flatMap((profile) => [
    `debug web --image=busybox --profile=${profile}`,
    `debug web --image=busybox --copy-to=copy --profile=${profile}`,
    `debug web --image=busybox --copy-to=copy -c main --profile=${profile}`,
    `debug node/n --image=busybox --profile=${profile}`,
    `debug web --image=busybox --custom=custom.yaml --profile=${profile}`,
    `debug node/n --image=busybox --custom=custom.yaml --profile=${profile}`,
    `debug web --image=busybox --copy-to=copy -c main --custom=limits.yaml --profile=${profile}`,
  ]),
  'debug web --image=busybox',
  'debug pod/web --image=busybox -q -c tools --target=main --profile=general',
  'debug pods web --image=busybox',
  'debug web --image=busybox -it --attach=false --profile=general -- sh -c date',
  'debug web --image=busybox --arguments-only --profile=general -- -c date',
  'debug web --image=busybox --env=A=1 --env=B=2 --image-pull-policy=Always --profile=general',
  'debug web --image=busybox --image-pull-policy=Sometimes',
  'debug web --image=busybox -t',
  'debug web --image=Busybox',
  'debug web --image=registry.example.com:5000/tools/debug:1@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa -q -c x',
  'debug web',
  'debug',
  'debug --image=busybox',
  'debug missing --image=busybox',
  'debug node/missing --image=busybox',
  'debug service/web --image=busybox',
  'debug web --image=busybox --profile=other',
  'debug web --image=busybox -c main --profile=general',
  'debug web --image=busybox --replace',
  'debug web --image=busybox --same-node',
  'debug web --image=busybox --set-image=a=b',
  'debug web --attach',
  'debug web --image=busybox --custom=mounts.yaml --profile=general',
  'debug web --copy-to=copy -c main --image=busybox --custom=mounts.yaml --profile=general',
  'debug web --image=busybox --custom=limits.yaml --profile=general',
  'debug node/n --image=busybox --custom=limits.yaml --profile=sysadmin',
  'debug web --image=busybox --custom=named.yaml',
  'debug web --image=busybox --custom=missing.yaml',
  'debug web --copy-to=copy',
  'debug web --copy-to=copy --profile=general -- sleep 1d',
  'debug web --copy-to=copy -c main --profile=general -- sleep 1d',
  'debug web --copy-to=copy -c main --arguments-only --profile=general -- 1d',
  'debug web --copy-to=copy -c none --profile=general -- sleep 1d',
  'debug web --copy-to=copy -c tools --image=busybox --profile=general -- sleep 1d',
  'debug web --copy-to=copy --set-image=main=busybox:2 --profile=general',
  'debug web --copy-to=copy --set-image=*=busybox:2,main=busybox:3',
  'debug web --copy-to=copy --set-image=main=Busybox',
  'debug web --copy-to=copy --set-image=side=busybox:2 --image=busybox --profile=general',
  'debug web --copy-to=copy --image=busybox --target=main',
  'debug web --copy-to=copy --image=busybox --same-node --profile=general',
  'debug web --copy-to=copy --image=busybox --replace --profile=general',
  'debug web --copy-to=copy --image=busybox --share-processes=false --profile=general',
  'debug web --copy-to=copy --image=busybox --share-processes --profile=legacy',
  'debug web --copy-to=copy --image=busybox --profile=general --keep-labels --keep-annotations --keep-liveness --keep-readiness --keep-startup',
  'debug web --copy-to=copy --image=busybox --profile=general --keep-init-containers=false --keep-startup',
  'debug web --copy-to=copy --image=busybox --profile=legacy --keep-labels --keep-init-containers=false',
  'debug web --copy-to=copy --image=busybox --env=A=1 --image-pull-policy=Never -c main -i --attach=false --profile=general',
  'debug web --copy-to=copy --image=busybox -c init --profile=general -- sh',
  'debug node/n --image=busybox -c tools -q --env=A=1 --profile=general -- sh',
  'debug node/n --image=busybox -it --attach=false --arguments-only --profile=general -- sh',
  'debug web node/n --image=busybox --profile=general',
  'debug -f pod.json --image=busybox --profile=general',
];

const probe = { httpGet: { path: '/', port: 80 } };
const webPod = {
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name: 'web', labels: { app: 'web' }, annotations: { note: 'a' } },
  spec: {
    nodeName: 'n',
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    securityContext: { runAsUser: 1000 },
    volumes: [{ name: 'data', emptyDir: {} }],
    initContainers: [{ name: 'init', image: 'example.com/init:1', command: ['true'] }],
    containers: [
      {
        ...{ name: 'main', image: 'example.com/web:1', command: ['serve'], args: ['--port=80'] },
        ...{ livenessProbe: probe, readinessProbe: probe, startupProbe: probe },
        ...{ env: [{ name: 'MODE', value: 'a' }], ports: [{ containerPort: 80 }] },
        securityContext: { runAsNonRoot: true, capabilities: { add: ['SYS_TIME'] } },
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
      { name: 'side', image: 'example.com/side:1' },
    ],
  },
};
const custom = {
  env: [{ name: 'A', value: '2' }],
  securityContext: { runAsUser: 0, capabilities: { drop: ['NET_RAW'] } },
};

/** Writes the files that command lines read. */
export function writeDebugFiles(folder: string): void {
  const files = {
    'custom.yaml': custom,
    'limits.yaml': { ...custom, resources: { limits: { cpu: '1' } } },
    'mounts.yaml': { volumeMounts: [{ name: 'data', mountPath: '/more' }] },
    ...{ 'named.yaml': { name: 'other' }, 'pod.json': webPod },
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
}

/**
 * The result of a command line: its output, and the differences between the pods afterwards and the pod `web` before.
 */
export interface DebugOutcome {
  readonly isRefused: boolean;
  readonly out: string;
  readonly pods: Readonly<Record<string, JsonObject>>;
}

const pods = '/api/v1/namespaces/default/pods';

/** Runs a command line on a fresh pod `web` of a cluster without other pods. */
export async function debugOutcome(
  { server: { client } }: CommandCluster,
  run: () => Promise<CommandResult>,
): Promise<DebugOutcome> {
  const listed = async () => asObjects(asObject((await client.get(pods)).json)['items']);
  for (const pod of await listed()) await client.delete(`${pods}/${nameOf(pod)}?gracePeriodSeconds=0`);
  const made = await client.post(pods, webPod);
  assert.equal(made.status, 201, made.text);
  const before = fieldsOf(made.json as JsonObject);
  const { status, out } = await run();
  const found = (await listed()).map((pod) => [withoutRandom(nameOf(pod)), difference(pod, before)] as const);
  return {
    isRefused: status !== 0,
    out: status === 0 ? withoutRandom(out).replace(/^(Targeting container).*\n/m, '$1\n') : '',
    pods: Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const nameOf = ({ metadata }: JsonObject): string => asText(asObject(metadata)['name']);

const withoutRandom = (text: string): string =>
  text.replace(/(?<=debugger-(?:n-)?)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, 'XXXXX');

/** The fields that `debug` decides about. */
function fieldsOf({ metadata, spec }: JsonObject): JsonObject {
  const { labels, annotations } = asObject(metadata);
  return { labels, annotations, ...asObject(spec) };
}

/** The fields that differ from those of another pod; null for those that only the other one has. */
function difference(pod: JsonObject, before: JsonObject): JsonObject {
  const after = fieldsOf(pod);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const changed = names.filter((name) => !isDeepStrictEqual(after[name], before[name]));
  const entries = changed.map((name) => [name, after[name] ?? null]);
  return JSON.parse(withoutRandom(JSON.stringify(Object.fromEntries(entries))));
}
