import { namesFor } from '@orch/machinery';
import {
  type BenchContext,
  type Floor,
  type Subject,
  seedPods,
  withBody,
  withoutBody,
} from '../lib/context.ts';
import { againstFloor, inTurns, type Measured, measure, type Row } from '../lib/measure.ts';
import { podOf } from '../lib/pods.ts';
import { peakRss, rssBytes } from '../lib/proc.ts';
import { drive, RawConnection, type RawTarget } from '../lib/raw-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const asTable = `application/json;as=Table;g=${namesFor('kubernetes').group('meta')};v=v1`;

/** Sends the same request `count` times over `connections` connections and measures the CPU of `pid`. */
async function repeat(
  pid: number,
  target: RawTarget,
  request: Buffer,
  count: number,
  connections: number,
): Promise<Measured> {
  const run = (total: number): Promise<number> => {
    let sent = 0;
    return drive(target, connections, () => (sent++ < total ? request : undefined)).then((statuses) => {
      const bad = [...statuses].filter(([status]) => status !== 200);
      if (bad.length > 0) throw new Error(`answers: ${JSON.stringify(bad)}`);
      return total;
    });
  };
  await run(Math.max(connections, Math.ceil(count / 5)));
  return measure(pid, () => run(count));
}

/** The middle one of several rounds. */
async function middleOf(rounds: number, run: () => Promise<Measured>): Promise<Measured> {
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await run());
  const middle = all.sort((a, b) => a.cpuPerOp - b.cpuPerOp)[rounds >> 1];
  if (middle === undefined) throw new RangeError('no rounds');
  return middle;
}

async function bodyOf(subject: Subject, path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await subject.server.client.get(path, { headers });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer.text;
}

/** The floor sends the very bytes that the server sends. */
async function floorFor(
  floor: Floor,
  name: string,
  body: string,
  count: number,
  connections: number,
): Promise<Measured> {
  await drive(floor.target, 1, once(withBody('POST', `/bytes/${name}`, body)));
  return repeat(floor.pid, floor.target, withoutBody(`/bytes/${name}`), count, connections);
}

const once = (request: Buffer): (() => Buffer | undefined) => {
  let left: Buffer | undefined = request;
  return () => {
    const now = left;
    left = undefined;
    return now;
  };
};

/** Reads the whole list in chunks over one connection. */
async function chunked(connection: RawConnection): Promise<void> {
  let token = '';
  do {
    const path = `${pods}?limit=500${token === '' ? '' : `&continue=${token}`}`;
    const { status, beginning } = await connection.exchange(withoutBody(path));
    if (status !== 200) throw new Error(`${path}: ${status} ${beginning}`);
    token = /"continue":"([^"]+)"/.exec(beginning)?.[1] ?? '';
  } while (token !== '');
}

/** The same number of answers of the same size from memory. */
async function bareChunks(floor: Floor, path: string, chunks: number): Promise<number> {
  using connection = await RawConnection.open(floor.target);
  const request = withoutBody(path);
  const { cpuPerOp } = await measure(floor.pid, async () => {
    for (let i = 0; i < 10 * chunks; i += 1) await connection.exchange(request);
    return 10;
  });
  return cpuPerOp;
}

/**
 * Uses what later requests use, and leaves nothing behind: code that is in memory because it ran, and pools that have
 * their size, are not what objects cost.
 */
