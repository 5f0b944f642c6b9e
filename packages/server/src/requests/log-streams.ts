import { type IncludesPart, type Release, servedIn } from '@orch/apis';
import type { LogStreams } from '@orch/connect';

/** Releases before 1.32 do not know the parameter `stream` of logs; later ones refuse it unless the feature gate is enabled. */
export function logStreamsOf(release: Release, includes: IncludesPart): LogStreams {
  if (!servedIn(release, { introduced: '1.32' })) return 'ignored';
  return includes({ since: 'never', gate: 'PodLogsQuerySplitStreams' }) ? 'selectable' : 'forbidden';
}
