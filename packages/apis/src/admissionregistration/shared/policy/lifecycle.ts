import type { KindVersion } from '../../../resource-type.ts';

/**
 * Versions that came with releases after the emulated ones: every release has them, when `--runtime-config` enables them.
 */
export const onRequest: Pick<KindVersion, 'servedByDefault'> = { servedByDefault: false };
