import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import type { EtcdMember } from '@orch/storage/testing';
import type { ApiClient, ApiResponse } from '@orch/testkit';
import type { Definitions } from '../threads/definitions.ts';
import { SMALL_DISK_MEMBER, type SoakCluster } from './cluster.ts';
import type { Watches } from './watches.ts';

export interface Troubled {
  readonly cluster: SoakCluster;
  readonly watches: Watches;
  readonly definitions: Definitions;
}

/** What a fault has shown of the product; other errors mean that the fault could not be caused. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

type Fault = (troubled: Troubled) => Promise<void>;

const STALL_MS = 6000;
const START_MS = 120_000;
/** Servers read a changed file within seconds. */
const RELOAD_MS = 15_000;
/** Servers have read a new configuration of webhooks by then. */
const EFFECT_MS = 3000;
/** Longer than a manager holds its lease without renewing it. */
const CLOCK_MS = 25_000;
const MAX_STEP_MS = 540_000;
const SECRETS = 5;
const secrets = '/api/v1/namespaces/default/secrets';

const stalled = async (
  pause: () => Promise<void> | void,
  resume: () => Promise<void> | void,
): Promise<void> => {
  await pause();
  await sleep(STALL_MS);
  await resume();
};

/** Writes all secrets again, so that they are encrypted with the newest key. */
async function writeSecrets({ cluster }: Troubled): Promise<void> {
  const client = cluster.any(cluster.clients);
  for (let i = 0; i < SECRETS; i++) {
    const body = { metadata: { name: `secret-${i}` }, stringData: { value: `${cluster.random.int(1e6)}` } };
    const { status } = await client.put(`${secrets}/secret-${i}`, body);
    if (status === 404) await client.post(secrets, body);
  }
  const { status, text } = await cluster.any(cluster.clients).get(secrets);
  if (status !== 200)
    throw new BrokenPromise(`secrets cannot be read after a rotation of the key: ${status} ${text}`);
}

/** Raises or clears the alarm of a full database, until etcd has accepted that. */
async function setFull(members: readonly EtcdMember[], action: 'ACTIVATE' | 'DEACTIVATE'): Promise<void> {
  let attempts = 0;
  await poll(`${action} of the alarm`, START_MS, async () => {
    const member = members[attempts++ % members.length];
    const list = await member?.http('POST', '/v3/cluster/member/list', {});
    const listed = JSON.parse(list?.body ?? '{}') as {
      readonly members?: readonly { readonly ID: string }[];
    };
    const [first] = listed.members ?? [];
    const body = { action, memberID: first?.ID, alarm: 'NOSPACE' };
    const answer = await member?.http('POST', '/v3/maintenance/alarm', body);
    return answer?.status === 200 ? true : undefined;
  });
}

/** A webhook that accepts connections and never answers. */
async function hangingWebhook({ cluster }: Troubled): Promise<void> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const apiVersion = namesFor('orch').apiVersion('admissionregistration', 'v1');
  const path = `/apis/${apiVersion}/validatingwebhookconfigurations`;
  const client = cluster.any(cluster.clients);
  const webhook = {
    name: 'hanging.example.com',
    clientConfig: { url: `https://127.0.0.1:${port}/` },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    timeoutSeconds: 2,
  };
  const expect = (status: number, send: () => Promise<ApiResponse>): Promise<unknown> =>
    poll('the configuration of a webhook', START_MS, async () =>
      (await send()).status === status ? true : undefined,
    );
  await expect(409, () => client.post(path, { metadata: { name: 'hanging' }, webhooks: [webhook] }));
  await sleep(EFFECT_MS);
  const until = performance.now() + STALL_MS;
  let passed = 0;
  while (performance.now() < until) {
    const { status } = await client.post(secrets, { metadata: { name: 'hooked' } });
    if (status < 300) passed++;
  }
  await expect(404, () => client.delete(`${path}/hanging`));
  server.close();
  if (passed > 0) throw new BrokenPromise(`${passed} writes passed a webhook that does not answer`);
}

