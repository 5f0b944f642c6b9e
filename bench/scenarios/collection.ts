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
import { type Env, namesFor, silentLogger, systemEnv } from '@orch/machinery';
import { type BenchContext, type Subject, withBody } from '../lib/context.ts';
import type { Row } from '../lib/measure.ts';
import { drive } from '../lib/raw-client.ts';

const names = namesFor('kubernetes');
const inNamespace = 5_000;
const dependents = 10_000;
const writers = 16;
const deadlineMs = 300_000;

const isController = (work: Work): work is Controller => 'reconcile' in work;

/** The two controllers, over a connection of their own. */
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
  const running = runControllers(env, controllers, stop.signal, { informers });
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
  const statuses = await drive(target, writers, () => {
    const object = objects[next++];
    return object === undefined ? undefined : withBody('POST', path, JSON.stringify(object));
  });
  const bad = [...statuses].filter(([status]) => status !== 201);
  if (bad.length > 0) throw new Error(`creating in ${path} answered ${JSON.stringify(bad)}`);
}

/** Deletes what all the rest follows from, and asks until that is over; ms. */
async function timed(
  { server: { client } }: Subject,
  path: string,
  isOver: (client: Subject['server']['client']) => Promise<boolean>,
): Promise<number> {
  const began = performance.now();
  const { status, text } = await client.delete(path);
  if (status !== 200) throw new Error(`deleting ${path} answered ${status}: ${text}`);
  while (!(await isOver(client))) {
    if (performance.now() - began > deadlineMs) throw new Error(`${path}: not over yet`);
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

async function namespaceRow(subject: Subject): Promise<Row> {
  const path = '/api/v1/namespaces/big';
  await create(subject, '/api/v1/namespaces', [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'big' } },
  ]);
  const objects = Array.from({ length: inNamespace }, (_, i) => configMap(`c-${i}`));
  await create(subject, `${path}/configmaps`, objects);
  const ms = await timed(subject, path, async (client) => (await client.get(path)).status === 404);
  return {
    what: `a namespace with ${inNamespace} objects is gone, embedded`,
    unit: 's',
    value: ms / 1000,
    target: 20,
    onReference: true,
    note: 'of which 5 s are waited for servers that have not heard of it',
  };
}

async function dependentsRow(subject: Subject): Promise<Row> {
  const path = '/api/v1/namespaces/default/configmaps';
  await create(subject, path, [configMap('owner')]);
  const { json } = await subject.server.client.get(`${path}/owner`);
  const { uid } = (json as { metadata: { uid: string } }).metadata;
  const metadata = {
    labels: { owned: 'yes' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }],
  };
  const objects = Array.from({ length: dependents }, (_, i) => configMap(`d-${i}`, metadata));
  await create(subject, path, objects);
  const left = `${path}?limit=1&labelSelector=owned%3Dyes`;
  const ms = await timed(subject, `${path}/owner`, async (client) => {
    const { items } = (await client.get(left)).json as { items: readonly unknown[] };
    return items.length === 0;
  });
  return {
    what: `dependents of one owner collected, ${dependents} of them, embedded`,
    unit: '/s',
    value: dependents / (ms / 1000),
    target: 500,
    atLeast: true,
    onReference: true,
  };
}

/** What the controllers of deletion take for much to delete. */
export async function collection(context: BenchContext): Promise<readonly Row[]> {
  const subject = await context.serverEmbedded();
  await using _ = await runCollectors(subject);
  return [await namespaceRow(subject), await dependentsRow(subject)];
}
