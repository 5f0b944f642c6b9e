import { bundleClient } from '@orch/testkit';
import type { BenchResult } from '../lib/measure.ts';

/** Number of processes; the fastest counts, since other load only adds time. */
const IMPORTS = 15;

const timed = `const began = performance.now();
await import($client);
console.log(performance.now() - began);`;

/** The cost of importing the client library. */
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
    { what: 'size of the client library, one file', unit: 'kB', value: bundle.bytes / 1000, target: 400 },
  ];
}