async function workAndForget(target: RawTarget): Promise<void> {
  const each = (count: number, connections: number, request: (index: number) => Buffer): Promise<unknown> => {
    let index = 0;
    return drive(target, connections, () => (index < count ? request(index++) : undefined));
  };
  for (let round = 0; round < 5; round += 1) {
    await each(200, 32, (index) => withBody('POST', pods, JSON.stringify(podOf(index))));
    await each(2000, 32, () => withoutBody(`${pods}/pod-000050`));
    await each(5, 1, () => withoutBody(pods));
    await each(1, 1, () =>
      Buffer.from(`DELETE ${pods}?gracePeriodSeconds=0 HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    );
  }
}

/** What a replica that has just loaded the pods from etcd and listed them once is larger than an idle one. */
async function memoryAfterRestart(context: BenchContext, count: number, idle: number): Promise<Row> {
  const { pid, target } = await context.serverOnEtcd('/bench-reads');
  await repeat(pid, target, withoutBody(`${pods}?resourceVersion=0`), 1, 1);
  return {
    what: `memory per ${count} pods: RSS growth after a restart`,
    unit: 'MB',
    value: (rssBytes(pid) - idle) / 1e6,
    target: 150,
    note: 'loaded from etcd, listed twice',
  };
}

/** GET and LIST of 10,000 pods of about 4.6 KB on etcd, against the same bytes from memory. */
export async function reads(context: BenchContext, count: number): Promise<readonly Row[]> {
  const subject = await context.serverOnEtcd('/bench-reads');
  const { pid, target } = subject;
  const rows: Row[] = [];
  const idle = rssBytes(pid);
  rows.push({ what: 'idle RSS', unit: 'MiB', value: idle / 2 ** 20, target: 150 });
  await workAndForget(target);
  const worked = rssBytes(pid);
  const countedFrom = `counted from ${(worked / 1e6).toFixed(0)} MB, after 1,000 pods came and went`;
  await seedPods(subject, count);
  const floor = await context.floor();

  const one = `${pods}/pod-000500`;
  const oneBody = await bodyOf(subject, one);
  const [getFloor, getAny, getRecent] = await inTurns(12, [
    () => floorFor(floor, 'one', oneBody, 5_000, 32),
    () => repeat(pid, target, withoutBody(`${one}?resourceVersion=0`), 5_000, 32),
    () => repeat(pid, target, withoutBody(one), 5_000, 32),
  ]);
  rows.push(
    againstFloor('GET one pod, rv=0, 32 connections', 'µs CPU', getAny.cpuPerOp, getFloor.cpuPerOp, 2),
  );
  rows.push({
    what: 'GET one pod, rv=0, rate',
    unit: 'requests/s',
    value: getAny.opsPerSecond,
    floor: getFloor.opsPerSecond,
    ratio: getAny.opsPerSecond / getFloor.opsPerSecond,
    target: getFloor.opsPerSecond * 0.5,
    atLeast: true,
  });
  rows.push(
    againstFloor(
      'GET one pod, unset, against rv=0',
      'µs CPU',
      getRecent.cpuPerOp,
      getAny.cpuPerOp,
      1.3,
      'floor: rv=0',
    ),
  );

  const listBody = await bodyOf(subject, `${pods}?resourceVersion=0`);
  const listFloor = await floorFor(floor, 'list', listBody, 20, 1);
  for (const [name, query] of [
    ['rv=0', '?resourceVersion=0'],
    ['unset', ''],
  ] as const) {
    const list = await repeat(pid, target, withoutBody(`${pods}${query}`), 20, 1);
    const mb = (listBody.length / 1e6).toFixed(0);
    rows.push(
      againstFloor(
        `LIST ${count} pods (${mb} MB), ${name}`,
        'ms CPU',
        list.cpuPerOp / 1000,
        listFloor.cpuPerOp / 1000,
        1.3,
      ),
    );
  }
  rows.push({
    what: `memory per ${count} pods: RSS growth`,
    unit: 'MB',
    value: (rssBytes(pid) - worked) / 1e6,
    floor: listBody.length / 1e6,
    ratio: (rssBytes(pid) - worked) / listBody.length,
    target: 150,
    note: `right after the seeding writes and the first lists, their garbage included; ${countedFrom}`,
  });
  const before = rssBytes(pid);
  const peak = await peakRss(pid, async () => {
    await repeat(pid, target, withoutBody(`${pods}?resourceVersion=0`), 16, 8);
  });
  rows.push({
    what: '8 LISTs at once: peak extra memory',
    unit: 'MiB',
    value: (peak - before) / 2 ** 20,
    target: 64,
  });

  const chunk = await bodyOf(subject, `${pods}?limit=500`);
  await floorFor(floor, 'chunk', chunk, 20, 1);
  using connection = await RawConnection.open(target);
  await chunked(connection);
  const chunks = await measure(pid, async () => {
    for (let i = 0; i < 10; i += 1) await chunked(connection);
    return 10;
  });
  const chunksFloor = (await bareChunks(floor, '/bytes/chunk', Math.ceil(count / 500))) / 1000;
  rows.push({
    what: `LIST in chunks of 500, all ${count}`,
    unit: 'ms CPU',
    value: chunks.cpuPerOp / 1000,
    floor: chunksFloor,
    ratio: chunks.cpuPerOp / 1000 / chunksFloor,
    target: 40,
    onReference: true,
  });

  for (const [what, query, goal] of [
    ['LIST by label, 1 % of the pods', 'labelSelector=app%3Dapp-7', 1.3],
    ['LIST by spec.nodeName, 1 % of the pods', 'fieldSelector=spec.nodeName%3Dnode-7', 0.5],
  ] as const) {
    const path = `${pods}?${query}&resourceVersion=0`;
    const selected = await repeat(pid, target, withoutBody(path), 1500, 1);
    const bare = await floorFor(floor, 'selected', await bodyOf(subject, path), 1500, 1);
    rows.push({
      what,
      unit: 'ms CPU',
      value: selected.cpuPerOp / 1000,
      floor: bare.cpuPerOp / 1000,
      ratio: selected.cpuPerOp / bare.cpuPerOp,
      target: goal,
      onReference: true,
    });
  }

  // A collection of all garbage, or the repacking of the new rows, may fall into a round: the middle one counts.
  const table = withoutBody(`${pods}?resourceVersion=0`, `Accept: ${asTable}\r\n`);
  const tables = await middleOf(5, () => repeat(pid, target, table, 15, 1));
  const tableBody = await bodyOf(subject, `${pods}?resourceVersion=0`, {
    accept: asTable,
  });
  const tableFloor = await floorFor(floor, 'table', tableBody, 20, 1);
  rows.push({
    what: `LIST ${count} as Table, cached`,
    unit: 'ms CPU',
    value: tables.cpuPerOp / 1000,
    floor: tableFloor.cpuPerOp / 1000,
    ratio: tables.cpuPerOp / tableFloor.cpuPerOp,
    target: 30,
    onReference: true,
  });
  const gzip = await repeat(
    pid,
    target,
    withoutBody(`${pods}?resourceVersion=0`, 'Accept-Encoding: gzip\r\n'),
    10,
    1,
  );
  rows.push({
    what: `LIST ${count}, gzip`,
    unit: 'ms CPU',
    value: gzip.cpuPerOp / 1000,
    target: 200,
    onReference: true,
  });
  rows.push({
    what: `memory per ${count} pods: RSS growth at the end`,
    unit: 'MB',
    value: (rssBytes(pid) - worked) / 1e6,
    target: 150,
    note: 'after all reads above; the rows of the table are kept',
  });
  rows.push(await memoryAfterRestart(context, count, idle));
  return rows;
}
