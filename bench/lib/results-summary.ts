/** The first part of `docs/performance.md`: what the results mean for a user of the server. */
import type { BenchResult } from './measure.ts';
import { round } from './round.ts';

type Rows = readonly BenchResult[];

/** The latest row whose name begins with a text. */
const rowOf = (rows: Rows, beginning: string): BenchResult | undefined =>
  rows.findLast(({ what }) => what.startsWith(beginning));

/** Activities of clients, each with the beginning of the name of its row. */
const activities = [
  ['reads one pod of 4.6 KB', 'GET one pod, rv=0, 32 connections'],
  ['lists 10,000 pods of 4.9 KB', 'LIST 10000 pods, rv=0'],
  ['lists 100 of 10,000 pods by a label', 'LIST by label'],
  ['creates an object of 1 KiB on etcd', 'CREATE 1 KiB on etcd'],
  ['replaces it', 'PUT 1 KiB on etcd'],
  ['patches it', 'merge PATCH 1 KiB on etcd'],
  ['applies it', 'apply 1 KiB on etcd'],
  ['deletes it', 'DELETE 1 KiB on etcd'],
  ['renews a lease on etcd', 'renewal of a lease on etcd'],
  ['receives one event over a connection', 'one update to 500 watchers, a TLS connection each'],
  [
    'receives one event, 100 watches to a connection',
    'one update to 500 watchers, over 5 HTTP/2 connections',
  ],
] as const;

const unitMicros: Readonly<Record<string, number>> = { 'µs CPU': 1, 'µs CPU per event': 1, 'ms CPU': 1000 };

function rateOf({ unit, value }: BenchResult): string {
  const perSecond = 1e6 / (value * (unitMicros[unit] ?? Number.NaN));
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(perSecond)) - 1);
  return (Math.round(perSecond / digits) * digits).toLocaleString('en');
}

/** The table of the activities that one core serves per second, for those that have rows. */
function capacity(rows: Rows): string {
  const lines = activities.flatMap(([doing, beginning]) => {
    const row = rowOf(rows, beginning);
    if (row === undefined) return [];
    return [
      `| ${doing} | ${round(row.value)} ${row.unit.replace(/ per event$/, '')} | ${rateOf(row)} per second |`,
    ];
  });
  return ['| a client that … | costs the server | one core serves |', '|---|---|---|', ...lines].join('\n');
}

const sizes = [10_000, 50_000, 150_000] as const;

/** How start, memory and reads grow with the number of objects. */
function growth(rows: Rows): string {
  const measures = [
    'start to /readyz 200',
    'RSS after that start',
    'LIST all, rv=0',
    'GET one, rv=0',
  ] as const;
  const lines = sizes.flatMap((count) => {
    const cells = measures.map((measure) => rowOf(rows, `${measure}, ${count} pods`));
    if (cells.some((cell) => cell === undefined)) return [];
    return [
      `| ${count.toLocaleString('en')} | ${cells.map((cell) => `${round(cell?.value ?? 0)} ${cell?.unit}`).join(' | ')} |`,
    ];
  });
  return [
    '| pods | start until ready | resident memory | LIST of all | GET of one |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** Resident memory for each further object, in kB. */
function memoryPerObject(rows: Rows): string {
  const [few, many] = [sizes[1], sizes[2]].map((count) => rowOf(rows, `RSS after that start, ${count} pods`));
  const perObject = ((many?.value ?? Number.NaN) - (few?.value ?? Number.NaN)) / (sizes[2] - sizes[1]);
  return (perObject * 1000).toFixed(1);
}

const idleMemory = (rows: Rows): string => round(rowOf(rows, 'idle RSS')?.value ?? Number.NaN);

export const summaryOf = (rows: Rows): string => `## What one core serves

The figures are CPU time of the server process on the machine of these measurements, [below](#results) with their conditions.

${capacity(rows)}

- **Reads** do not reach the store: they are answered from the watch cache, also those that see every earlier write. Most of the cost
  of a GET is HTTPS itself: a bare HTTPS server that sends the same bytes costs four fifths of it.
- **Lists** cost their bytes. The bytes of objects are sent as they lie in the cache, and no list adds memory. A list by a field or by
  a label that many lists use reads an index, not all objects.
- **Writes** cost two to three times as much as a bare HTTPS server that makes the same transaction in etcd; the rest is decoding, validation,
  field ownership, admission, and the receipt of the event.
- **Permissions** add about one microsecond to a request, with 10,000 bindings.
- **Several cores** are used by the [threads](threads.md) of a server, one for each core, and by several servers behind a balancer: etcd orders the writes of all. The figures of this page are those of one thread.

## What a watch costs

An idle watch costs the memory of its connection or stream, and hardly any CPU. An event is encoded once, and all watches share the bytes. What
remains is delivery: each connection has its own key, so the event is encrypted and handed to the operating system once for each
connection. That is the physical limit of delivery over TLS: a bare server that writes the same bytes to as many connections costs the
same, and no server that uses one connection for each client can cost less.

- Events that arrive in one turn of the event loop leave together, as one record and one system call for each connection. The cost of
  an event therefore falls with the rate of events.
- Watches of one client share a connection over HTTP/2. With 100 watches to a connection, an event costs about a quarter.
- A watch that selects by a field is found by an index: 500 watches of different nodes cost little more than one.
- Threads divide the connections between them, and with these the delivery.

## How it grows

${growth(rows)}

The cost of reading one object does not depend on their number. Lists, the start and memory are linear. An idle server takes
${idleMemory(rows)} MiB, and each further pod takes ${memoryPerObject(rows)} kB: its bytes, and a few hundred bytes for its place in
the cache. An index of a label takes at most 16 bytes for each object with the label.
`;
