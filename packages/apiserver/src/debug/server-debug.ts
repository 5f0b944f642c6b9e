import type { WatchCache } from '@orch/cache';
import type { Env, LogVerbosity } from '@orch/machinery';
import type { AccessLogSample } from '@orch/pipeline';
import {
  type DebugEndpoint,
  type DebugEndpoints,
  type DebugThreads,
  jsonAnswer,
  processDebug,
  settingEndpoint,
  tableText,
  textAnswer,
} from '@orch/program';

export interface ServerDebugOptions {
  readonly env: Env;
  readonly verbosity: LogVerbosity;
  readonly accessLogSample: AccessLogSample;
  readonly hasProfiles: boolean;
  readonly cache: WatchCache;
  readonly threads: DebugThreads;
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

/** The table of the watch cache, by resource. */
const cacheTable = (cache: Pick<WatchCache, 'figures'>): DebugEndpoint => ({
  path: '/debug/cache',
  summary: 'Watch cache by resource: revision, objects, bytes, events and watchers.',
  methods: ['GET'],
  answer() {
    const columns = ['Resource', 'Loaded', 'Revision', 'Objects', 'Bytes', 'Events', 'Watchers'];
    const rows = [...cache.figures()]
      .sort((a, b) => (a.resource < b.resource ? -1 : 1))
      .map(({ resource, isLoaded, revision, objects, bytes, events, watchers }) => [
        ...[resource, isLoaded, revision, objects, bytes, events, watchers],
      ]);
    return textAnswer(tableText(columns, rows));
  },
});

/** Compares the watch cache with the store now, as the server does periodically. */
const cacheComparison = (cache: Pick<WatchCache, 'verify'>): DebugEndpoint => ({
  path: '/debug/cache/compare',
  summary: 'Compares the watch cache with the store now, and repairs what differs.',
  methods: ['POST'],
  async answer({ signal }) {
    const { rev: revision, compared, mismatches } = await cache.verify(signal);
    return jsonAnswer({ revision, compared, mismatches });
  },
});
