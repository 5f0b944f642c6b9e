import { durationFlag, type Flag, listFlag, switchFlag, textFlag, wholeFlag } from '@orch/program';

const without = (name: string, why: string) => ({
  name,
  help: `Accepted for compatibility, without effect: ${why}`,
  section: 'Without effect',
});

const whole = (name: string, why: string): Flag<number> =>
  wholeFlag(without(name, why), 0, { least: 0, most: 2_147_483_647 });

const CACHE = 'the watch cache holds all objects, and sizes its event history by itself.';
const LOGS = 'the log goes to standard error: see --log-format.';

/** Flags of other API servers that start scripts set; the server warns that they have no effect. */
export const unusedFlags = {
  watchCache: switchFlag(without('watch-cache', CACHE), true),
  watchCacheSizes: listFlag(without('watch-cache-sizes', CACHE)),
  defaultWatchCacheSize: whole('default-watch-cache-size', CACHE),
  enableGarbageCollector: switchFlag(
    without('enable-garbage-collector', 'the garbage collector is a controller: see --controllers.'),
    true,
  ),
  etcdCountMetricPollPeriod: durationFlag(
    without('etcd-count-metric-poll-period', 'objects are counted as they change.'),
    0,
  ),
  etcdDbMetricPollInterval: durationFlag(
    without('etcd-db-metric-poll-interval', 'the size of the store is read once a minute.'),
    0,
  ),
  etcdHealthcheckTimeout: durationFlag(
    without('etcd-healthcheck-timeout', 'a health check waits as long as its endpoint allows.'),
    0,
  ),
  etcdReadycheckTimeout: durationFlag(
    without('etcd-readycheck-timeout', 'a health check waits as long as its endpoint allows.'),
    0,
  ),
  enableLogsHandler: switchFlag(without('enable-logs-handler', 'the server never serves files of logs.')),
  contentionProfiling: switchFlag(
    without('contention-profiling', 'the program has one thread for requests, without locks.'),
  ),
  logtostderr: switchFlag(without('logtostderr', LOGS), true),
  alsologtostderr: switchFlag(without('alsologtostderr', LOGS)),
  masterServiceNamespace: textFlag(
    without('master-service-namespace', 'the default service is always in the default namespace.'),
  ),
} as const;

/** The names of those that were given. */
export const unusedFlagsIn = (isGiven: (name: string) => boolean): readonly string[] =>
  Object.values(unusedFlags)
    .map(({ name }) => name)
    .filter(isGiven);