/** The time of creation that a server would give an object now. */
async function clockOf(client: ApiClient): Promise<number> {
  const body = { metadata: { generateName: 'clock-' } };
  const { json } = await client.post(`${secrets}?dryRun=All`, body, {
    signal: AbortSignal.timeout(STALL_MS),
  });
  const { metadata } = json as { readonly metadata: { readonly creationTimestamp: string } };
  return Date.parse(metadata.creationTimestamp);
}

/** Sets the clock of a server or of the manager to another time, and back. */
async function stepClock({ cluster }: Troubled): Promise<void> {
  const { clock, client } = cluster.any(cluster.clocks);
  const stepMs = (cluster.random.int(2) === 0 ? 1 : -1) * (60_000 + cluster.random.int(MAX_STEP_MS));
  clock.set(stepMs);
  try {
    if (client !== undefined)
      await poll('the step of a clock', START_MS, async () => {
        const offsetMs = (await clockOf(client)) - Date.now();
        return Math.abs(offsetMs - stepMs) < 30_000;
      });
    await sleep(CLOCK_MS);
  } finally {
    clock.reset();
  }
}

/** Leaves a member of etcd without space on its disk: it ends itself, and is started again when there is space. */
async function fillDisk({ cluster }: Troubled): Promise<void> {
  const member = cluster.etcd.members[SMALL_DISK_MEMBER];
  cluster.disk?.fill();
  await sleep(CLOCK_MS);
  cluster.disk?.free();
  member?.start();
  await member?.ready(START_MS);
}

/** The fault that needs a file system of its own. */
export const FULL_DISK = 'disk of a member of etcd full';

/** The faults, by name. Each resolves when it is over. */
export const faults: Readonly<Record<string, Fault>> = {
  'server killed': async ({ cluster }) => cluster.any(cluster.troubled).signal('SIGKILL'),
  'server suspended': ({ cluster }) => {
    const server = cluster.any(cluster.troubled);
    return stalled(
      () => server.signal('SIGSTOP'),
      () => server.signal('SIGCONT'),
    );
  },
  'servers restarted one after the other': async ({ cluster }) => {
    for (const server of cluster.troubled) {
      const { starts } = server;
      server.signal('SIGTERM');
      const until = performance.now() + START_MS;
      while (server.starts === starts && performance.now() < until) await sleep(50);
      await server.waitFor(/https:\/\/127\.0\.0\.1:\d+/, START_MS);
    }
  },
  'manager killed': async ({ cluster }) => cluster.manager.signal('SIGKILL'),
  'leader of etcd killed': async ({ cluster }) => {
    const leader = await cluster.etcd.leader();
    await leader.kill();
    await sleep(cluster.random.int(STALL_MS));
    leader.start();
    await leader.ready(START_MS);
  },
  'leader of etcd suspended': async ({ cluster }) => {
    const leader = await cluster.etcd.leader();
    await stalled(
      () => leader.pause(),
      () => leader.resume(),
    );
  },
  'member of etcd partitioned': ({ cluster }) =>
    stalled(
      () => cluster.etcd.network?.partition([cluster.random.int(3)]),
      () => cluster.etcd.network?.heal(),
    ),
  'history compacted': async ({ cluster, watches }) => {
    const body = { revision: String(watches.revision), physical: true };
    await cluster.etcd.members[0]?.http('POST', '/v3/kv/compaction', body);
  },
  'etcd defragmented': async ({ cluster }) => {
    for (const member of cluster.etcd.members) await member.http('POST', '/v3/maintenance/defragment', {});
  },
  'store full': ({ cluster }) =>
    stalled(
      () => setFull(cluster.etcd.members, 'ACTIVATE'),
      () => setFull(cluster.etcd.members, 'DEACTIVATE'),
    ),
  'certificate of the servers rotated': async ({ cluster }) => {
    cluster.files.rotateCertificate();
    await sleep(RELOAD_MS);
  },
  'encryption key rotated': async (troubled) => {
    const { files } = troubled.cluster;
    files.rotateKey();
    await sleep(RELOAD_MS);
    files.useNewestKey();
    await sleep(RELOAD_MS);
    await writeSecrets(troubled);
  },
  'definitions come and go': ({ definitions }) => definitions.cycle(),
  'webhook hangs': hangingWebhook,
  'clock stepped': stepClock,
  [FULL_DISK]: fillDisk,
};
