import type { BenchContext } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { customConversion } from './conversion.ts';
import { customDefinitions, manyDefinitions } from './definitions.ts';
import { customReads } from './reads.ts';
import { customStart } from './start.ts';
import { customWrites } from './writes.ts';

type Part = (context: BenchContext, count: number) => Promise<readonly BenchResult[]>;

const parts: Readonly<Record<string, Part>> = {
  reads: customReads,
  writes: customWrites,
  conversion: customConversion,
  definitions: customDefinitions,
  many: manyDefinitions,
  start: customStart,
};

/** Custom resources beside built-in kinds. `PART=reads` measures one part. */
export async function customResources(context: BenchContext, count: number): Promise<readonly BenchResult[]> {
  const only = process.env['PART'];
  const rows: BenchResult[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue;
    console.error(`bench: custom resources, ${name} …`);
    rows.push(...(await part(context, count)));
  }
  return rows;
}
