import {
  type Controller,
  createClient,
  eventRecorder,
  fixedCredentials,
  informerFactory,
  networkTransport,
  runControllers,
} from '@orch/client';
import { allControllers, type Work } from '@orch/controllers';
import { usualOptions } from '@orch/controllers/testing';
import { type Env, namesFor } from '@orch/machinery';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { type BenchContext, type Subject, withBody } from '../lib/context.ts';
import type { BenchResult } from '../lib/measure.ts';
import { drive } from '../lib/raw-client.ts';

const names = namesFor('kubernetes');
const OBJECTS_IN_NAMESPACE = 5_000;
const DEPENDENTS = 10_000;
const WRITERS = 16;
const DEADLINE_MS = 300_000;

const isController = (work: Work): work is Controller => 'reconcile' in work;

/** The two controllers, over a separate connection. */
async function runCollectors({ server: { config } }: Subject): Promise<AsyncDisposable> {
  const env: Env = { ...systemEnv(), log: silentLogger };
  const identity = { headers: {}, tls: { cert: String(config.cert), key: String(config.key) } };
  const transport = networkTransport(
    {
      server: config.server,
      ca: String(config.ca),
      insecureSkipTlsVerify: false,
      disableCompression: true,
      credentials: fixedCredentials(identity),
    },
    env,
  );
  const client = createClient({ transport, names, env, userAgent: 'bench' });
  const informers = informerFactory({ client, env });
  const context = { env, client, informers, events: eventRecorder({ client, env, component: 'bench' }) };
  const wanted = allControllers.filter(({ name }) => name === 'namespace' || name === 'garbagecollector');
  const work = await Promise.all(wanted.map((descriptor) => descriptor.build(context, usualOptions)));
  const controllers = work.flatMap((one) => (typeof one === 'string' ? [] : one.filter(isController)));
  const stop = new AbortController();
  const running = runControllers(env, controllers, { informers }, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await transport.close();
    },
  };
}

async function create({ target }: Subject, path: string, objects: readonly object[]): Promise<void> {
  let next = 0;
  const statuses = await drive(target, WRITERS, () => {
    const object = objects[next++];
    return object === undefined ? undefined : withBody('POST', path, JSON.stringify(object));
  });
  const bad = [...statuses].filter(([status]) => status !== 201);
  if (bad.length > 0) throw new Error(`creating in ${path} answered ${JSON.stringify(bad)}`);
}

/** Deletes an object and polls until its dependents are deleted; returns the time in ms. */
async function timed(
  { server: { client } }: Subject,
  path: string,
  isOver: (client: Subject['server']['client']) => Promise<boolean>,
): Promise<number> {
  const began = performance.now();
  const { status, text } = await client.delete(path);
  if (status !== 200) throw new Error(`deleting ${path} answered ${status}: ${text}`);
  while (!(await isOver(client))) {
    if (performance.now() - began > DEADLINE_MS) throw new Error(`${path}: not deleted in time`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return performance.now() - began;
}

const configMap = (name: string, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data: { key: 'value' },
});

async function namespaceRow(subject: Subject): Promise<BenchResult> {
  const path = '/api/v1/namespaces/big';
  await create(subject, '/api/v1/namespaces', [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'big' } },
  ]);
  const objects = Array.from({ length: OBJECTS_IN_NAMESPACE }, (_, i) => configMap(`c-${i}`));
  await create(subject, `${path}/configmaps`, objects);
  const ms = await timed(subject, path, async (client) => (await client.get(path)).status === 404);
  return {
    what: `deletion of a namespace with ${OBJECTS_IN_NAMESPACE} objects, embedded`,
    unit: 's',
    value: ms / 1000,
    target: 20,
    onReference: true,
    note: 'including 5 s of waiting for other servers to observe the deletion',
  };
}

async function dependentsRow(subject: Subject): Promise<BenchResult> {
  const path = '/api/v1/namespaces/default/configmaps';
  await create(subject, path, [configMap('owner')]);
  const { json } = await subject.server.client.get(`${path}/owner`);
  const { uid } = (json as { metadata: { uid: string } }).metadata;
  const metadata = {
    labels: { owned: 'yes' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }],
  };
  const objects = Array.from({ length: DEPENDENTS }, (_, i) => configMap(`d-${i}`, metadata));
  await create(subject, path, objects);
  const left = `${path}?limit=1&labelSelector=owned%3Dyes`;
  const ms = await timed(subject, `${path}/owner`, async (client) => {
    const { items } = (await client.get(left)).json as { items: readonly unknown[] };
    return items.length === 0;
  });
  return {
    what: `garbage collection of ${DEPENDENTS} dependents of one owner, embedded`,
    unit: '/s',
    value: DEPENDENTS / (ms / 1000),
    target: 500,
    atLeast: true,
    onReference: true,
  };
}

/** Time of the deletion controllers for many objects. */
export async function collection(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  await using _ = await runCollectors(subject);
  return [await namespaceRow(subject), await dependentsRow(subject)];
}
