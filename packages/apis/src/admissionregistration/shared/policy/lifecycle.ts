import type { KindVersion } from '../../../resource-type.ts';

/** Versions introduced after the emulated releases: every release has them when `--runtime-config` enables them. */
export const onRequest: Pick<KindVersion, 'servedByDefault'> = { servedByDefault: false };
