import { bundleClient } from '@orch/testkit';
import type { BenchResult } from '../lib/measure.ts';

/** Number of processes; the fastest counts, since other load only adds time. */
const IMPORTS = 15;

const timed = `const began = performance.now();
await import($client);
console.log(performance.now() - began);`;

/** CPU time of one handle in nanoseconds, after the code is warm. */
const handles = `const { createClient, namesFor, systemEnv } = await import($client);
const client = createClient({ transport: {}, names: namesFor('orch'), env: systemEnv(), userAgent: 'bench/1' });
const pods = { group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: true };
const COUNT = 300_000;
let made = 0;
const run = () => {
  for (let i = 0; i < COUNT; i++) if (client.resource(pods, 'default').namespace === 'default') made++;
};
run();
const before = process.cpuUsage();
run();
const { user, system } = process.cpuUsage(before);
if (made !== 2 * COUNT) throw new Error('a handle has another namespace');
console.log(((user + system) * 1000) / COUNT);`;

/** The cost of importing the client library, and of a handle of it. */
export async function client(): Promise<readonly BenchResult[]> {
  using bundle = await bundleClient();
  const times = Array.from({ length: IMPORTS }, () => Number(bundle.run(timed)));
  return [
    {
      what: 'import of the client library, one file',
      unit: 'ms',
      value: Math.min(...times),
      target: 60,
      onReference: true,
    },
    {
      what: 'handle of a resource, CPU time',
      unit: 'ns',
      value: Math.min(...Array.from({ length: 3 }, () => Number(bundle.run(handles)))),
      target: 1000,
      onReference: true,
    },
    { what: 'size of the client library, one file', unit: 'kB', value: bundle.bytes / 1000, target: 400 },
  ];
}
