import type { WatchCache } from '@orch/cache';
import type { Env, LogVerbosity } from '@orch/machinery';
import type { AccessLogSample } from '@orch/pipeline';
import { type DebugEndpoints, processDebug, settingEndpoint } from '@orch/program';
import { cacheComparison, cacheTable } from './cache-endpoints.ts';

export interface ServerDebugOptions {
  readonly env: Env;
  readonly verbosity: LogVerbosity;
  readonly accessLogSample: AccessLogSample;
  readonly hasProfiles: boolean;
  readonly cache: WatchCache;
}

/** The endpoints below `/debug` of an API server, without those of flow control. */
export function serverDebug(options: ServerDebugOptions): DebugEndpoints {
  const { env, accessLogSample, cache } = options;
  return processDebug({ ...options, costly: [cacheComparison(cache)] }).add(
    settingEndpoint({
      flag: 'access-log-sample',
      summary: 'Share of requests, from 0 to 1, that are logged even if they are neither slow nor failed.',
      most: 1,
      isWhole: false,
      read: () => accessLogSample.share,
      write(share) {
        env.log.info('the sample of the access log changes', { from: accessLogSample.share, to: share });
        accessLogSample.share = share;
      },
    }),
    cacheTable(cache),
  );
}
