import { setTimeout as sleep } from 'node:timers/promises';
import { compared, middle } from '../../lib/compared.ts';
import { type BenchContext, type Subject, withoutBody } from '../../lib/context.ts';
import { customPath, serve } from '../../lib/custom-kind.ts';
import {
  bigFields,
  numbered,
  seedDefinitions,
  servedResources,
  smallFields,
} from '../../lib/many-definitions.ts';
import { type BenchResult, type Measured, measure } from '../../lib/measure.ts';
import { cpuMicros, rssBytes } from '../../lib/proc.ts';
import { send } from '../../lib/repeat.ts';
import { settled } from '../../lib/settled.ts';

const DEFINITIONS = 1000;
const GROUPS = 50;
const MANY = 10_000;
const TURNS = 9;
/** The work that a definition causes after it is served is done by then. */
const SETTLE_MS = 300;
/** Memory is measured when the server has been idle for this time: garbage is collected within 12 seconds. */
const IDLE_MS = 15_000;

const KB = 1000;
const MB = 1e6;

interface Appearance {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Time until the index of the OpenAPI documents and the document of the group are current. */
  readonly openApiMs: number;
  /** Time until the document of OpenAPI v2, which has everything, is current. */
  readonly wholeOpenApiMs: number;
}

/** CPU of requests one after another, in ms. */
async function cpuMsOf(subject: Subject, requests: readonly [Buffer, ...Buffer[]]): Promise<number> {
  const { cpuPerOp } = await measure(subject.pid, async () => {
    const request = (at: number): Buffer => requests[at] ?? requests[0];
    await send(subject, { connections: 1, count: requests.length, request });
    return 1;
  });
  return cpuPerOp / 1000;
}

/** A definition in a separate group becomes served. */
async function appear(subject: Subject, index: number): Promise<Appearance> {
  const { pid, server } = subject;
  const definition = numbered(index, Number.POSITIVE_INFINITY, bigFields());
  const group = `g${index}.bench.example.com`;
  const cpu = cpuMicros(pid);
  const started = process.hrtime.bigint();
  await serve(subject, definition);
  const path = customPath(`kinds${index}`, 'v1', group);
  const answer = await server.client.get(path);
  const wallMs = Number(process.hrtime.bigint() - started) / 1e6;
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  await sleep(SETTLE_MS);
  const cpuMs = (cpuMicros(pid) - cpu) / 1000;
  const document = withoutBody(`/openapi/v3/apis/${group}/v1`);
  const openApiMs = await cpuMsOf(subject, [withoutBody('/openapi/v3'), document]);
  const wholeOpenApiMs = await cpuMsOf(subject, [withoutBody('/openapi/v2', 'Accept-Encoding: gzip\r\n')]);
  return { wallMs, cpuMs, openApiMs, wholeOpenApiMs };
}

const medianOf = (all: readonly Appearance[], of: (one: Appearance) => number): number => middle(all.map(of));

