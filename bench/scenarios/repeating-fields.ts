import { NEWEST_RELEASE } from '@orch/apis';
import { type TestEnv, testEnv } from '@orch/machinery/testing';
import { ApiFixture } from '@orch/server/testing';
import { type LargeField, largeFieldsOf } from '../../test/lifecycle/large-fields.ts';
import { collectionOf } from '../../test/lifecycle/served-kinds.ts';
import type { BenchContext } from '../lib/context.ts';
import { holding } from '../lib/held-loop.ts';
import { againstFloor, type BenchResult } from '../lib/measure.ts';

const BYTES = Number(process.env['BYTES'] ?? '300000');
const SIZE = BYTES < 1e6 ? `${BYTES / 1000} KB` : `${BYTES / 1e6} MB`;
/** The kinds to measure, as in `v1 Pod`. */
const KINDS = new RegExp(process.env['PART'] ?? '.');
const MEASURES_EVERY_PLACE = process.env['EVERY'] === 'yes';

/** Of an object with the large field: its creation, updates that send it, and updates that send an annotation. */
const requests = ['CREATE', 'created by apply', 'PUT', 'apply of all', 'merge patch', 'apply'] as const;
/** The requests to measure, as in `CREATE|apply of all`. */
const REQUESTS = new RegExp(process.env['REQUESTS'] ?? '.');
const ROUNDS = 2;
/** CPU in which each round repeats its work. */
const EXACT_MS = 50;
const WORST = 25;
/** Maximum of the CPU of a write, in multiples of parsing and writing the bytes. */
const TARGET = 8;

/** The longest time, in milliseconds, for which one request may hold the event loop. */
const MAX_HOLD_MS = 25;

/** The least CPU of a request, and of parsing and writing the bytes that it cannot do without. */
interface Cost {
  readonly request: (typeof requests)[number];
  readonly status: number;
  readonly cpuMs: number;
  readonly floorMs: number;
  /** The longest time for which the event loop was held. */
  readonly holdMs: number;
}

interface FieldCost extends Cost {
  readonly where: string;
}

const ratioOf = ({ cpuMs, floorMs }: Cost): number => cpuMs / floorMs;

/** Writes of objects of which one field has nearly all bytes, in this process, for every list and map of every kind. */
export async function repeatingFields(_context: BenchContext): Promise<readonly BenchResult[]> {
  // The clock of this server stands still, so that it divides no work: between pieces, it would look for other requests.
  await using whole = await serverWith(testEnv());
  const env = testEnv();
  Object.assign(env.clock, { monotonic: () => performance.now() });
  await using divided = await serverWith(env);
  const costs: FieldCost[] = [];
  for (const large of distinct(await largeFieldsOf(whole, NEWEST_RELEASE))) {
    const { served, field } = large;
    const where = `${served.apiVersion} ${served.kind} ${field.path}`;
    const used = await writesOf(whole, large, cpuOf);
    const held = await writesOf(divided, large, holdOf);
    const measured = used.map((cost, i) => ({ ...cost, holdMs: held[i]?.holdMs ?? Number.NaN }));
    if (measured.length > 0) console.error(`${where}: ${measured.map(textOf).join(', ')}`);
    costs.push(...measured.map((cost) => ({ where, ...cost })));
  }
  return rowsOf(costs);
}

const serverWith = (env: TestEnv): Promise<ApiFixture> =>
  ApiFixture.open({ env, release: NEWEST_RELEASE, isEnabled: () => true, maintainsApiServices: false });

/** The fields of the selected kinds; a struct that kinds share is measured once in places of the same name. */
function distinct(all: readonly LargeField[]): readonly LargeField[] {
  const seen = new Set<string>();
  return all.filter(({ served, field }) => {
    if (!KINDS.test(`${served.apiVersion} ${served.kind}`)) return false;
    const place = `${field.declaration} ${field.path.split('.').slice(-3).join('.')}`;
    return (!seen.has(place) && seen.add(place) !== undefined) || MEASURES_EVERY_PLACE;
  });
}

const textOf = (cost: Cost): string =>
  `${cost.request} ${cost.status} ${ratioOf(cost).toFixed(1)}× (${cost.holdMs.toFixed(0)} ms)`;

type Send = () => Promise<{ readonly status: number }>;

