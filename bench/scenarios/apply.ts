import { type BenchContext, type Subject, withBody, withoutBody } from '../lib/context.ts';
import { againstFloor, type BenchResult, inTurns, type Measured, measure } from '../lib/measure.ts';
import { drive } from '../lib/raw-client.ts';

const path = '/apis/apps/v1/namespaces/default/deployments';
const OBJECTS = 200;
const CONCURRENCY = 16;
const APPLY = 'application/apply-patch+yaml';

/** A deployment of about 4 KB, as applied from a repository. */
export function deployment(name: string, revision: number, variables = 12): Record<string, unknown> {
  const container = (of: string): Record<string, unknown> => ({
    name: of,
    image: `registry.example/${of}:1.2.${revision}`,
    args: ['--listen=:8080', '--log-format=json'],
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: Array.from({ length: variables }, (_, i) => ({
      name: `SETTING_${i}`,
      value: `value-${i}-of-${of}`,
    })),
    resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '250m', memory: '256Mi' } },
    livenessProbe: { httpGet: { path: '/livez', port: 8080 }, periodSeconds: 10 },
    readinessProbe: { httpGet: { path: '/readyz', port: 8080 }, periodSeconds: 10 },
    volumeMounts: [{ name: 'config', mountPath: '/etc/config', readOnly: true }],
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default', labels: { app: name, 'example.com/part-of': 'bench' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [container('main'), container('proxy')],
          volumes: [{ name: 'config', configMap: { name: 'settings' } }],
        },
      },
    },
  };
}

type MakeRequest = (index: number) => Buffer;

const nameOf = (index: number): string => `d-${index % OBJECTS}`;
const target = (name: string): string => `${path}/${name}?fieldManager=bench`;
const applyOf = (name: string, revision: number, variables?: number): Buffer =>
  withBody('PATCH', target(name), JSON.stringify(deployment(name, revision, variables)), APPLY);

/** Every round changes the same field of each object. */
const round = (index: number): number => Math.floor(index / OBJECTS);

interface Load {
  readonly request: MakeRequest;
  readonly connections?: number;
}

async function run(
  subject: Subject,
  { request, connections = CONCURRENCY }: Load,
  first: number,
  count: number,
): Promise<Measured> {
  return measure(subject.pid, async () => {
    let next = first;
    const statuses = await drive(subject.target, connections, () =>
      next < first + count ? request(next++) : undefined,
    );
    const bad = [...statuses].filter(([status]) => status !== 200 && status !== 201);
    if (bad.length > 0) throw new Error(JSON.stringify(bad));
    return count;
  });
}

/** The best of three rounds, after a warm-up round. */
async function best(subject: Subject, load: Load, count: number): Promise<Measured> {
  let found = await run(subject, load, 0, count);
  for (let turn = 1; turn <= 3; turn++) {
    const measured = await run(subject, load, turn * count, count);
    if (turn === 1 || measured.cpuPerOp < found.cpuPerOp) found = measured;
  }
  return found;
}

/** Server-side apply, relative to the equivalent writes and reads. */
export async function apply(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  await run(subject, { request: (i) => applyOf(nameOf(i), 0) }, 0, OBJECTS);
  const changing = await best(subject, { request: (i) => applyOf(nameOf(i), 1 + round(i)) }, 10 * OBJECTS);
  const last = 1 + round(40 * OBJECTS - 1);
  const again: Load = { request: (i) => applyOf(nameOf(i), last) };
  const reading: Load = { request: (i) => withoutBody(`${path}/${nameOf(i)}`) };
  for (const load of [again, reading]) await run(subject, load, 0, 20 * OBJECTS);
  const [unchanged, got] = await inTurns(10, [
    () => run(subject, again, 0, 5 * OBJECTS),
    () => run(subject, reading, 0, 5 * OBJECTS),
  ]);
  const put = await best(
    subject,
    {
      request: (i) =>
        withBody('PUT', target(nameOf(i)), JSON.stringify(deployment(nameOf(i), 1_000 + round(i)))),
    },
    10 * OBJECTS,
  );
  return [
    againstFloor('apply of a 4 KB deployment that changes one field, relative to a PUT', 'µs CPU', {
      value: changing.cpuPerOp,
      floor: put.cpuPerOp,
      factor: 4,
    }),
    againstFloor('apply of a 4 KB deployment that changes nothing, relative to a GET', 'µs CPU', {
      value: unchanged.cpuPerOp,
      floor: got.cpuPerOp,
      factor: 2,
    }),
    await linear(subject),
  ];
}

/** Two lists that are merged by item, one twice as long as the other. */
async function linear(subject: Subject): Promise<BenchResult> {
  const cost = async (items: number): Promise<number> => {
    const { cpuPerOp } = await best(
      subject,
      { request: (i) => applyOf(`list-${items}`, i, items), connections: 1 },
      40,
    );
    return cpuPerOp;
  };
  // Each of two containers has this many items.
  const short = await cost(500);
  const long = await cost(1_000);
  const what = 'apply that merges lists of 2,000 items, relative to lists of 1,000';
  return againstFloor(what, 'µs CPU', { value: long, floor: short, factor: 2.5 });
}