const rangeOf = (all: readonly Appearance[], of: (one: Appearance) => number): string => {
  const values = all.map(of);
  return `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
};

/** A definition becomes served on a server with many others, and on one without. */
async function becomesServed(full: Subject, empty: Subject): Promise<readonly BenchResult[]> {
  const others: Appearance[] = [];
  const alone: Appearance[] = [];
  for (let turn = -2; turn < TURNS; turn += 1) {
    const index = 1_000_000 + turn;
    const [withOthers, withoutOthers] = [await appear(full, index), await appear(empty, index)];
    // The first turns compile code.
    if (turn < 0) continue;
    others.push(withOthers);
    alone.push(withoutOthers);
  }
  const beyond = (what: string, of: (one: Appearance) => number): BenchResult => ({
    what: `${what}, beyond the same without others`,
    unit: 'ms CPU',
    value: medianOf(others, of) - medianOf(alone, of),
    target: 10,
    onReference: true,
    note: `medians of ${TURNS}: ${medianOf(others, of).toFixed(1)} (${rangeOf(others, of)}) and without others ${medianOf(alone, of).toFixed(1)} (${rangeOf(alone, of)})`,
  });
  const wall = ({ wallMs }: Appearance): number => wallMs;
  const served = `a definition of 50 kB becomes served, ${DEFINITIONS} others present`;
  return [
    {
      what: served,
      unit: 'ms',
      value: medianOf(others, wall),
      target: 200,
      onReference: true,
      note: `from its creation to a list of its objects; median of ${TURNS}: ${rangeOf(others, wall)}`,
    },
    beyond(served, ({ cpuMs }) => cpuMs),
    beyond(
      `index and own document of OpenAPI v3 after a definition was added, ${DEFINITIONS} others present`,
      ({ openApiMs }) => openApiMs,
    ),
    beyond(
      `document of OpenAPI v2 after a definition was added, ${DEFINITIONS} others present`,
      ({ wholeOpenApiMs }) => wholeOpenApiMs,
    ),
  ];
}

/** The document of another group after a definition was added, beside the same document without a change. */
async function documentsOfOthers(full: Subject): Promise<BenchResult> {
  const path = withoutBody('/openapi/v3/apis/g1.bench.example.com/v1');
  const read = (): Promise<Measured> =>
    measure(full.pid, async () => {
      await send(full, { connections: 1, count: 1, request: () => path });
      return 1;
    });
  let index = 2_000_000;
  await read();
  const runs = {
    unchanged: read,
    changed: async (): Promise<Measured> => {
      index += 1;
      await serve(full, numbered(index, Number.POSITIVE_INFINITY, bigFields()));
      // The index is made of the documents of all groups: afterwards all of them are there.
      await send(full, { connections: 1, count: 1, request: () => withoutBody('/openapi/v3') });
      await sleep(SETTLE_MS);
      return read();
    },
  };
  await compared(2, runs);
  const { unchanged, changed } = await compared(TURNS, runs);
  return {
    what: `OpenAPI v3 document of another group after a definition was added, ${DEFINITIONS} others present, beyond the same unchanged`,
    unit: 'ms CPU',
    value: (changed.median - unchanged.median) / 1000,
    target: 1,
    onReference: true,
    note: `medians of ${TURNS}: ${(changed.median / 1000).toFixed(2)} and unchanged ${(unchanged.median / 1000).toFixed(2)}`,
  };
}

/** Memory once the documents are made, which takes longer on a busy machine. */
async function idleRss(subject: Subject): Promise<number> {
  await settled(subject);
  await sleep(IDLE_MS);
  return rssBytes(subject.pid);
}

const idle = `${IDLE_MS / 1000} s after the server has nothing more to do`;

/** Memory of definitions that are not used. */
function memory(when: string, growth: number, bytes: number): readonly BenchResult[] {
  return [
    {
      what: `memory of an idle definition of 50 kB beyond its bytes, ${when}`,
      unit: 'kB',
      value: (growth - bytes) / DEFINITIONS / KB,
      target: 100,
      note: `growth of RSS by ${DEFINITIONS} definitions, less ${(bytes / MB).toFixed(1)} MB, the bytes of all of them; ${idle}`,
    },
    {
      what: `memory of ${DEFINITIONS} definitions of 50 kB, ${when}`,
      unit: 'MB',
      value: growth / MB,
      target: 150,
      note: `growth of RSS; ${idle}`,
    },
  ];
}

/** Definitions of 50 kB: their cost while none of their objects are used. */
export async function customDefinitions(context: BenchContext): Promise<readonly BenchResult[]> {
  const empty = await context.serverOnEtcd('/bench-no-definitions');
  const full = await context.serverOnEtcd('/bench-definitions');
  const before = await idleRss(full);
  const definitions = Array.from({ length: DEFINITIONS }, (_, i) => numbered(i, GROUPS, bigFields()));
  const bytes = definitions.reduce((sum, definition) => sum + JSON.stringify(definition).length, 0);
  await seedDefinitions(full, definitions);
  const created = (await idleRss(full)) - before;
  const other = await context.serverOnEtcd('/bench-definitions');
  const restarted = (await idleRss(other)) - before;
  return [
    ...memory('after they were created', created, bytes),
    ...memory('after a restart', restarted, bytes),
    ...(await becomesServed(full, empty)),
    await documentsOfOthers(full),
  ];
}

/** Ten thousand definitions on one server: all of them are served. */
export async function manyDefinitions(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverOnEtcd('/bench-many-definitions');
  const before = await idleRss(subject);
  const others = await servedResources(subject);
  const definitions = Array.from({ length: MANY }, (_, i) => numbered(i, 10 * GROUPS, smallFields()));
  const { cpuPerOp } = await measure(subject.pid, async () => {
    await seedDefinitions(subject, definitions);
    return MANY;
  });
  const growth = (await idleRss(subject)) - before;
  const path = customPath(`kinds${MANY - 1}`, 'v1', `g${(MANY - 1) % (10 * GROUPS)}.bench.example.com`);
  const list = await subject.server.client.get(path);
  if (list.status !== 200) throw new Error(list.text);
  return [
    {
      what: `${MANY} definitions: resources that are served`,
      unit: 'resources',
      value: (await servedResources(subject)) - others,
      target: MANY,
      atLeast: true,
      note: `of small schemas, ${(growth / MB).toFixed(0)} MB of RSS, ${(cpuPerOp / 1000).toFixed(1)} ms CPU each`,
    },
  ];
}