/** Measures a request; `bytes` are those that are sent or read. */
type Measure<T> = (write: { readonly bytes: readonly Buffer[]; readonly send: Send }) => Promise<T>;

type Measured<T> = T & Pick<Cost, 'request'>;

/** The creations and updates of the object, each measured; none for a field that the server drops. */
async function writesOf<T extends { readonly status: number }>(
  api: ApiFixture,
  { served, field, objectOf }: LargeField,
  measure: Measure<T>,
): Promise<readonly Measured<T>[]> {
  const path = collectionOf(served);
  const object = objectOf(BYTES);
  const body = Buffer.from(JSON.stringify(object));
  const creations = await measuredWrites(creationsOf(api, { served, object, body }), measure);
  if (!requests.slice(2).some((each) => REQUESTS.test(each))) return creations;
  const { status, json: stored, bytes } = await api.post(path, body, json);
  const name: unknown = stored?.metadata?.name;
  if (status !== 201 || typeof name !== 'string') return creations;
  try {
    if (!isPresent(stored, field.path)) return [];
    // The server may merge equal items.
    if (bytes.length < BYTES / 2) return creations;
    const updates = updatesOf(api, { target: `${path}/${name}?dryRun=All`, stored, bytes });
    return [...creations, ...(await measuredWrites(updates, measure))];
  } finally {
    await api.delete(`${path}/${name}`);
  }
}

/** A request to measure; the bytes are those that are sent or read. */
interface Write {
  readonly request: Cost['request'];
  readonly bytes: readonly Buffer[];
  readonly send: Send;
}

async function measuredWrites<T extends { readonly status: number }>(
  writes: readonly Write[],
  measure: Measure<T>,
): Promise<readonly Measured<T>[]> {
  const all: Measured<T>[] = [];
  for (const { request, ...write } of writes) {
    if (!REQUESTS.test(request)) continue;
    all.push({ request, ...(await measure(write)) });
  }
  return all;
}

const json = { contentType: 'application/json' };
const applied = { contentType: 'application/apply-patch+yaml' };

function creationsOf(api: ApiFixture, { served, object, body }: Creation): readonly Write[] {
  const path = collectionOf(served);
  const { name } = (object as Stored).metadata;
  const config = Buffer.from(JSON.stringify({ apiVersion: served.apiVersion, kind: served.kind, ...object }));
  const target = `${path}/${name}?dryRun=All&fieldManager=large`;
  return [
    { request: 'CREATE', bytes: [body], send: () => api.post(`${path}?dryRun=All`, body, json) },
    ...(name === undefined
      ? []
      : [
          {
            request: 'created by apply' as const,
            bytes: [config],
            send: () => api.send('PATCH', target, { ...applied, body: config }),
          },
        ]),
  ];
}

interface Creation {
  readonly served: LargeField['served'];
  readonly object: object;
  readonly body: Buffer;
}

function updatesOf(api: ApiFixture, { target, stored, bytes }: Target): readonly Write[] {
  const changed = Buffer.from(JSON.stringify(annotated(stored)));
  const { apiVersion, kind } = stored;
  const metadata = { annotations: { touched: 'yes' } };
  const small = { apiVersion, kind, metadata: { name: stored.metadata.name, ...metadata } };
  const kept = { ...stored.metadata, managedFields: undefined };
  const all = Buffer.from(JSON.stringify({ ...stored, metadata: kept }));
  const apply = (body: Buffer | object) => (): ReturnType<Send> =>
    api.send('PATCH', `${target}&fieldManager=small&force=true`, { ...applied, body });
  return [
    { request: 'PUT', bytes: [changed, bytes], send: () => api.put(target, changed, json) },
    { request: 'apply of all', bytes: [all, bytes], send: apply(all) },
    { request: 'merge patch', bytes: [bytes], send: () => api.patch(target, { metadata }) },
    { request: 'apply', bytes: [bytes], send: apply(small) },
  ];
}

interface Target {
  readonly target: string;
  readonly stored: Stored;
  readonly bytes: Buffer;
}

interface Stored {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly annotations?: object };
}

const annotated = (stored: Stored): object => ({
  ...stored,
  metadata: { ...stored.metadata, annotations: { ...stored.metadata.annotations, touched: 'yes' } },
});

