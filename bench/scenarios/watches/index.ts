import type { BenchContext } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { measureParts, type Parts } from '../../lib/parts.ts';
import { fanOut } from './fan-out.ts';
import { herd } from './herd.ts';
import { idle } from './idle.ts';
import { differentSelectors } from './selectors.ts';

const parts: Parts = { 'fan-out': fanOut, selectors: differentSelectors, idle, herd };

/** One update to 500 watchers over TLS and HTTP/2, 500 watchers with a different selector each, and the memory of idle watches. */
export const watches = (context: BenchContext): Promise<readonly BenchResult[]> =>
  measureParts('watches', parts, context);
