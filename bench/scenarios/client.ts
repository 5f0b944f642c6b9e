import { bundleClient } from '@orch/testkit';
import type { Row } from '../lib/measure.ts';

/** Processes that are started; the fastest counts, since everything else is what the machine did beside. */
const imports = 15;

const timed = `const began = performance.now();
await import($client);
console.log(performance.now() - began);`;

/** The client library: what it costs a program to have it. */
export async function client(): Promise<readonly Row[]> {
  using bundle = await bundleClient();
  const times = Array.from({ length: imports }, () => Number(bundle.run(timed)));
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
