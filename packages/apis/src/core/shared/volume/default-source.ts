import type { EmptyDirVolumeSource, Volume } from '../../../types/core.ts';

/** Fields of a volume that are no source. */
const notSources = new Set(['name']);

/** `emptyDir: {}` for a volume without a source. */
export const emptyDirWithoutSource = (volume: Volume): EmptyDirVolumeSource | undefined =>
  Object.keys(volume).some((field) => !notSources.has(field)) ? undefined : {};
