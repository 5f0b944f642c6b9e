import { besideOther, compared } from '../lib/compared.ts';
import { type BenchContext, type Subject, withBody, withoutBody } from '../lib/context.ts';
import { customPath, definitionOf, serve } from '../lib/custom-kind.ts';
import { type BenchResult, type Measured, measure } from '../lib/measure.ts';
import { RawConnection } from '../lib/raw-client.ts';

const TURNS = 5;
const KEYS = 20_000;
/** More than one page of the history compares. */
const CHANGES = 8;
const MAPS = '/api/v1/namespaces/default/configmaps';
const FIELD = `/why/object?resource=configmaps&namespace=default&name=wide&field=.data`;

/** Requests that cost the server more than their size suggests, beside `JSON.parse` of their bytes in the same turn. */
export async function largeObjects(context: BenchContext): Promise<readonly BenchResult[]> {
  return [...(await defaults(context)), ...(await wideObjects(context))];
}

/** Creations that are refused because of the size of their defaults: each `{}` stands for a thousand characters. */
async function defaults(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  const item = { type: 'object', properties: { text: { type: 'string', default: 'x'.repeat(1000) } } };
  const parts = { type: 'array', items: item };
  const fields = { spec: { type: 'object', properties: { parts } } };
  await serve(subject, definitionOf({ plural: 'bombs', kind: 'Bomb', versions: [{ name: 'v1', fields }] }));
  const rows: BenchResult[] = [];
  for (const [size, bytes, repeats, factor] of [
    ['150 KB', 150_000, 20, 10],
    ['600 KB', 600_000, 8, 8],
    ['2.1 MB', 2_100_000, 3, 7],
  ] as const) {
    const body = bombOf(bytes);
    const request = withBody('POST', customPath('bombs'), body);
    const turns = await compared(TURNS, {
      refused: () => answered(subject, request, { status: 422, repeats }),
      parsed: () => parsing(body, repeats),
    });
    const what = `CREATE of ${size} refused because its defaults are too large`;
    const note = 'floor: JSON.parse of the request';
    rows.push(besideOther({ what, unit: 'ms CPU', factor, note }, turns.refused, turns.parsed));
  }
  return rows;
}

function bombOf(bytes: number): Buffer {
  const head = { apiVersion: 'bench.example.com/v1', kind: 'Bomb', metadata: { name: 'b' } };
  const parts = `[${'{},'.repeat(bytes / 3 - 1)}{}]`;
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"spec":{"parts":${parts}}}`);
}

/**
 * Reads of the history of an object with many keys, of which one changes each time, and requests to explain its fields.
 */
async function wideObjects(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded(['--history-retention=24h']);
  const { client } = subject.server;
  const data = Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`key-${i}`, `value ${i}`]));
  const created = await client.post(MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'wide' },
    data,
  });
  if (created.status !== 201) throw new Error(created.text);
  for (let i = 0; i < CHANGES; i++) {
    const patched = await client.send('PATCH', `${MAPS}/wide`, {
      body: JSON.stringify({ data: { count: String(i) } }),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    if (patched.status !== 200) throw new Error(patched.text);
  }
  const object = Buffer.from((await client.get(`${MAPS}/wide`)).text);
  const rows: BenchResult[] = [];
  for (const [what, path, factor] of [
    ['page of the history of a ConfigMap with 20,000 keys', `/history${MAPS}/wide`, 12],
    ['latest change of a ConfigMap with 20,000 keys', `/history${MAPS}/wide?limit=1`, 4],
    ['write of the latest changed key of 20,000', `${FIELD}.count`, 5],
    ['write of a key of 20,000 that is not in the history', `${FIELD}.absent`, 20],
  ] as const) {
    const turns = await compared(TURNS, {
      read: () => answered(subject, withoutBody(path), { status: 200, repeats: 5 }),
      parsed: () => parsing(object, 5),
    });
    const note = `floor: JSON.parse of the object, ${Math.round(object.length / 1000)} KB`;
    rows.push(besideOther({ what, unit: 'ms CPU', factor, note }, turns.read, turns.parsed));
  }
  return rows;
}

/** The CPU of the server for a request that is sent several times. */
async function answered(
  { pid, target }: Subject,
  request: Buffer,
  { status, repeats }: { readonly status: number; readonly repeats: number },
): Promise<Measured> {
  using connection = await RawConnection.open(target);
  return await measure(pid, async () => {
    for (let i = 0; i < repeats; i++) {
      const answer = await connection.exchange(request);
      if (answer.status !== status) throw new Error(`${answer.status}: ${answer.beginning}`);
    }
    return repeats;
  });
}

/** The CPU of this process for parsing the bytes. */
const parsing = (bytes: Buffer, repeats: number): Promise<Measured> =>
  measure(process.pid, async () => {
    for (let i = 0; i < repeats; i++) JSON.parse(bytes.toString());
    return repeats;
  });