/** Whether an object has the field of a path, in the first item or entry of each list and map on the way. */
function isPresent(object: object, path: string): boolean {
  let at: unknown = object;
  for (const step of path.split('.')) {
    const value = (at as Readonly<Record<string, unknown>> | undefined)?.[step.replace(/\[\]$|\{\}$/, '')];
    at = /[\]}]$/.test(step) ? Object.values(value ?? {})[0] : value;
  }
  return at !== undefined;
}

/** A request and its floor in alternating rounds; the least of each counts. */
const cpuOf: Measure<Omit<Cost, 'request' | 'holdMs'>> = async ({ bytes, send }) => {
  const parsing = async (): Promise<void> => {
    for (const each of bytes) JSON.stringify(JSON.parse(each.toString()));
  };
  // The warm-up.
  await parsing();
  const { status } = await send();
  let [cpuMs, floorMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    floorMs = Math.min(floorMs, await meanCpuMs(parsing));
    cpuMs = Math.min(cpuMs, await meanCpuMs(send));
  }
  return { status, cpuMs, floorMs };
};

/** The longest hold of the event loop by a request, in the best round. */
const holdOf: Measure<Pick<Cost, 'status' | 'holdMs'>> = async ({ send }) => {
  let { status } = await send();
  let leastHoldMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const { result, holdMs } = await holding(send);
    ({ status } = result);
    leastHoldMs = Math.min(leastHoldMs, holdMs);
  }
  return { status, holdMs: leastHoldMs };
};

/** The mean CPU of work that is repeated until the measurement is exact: the kernel counts the CPU of a thread every 4 ms. */
async function meanCpuMs(work: () => Promise<unknown>): Promise<number> {
  const cpu = cpuMeter();
  for (let times = 1; ; times++) {
    await work();
    const ms = cpu();
    if (ms >= EXACT_MS) return ms / times;
  }
}

/** Tells the CPU of this thread since the call, in milliseconds. */
function cpuMeter(): () => number {
  const start = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  };
}

/** The worst writes, by their rank: a later run replaces the rows of an earlier one, whichever fields they are. */
function rowsOf(costs: readonly FieldCost[]): readonly BenchResult[] {
  const worst = [...costs].sort((a, b) => ratioOf(b) - ratioOf(a));
  const counted = (what: string, holds: (cost: Cost) => boolean, note: string): BenchResult => {
    const value = costs.filter(holds).length;
    return { what: `writes of ${SIZE} in one field ${what}`, unit: 'writes', value, target: 0, note };
  };
  const floor = 'floor: JSON.parse and JSON.stringify of the bytes sent and read';
  return [
    counted(
      `above ${TARGET} times their floor`,
      (cost) => ratioOf(cost) > TARGET,
      `of ${costs.length}; ${floor}`,
    ),
    counted('that fail with an internal error', ({ status }) => status >= 500, `of ${costs.length}`),
    ...worst.slice(0, WORST).map(rowOf),
    counted(
      `that hold the event loop for more than ${MAX_HOLD_MS} ms`,
      ({ holdMs }) => holdMs > MAX_HOLD_MS,
      `of ${costs.length}; CPU of the thread between two iterations, the best of ${ROUNDS} rounds`,
    ),
    ...[...costs]
      .sort((a, b) => b.holdMs - a.holdMs)
      .slice(0, WORST)
      .map(rowOfHold),
  ];
}

const rowOfHold = ({ request, where, status, holdMs }: FieldCost, rank: number): BenchResult => ({
  what: `longest hold of the event loop by a write of ${SIZE} in one field, worst ${rank + 1}`,
  unit: 'ms CPU',
  value: holdMs,
  target: MAX_HOLD_MS,
  note: `${request} of ${where}${outcomeOf(status)}`,
});

const outcomeOf = (status: number): string => (status < 300 ? '' : `, refused with ${status}`);

function rowOf({ request, where, status, cpuMs, floorMs }: FieldCost, rank: number): BenchResult {
  return againstFloor(`write of ${SIZE} in one field, worst ${rank + 1}`, 'ms CPU', {
    value: cpuMs,
    floor: floorMs,
    factor: TARGET,
    note: `${request} of ${where}${outcomeOf(status)}`,
  });
}
