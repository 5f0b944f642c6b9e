import { findKind, findType } from '@orch/apis';
import { type ApiObject, namesFor } from '@orch/machinery';
import { validateObjectMeta } from '@orch/machinery/object-meta';
import { codecCompiler, messageField, protobufCompiler } from '@orch/schema';
import { type BenchContext, seedPods, withoutBody } from '../lib/context.ts';
import { againstFloor, type BenchResult, type Measured, measure } from '../lib/measure.ts';
import { largePod, podOf } from '../lib/pods.ts';
import { rssBytes } from '../lib/proc.ts';
import { drive, RawConnection, type RawTarget } from '../lib/raw-client.ts';

const pods = '/api/v1/namespaces/default/pods?resourceVersion=0';
const names = namesFor('kubernetes');
const asProtobuf = `Accept: ${names.mediaTypes.protobuf}\r\n`;

const WARM_UP = 4000;
const PER_ROUND = 300;
const ROUNDS = 60;

/** CPU of this process for one call of `run`, in µs: the best of many short rounds. */
function cpuOf(run: () => unknown): number {
  for (let i = 0; i < WARM_UP; i += 1) run();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    for (let i = 0; i < PER_ROUND; i += 1) run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return best / PER_ROUND;
}

const podType = () => ({
  type: findType('', 'pods') ?? missing(),
  schema: findKind('', 'v1', 'Pod')?.schema ?? missing(),
});

function missing(): never {
  throw new Error('there are no pods');
}

/** Processing of a pod before it is stored, and between the cache and a Protobuf client. */
function onePod(): readonly BenchResult[] {
  const { type, schema } = podType();
  const codec = codecCompiler(names).compile(schema);
  const message = protobufCompiler(names).compile(schema);
  const sent = podOf(500, largePod);
  const strategist = {
    names,
    now: '2026-01-01T00:00:00Z',
    requestVersion: 'v1',
    user: { name: 'bench', groups: [] },
    since: () => true,
    uuid: () => '3b0c7f0e-5a4e-4f6e-9b8c-7d1e2f3a4b5c',
  };
  const decoded = (): ApiObject => codec.decode(sent, { defaults: true }).value;
  const admitted = (): number => {
    const object = decoded();
    const problems = [
      ...validateObjectMeta(object.metadata, { namespaced: true, nameFormat: type.nameFormat, names }),
      ...codec.validate(object),
      ...(type.strategy.validate?.(object, undefined, strategist) ?? []),
    ];
    if (problems.length > 0) throw new Error(`the pod is invalid: ${JSON.stringify(problems[0])}`);
    return problems.length;
  };
  const object = decoded();
  const bytes = Buffer.from(message.encode(object));
  const size = `${(JSON.stringify(object).length / 1000).toFixed(1)} KB`;
  const row = (what: string, target: number, run: () => unknown, note: string): BenchResult => ({
    what,
    unit: 'µs CPU',
    value: cpuOf(run),
    target,
    onReference: true,
    note,
  });
  const short = `${(bytes.length / 1000).toFixed(1)} KB of Protobuf`;
  return [
    row(`defaults and validation of a pod of ${size}`, 60, admitted, 'from parsed JSON: decoding included'),
    row('Protobuf encoding of that pod', 40, () => messageField(message, object), short),
    row('Protobuf decoding of that pod', 40, () => message.decode(bytes), 'to plain values'),
  ];
}

function lists(target: RawTarget, headers: string, count: number): Promise<number> {
  const request = withoutBody(pods, headers);
  let left = count;
  return drive(target, 1, () => (left-- > 0 ? request : undefined)).then((statuses) => {
    if (statuses.get(200) !== count) throw new Error(`answers: ${JSON.stringify([...statuses])}`);
    return count;
  });
}

async function sizeOf(target: RawTarget): Promise<number> {
  using connection = await RawConnection.open(target);
  return (await connection.exchange(withoutBody(pods, asProtobuf))).bytes;
}

const LISTS = 20;

/** A LIST of many pods as Protobuf relative to JSON, both from cached encodings. */
async function listing(context: BenchContext, count: number): Promise<readonly BenchResult[]> {
  await seedPods(await context.serverOnEtcd('/bench-codec'), count);
  // A server that has only loaded the pods, so that its memory is comparable.
  const { pid, target } = await context.serverOnEtcd('/bench-codec');
  await lists(target, '', LISTS);
  const before = rssBytes(pid);
  const first = await measure(pid, () => lists(target, asProtobuf, 1));
  const grown = (rssBytes(pid) - before) / 1e6;
  const best: Record<string, Measured> = {};
  for (let round = 0; round < 3; round += 1) {
    for (const headers of ['', asProtobuf]) {
      const measured = await measure(pid, () => lists(target, headers, LISTS));
      const earlier = best[headers];
      if (earlier === undefined || measured.cpuPerOp < earlier.cpuPerOp) best[headers] = measured;
    }
  }
  const json = best['']?.cpuPerOp ?? 0;
  const protobuf = best[asProtobuf]?.cpuPerOp ?? 0;
  const size = (await sizeOf(target)) / 1e6;
  return [
    againstFloor(`LIST ${count} pods as Protobuf, cached`, 'ms CPU', {
      value: protobuf / 1000,
      floor: json / 1000,
      factor: 1,
      note: `${size.toFixed(0)} MB; floor: the same LIST as JSON`,
    }),
    {
      what: `LIST ${count} pods as Protobuf, the first one`,
      unit: 'ms CPU',
      value: first.cpuPerOp / 1000,
      target: count * 0.12,
      onReference: true,
      note: 'every pod, managed fields included, is read as JSON and encoded; at most 120 µs each',
    },
    {
      what: `memory of the Protobuf of ${count} pods: RSS growth`,
      unit: 'MB',
      value: grown,
      floor: size,
      ratio: grown / size,
      target: size * 1.5,
      note: 'right after the first LIST, including garbage; floor: its size',
    },
  ];
}

/** Codecs alone, and with cached encodings. */
export async function codec(context: BenchContext, count: number): Promise<readonly BenchResult[]> {
  return [...onePod(), ...(await listing(context, count))];
}
