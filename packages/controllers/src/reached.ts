import type { Informer } from '@orch/client';
import type { Moment } from './options.ts';

/** Whether an informer has all changes up to a moment. */
export const informerHasReached = (
  { resource, hasSynced, resourceVersion }: Pick<Informer, 'resource' | 'hasSynced' | 'resourceVersion'>,
  { version, mayDiffer }: Moment,
): boolean => !mayDiffer(resource) || (hasSynced && Number(resourceVersion) >= version);
