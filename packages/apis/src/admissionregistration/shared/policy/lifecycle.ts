import { chain, type Lens } from '@orch/schema';
import type { KindVersion } from '../../../resource-type.ts';

/** The oldest version has the same fields, some of which the first releases do not serve. */
export const sameFields: Lens = chain();

/**
 * Versions that came with releases after the emulated ones: every release has them, when `--runtime-config` enables them.
 */
export const onRequest: Pick<KindVersion, 'servedByDefault'> = { servedByDefault: false };
