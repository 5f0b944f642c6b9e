/**
 * Measures what the page does per frame while objects of the shown list change, and its heap at each tenth of the time:
 * `scripts/node test/console/frames.ts [CHANGES-A-SECOND [SECONDS]]`, such as `200 3600` for an hour. Durations are CPU time of the main thread, so that they do not depend on
 * the load of the machine.
 */
import { configMap, configMaps, showConsole } from './console-pages.ts';

const [perSecond = 200, seconds = 20] = process.argv.slice(2).map(Number);
const OBJECTS = 1000;
const WRITERS = 8;
const TENTHS = 10;

await using cluster = await showConsole();
const { page, show } = cluster.shown;
for (let i = 0; i < OBJECTS; i++) await cluster.post(configMaps, configMap(`changing-${i}`));
await show('#/configmaps?namespace=default');
await page.locator('tbody a').first().waitFor();

/** Changes objects in turn, at a constant rate, until the time is over. */
async function change(writer: number, endMs: number): Promise<number> {
  const pauseMs = (1000 * WRITERS) / perSecond;
  let count = 0;
  for (let dueMs = Date.now(); dueMs < endMs; dueMs += pauseMs) {
    const wait = dueMs - Date.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const name = `changing-${(count * WRITERS + writer) % OBJECTS}`;
    const body = { data: { [`key-${count % 7}`]: String(count) } };
    await cluster.server.client.send('PATCH', `${configMaps}/${name}`, {
      body,
      contentType: 'application/merge-patch+json',
    });
    count++;
  }
  return count;
}

const devTools = await page.context().newCDPSession(page);
const heapBytes = async (): Promise<number> => {
  await devTools.send('HeapProfiler.collectGarbage');
  return (await devTools.send('Runtime.getHeapUsage')).usedSize;
};

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}
const events: TraceEvent[] = [];
devTools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
const complete = new Promise((resolve) => devTools.once('Tracing.tracingComplete', resolve));

const heaps = [await heapBytes()];
/** Adds the size of the heap at each tenth of the time. */
async function readHeaps(endMs: number): Promise<void> {
  const pauseMs = (seconds * 1000) / TENTHS;
  for (let place = TENTHS - 1; place > 0; place -= 1) {
    await new Promise((resolve) => setTimeout(resolve, endMs - place * pauseMs - Date.now()));
    heaps.push(await heapBytes());
  }
}
await devTools.send('Tracing.start', {
  traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', '__metadata'] },
});
const endMs = Date.now() + seconds * 1000;
const [counts] = await Promise.all([
  Promise.all(Array.from({ length: WRITERS }, (_, writer) => change(writer, endMs))),
  readHeaps(endMs),
]);
await devTools.send('Tracing.end');
await complete;
heaps.push(await heapBytes());

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
const renderers = new Set(
  events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
);
const byThread = Map.groupBy(
  events.filter((event) => /RunTask$/.test(event.name) && renderers.has(threadOf(event))),
  threadOf,
);
const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);
// The browser keeps a spare renderer, which does nothing.
const [tasks = []] = [...byThread.values()]
  .map((own) => own.map(({ tdur = 0 }) => tdur / 1000).sort((a, b) => a - b))
  .sort((a, b) => sum(b) - sum(a));
const at = (share: number): string => (tasks[Math.floor(share * (tasks.length - 1))] ?? 0).toFixed(2);
const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
console.log(
  [
    `${sum(counts)} changes in ${seconds} s, list of ${OBJECTS} objects`,
    `tasks of the main thread: ${tasks.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
    `longer than 16 ms: ${tasks.filter((ms) => ms > 16).length}`,
    `busy: ${(sum(tasks) / seconds / 10).toFixed(1)} % of a processor`,
    `heap after collections, in MiB: ${heaps.map(mebibytes).join(', ')}`,
  ].join('\n'),
);
