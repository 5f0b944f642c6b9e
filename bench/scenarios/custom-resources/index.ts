import type { BenchContext } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { measureParts } from '../../lib/parts.ts';
import { customConversion } from './conversion.ts';
import { definitionsOfOperators } from './corpus.ts';
import { customDefinitions, manyDefinitions } from './definitions.ts';
import { customReads } from './reads.ts';
import { customStart } from './start.ts';
import { customWrites } from './writes.ts';

/** Custom resources beside built-in kinds. `PART=reads` measures one part. */
export const customResources = (context: BenchContext, count: number): Promise<readonly BenchResult[]> =>
  measureParts(
    'custom-resources',
    {
      reads: () => customReads(context, count),
      writes: customWrites,
      conversion: () => customConversion(context, count),
      definitions: customDefinitions,
      many: manyDefinitions,
      corpus: definitionsOfOperators,
      start: customStart,
    },
    context,
  );
