import type { BenchContext } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { measureParts } from '../../lib/parts.ts';
import { memory } from './memory.ts';
import { start } from './start.ts';
import { throughput } from './throughput.ts';

/** A server with several threads beside one with a single thread. */
export const threads = (context: BenchContext, pods: number): Promise<readonly BenchResult[]> =>
  measureParts('threads', { throughput, start, memory: (of) => memory(of, pods) }, context);
