import { type BenchContext, type Subject, withBody } from '../../lib/context.ts';
import { type BenchResult, inTurns } from '../../lib/measure.ts';
import { configMapOf } from '../../lib/pods.ts';
import { drive } from '../../lib/raw-client.ts';
import { continued } from '../../lib/repeat.ts';

const CONNECTIONS = 32;
const WRITES = 1600;
const WARM_UP_TURNS = 5;
const TURNS = 9;
const SHARE = 0.6;
const MANY = '1M';
const FEW = 500;

const bound = 'count/configmaps';

/** Creates a namespace, with a quota of config maps whose usage is calculated. */
async function createNamespace({ server }: Subject, name: string, hard?: string): Promise<void> {
  const send = async (method: string, path: string, body: object, contentType?: string): Promise<void> => {
    const type = contentType === undefined ? {} : { contentType };
    const { status, text } = await server.client.send(method, path, { body, ...type });
    if (status !== 200 && status !== 201) throw new Error(`${method} ${path}: ${text}`);
  };
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  if (hard === undefined) return;
  const quotas = `/api/v1/namespaces/${name}/resourcequotas`;
  const spec = { hard: { [bound]: hard } };
  await send('POST', quotas, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec });
  const status = { ...spec, used: { [bound]: '0' } };
  await send('PATCH', `${quotas}/q/status`, { status }, 'application/merge-patch+json');
}

const creation = (namespace: string, index: number): Buffer =>
  withBody(
    'POST',
    `/api/v1/namespaces/${namespace}/configmaps`,
    JSON.stringify({ ...configMapOf(`map-${index}`), metadata: { name: `map-${index}` } }),
  );

/** Fails when concurrent creations do not end exactly at the quota. */
async function checkLimit(subject: Subject): Promise<void> {
  await createNamespace(subject, 'few', String(FEW));
  let index = 0;
  const statuses = await drive(subject.target, CONNECTIONS, () =>
    index < 2 * FEW ? creation('few', index++) : undefined,
  );
  const [created, refused] = [statuses.get(201), statuses.get(403)];
  if (created !== FEW || refused !== FEW) throw new Error(`quota: ${JSON.stringify([...statuses])}`);
}

/** Rates of creations in a namespace with a quota, and in one without. */
export async function creationsUnderQuota(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverOnEtcd('/bench-quota');
  await createNamespace(subject, 'free');
  await createNamespace(subject, 'limited', MANY);
  const create = (namespace: string) =>
    continued(subject, {
      connections: CONNECTIONS,
      count: WRITES,
      request: (index) => creation(namespace, index),
    });
  const runs = [create('limited'), create('free')] as const;
  await inTurns(WARM_UP_TURNS, runs);
  const [limited, free] = await inTurns(TURNS, runs);
  await checkLimit(subject);
  const cpu = [limited, free].map(({ cpuPerOp }) => Math.round(cpuPerOp)).join(' and ');
  return [
    {
      what: `CREATE of a config map under a quota on etcd, ${CONNECTIONS} in flight`,
      unit: 'writes/s',
      value: limited.opsPerSecond,
      floor: free.opsPerSecond,
      ratio: limited.opsPerSecond / free.opsPerSecond,
      target: SHARE * free.opsPerSecond,
      atLeast: true,
      note: `beside a namespace without a quota; ${cpu} µs CPU; ${2 * FEW} creations under a quota of ${FEW} created ${FEW}`,
    },
  ];
}
