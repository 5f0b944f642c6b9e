import type { BenchContext } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { measureParts, type Parts } from '../../lib/parts.ts';
import { discoveryWithDeadServer } from './discovery.ts';
import { proxiedGets } from './gets.ts';
import { proxiedWatches } from './watches.ts';

const parts: Parts = { gets: proxiedGets, watches: proxiedWatches, discovery: discoveryWithDeadServer };

/** Requests that are proxied to extension API servers, and discovery while one of them does not answer. */
export const aggregation = (context: BenchContext): Promise<readonly BenchResult[]> =>
  measureParts('aggregation', parts, context);
