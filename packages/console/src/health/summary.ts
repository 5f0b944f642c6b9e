import { growth, quantileBound, rate, type ScrapePair, total, totalBy } from './growth.ts';

/** The summary of one replica's metrics over an interval. */
export interface ServerSummary {
  readonly requests: {
    readonly perSecond: number;
    readonly clientErrorsPerSecond: number;
    readonly serverErrorsPerSecond: number;
    readonly inFlight: Readonly<Record<string, number>>;
    readonly byVerb: readonly VerbSummary[];
  };
  readonly watches: { readonly open: number; readonly eventsPerSecond: number };
  readonly watchCache: {
    readonly objects: number;
    readonly interruptions: number;
    readonly rebuilds: number;
    readonly corruptObjects: number;
    readonly digestMismatches: number;
  };
  readonly store: { readonly errorsPerSecond: number };
  readonly flowControl: readonly LevelSummary[];
}

export interface VerbSummary {
  readonly verb: string;
  readonly perSecond: number;
  readonly errorsPerSecond: number;
  /** Upper bounds of the latency of this share of the requests; null without requests, and beyond the last bound. Not of watches. */
  readonly p50Seconds: number | null;
  readonly p90Seconds: number | null;
  readonly p99Seconds: number | null;
}

/** A priority level. */
export interface LevelSummary {
  readonly name: string;
  readonly executing: number;
  /** 0 is without a limit. */
  readonly limit: number;
  readonly queued: number;
  readonly rejectedPerSecond: number;
}

const REQUESTS = 'apiserver_request_total';
const DURATIONS = 'apiserver_request_duration_seconds_bucket';
const OPEN = 'apiserver_longrunning_requests';
const EVENTS = 'apiserver_watch_events_total';
const IN_FLIGHT = 'apiserver_current_inflight_requests';
const OBJECTS = 'apiserver_storage_objects';
const INTERRUPTIONS = 'watch_cache_store_watch_interruptions_total';
const REBUILDS = 'watch_cache_rebuilds_total';
const CORRUPT = 'watch_cache_corrupt_objects_total';
const MISMATCHES = 'watch_cache_digest_mismatches_total';
const STORE_ERRORS = 'etcd_request_errors_total';
const EXECUTING = 'apiserver_flowcontrol_request_concurrency_in_use';
const LIMIT = 'apiserver_flowcontrol_request_concurrency_limit';
const QUEUED = 'apiserver_flowcontrol_current_inqueue_requests';
const REJECTED = 'apiserver_flowcontrol_rejected_requests_total';
export const START_TIME = 'process_start_time_seconds';

/** The series that are read. */
export const readSeries: ReadonlySet<string> = new Set([
  ...[REQUESTS, DURATIONS, OPEN, EVENTS, IN_FLIGHT, OBJECTS, INTERRUPTIONS, REBUILDS, CORRUPT, MISMATCHES],
  ...[STORE_ERRORS, EXECUTING, LIMIT, QUEUED, REJECTED, START_TIME],
]);

const isClientError = ({ code = '' }: Labels): boolean => code.startsWith('4');
const isServerError = ({ code = '' }: Labels): boolean => code.startsWith('5');
const isWatch = ({ verb }: Labels): boolean => verb === 'WATCH';

type Labels = Readonly<Record<string, string>>;

export function summaryOf(pair: ScrapePair): ServerSummary {
  const { after } = pair;
  const watches = (after.get(OPEN) ?? []).filter(({ labels }) => isWatch(labels));
  return {
    requests: {
      perSecond: rate(pair, REQUESTS),
      clientErrorsPerSecond: rate(pair, REQUESTS, isClientError),
      serverErrorsPerSecond: rate(pair, REQUESTS, isServerError),
      inFlight: Object.fromEntries(totalBy(after, IN_FLIGHT, 'request_kind')),
      byVerb: verbs(pair),
    },
    watches: {
      open: watches.reduce((sum, { value }) => sum + value, 0),
      eventsPerSecond: rate(pair, EVENTS),
    },
    watchCache: {
      objects: total(after, OBJECTS),
      interruptions: total(after, INTERRUPTIONS),
      rebuilds: total(after, REBUILDS),
      corruptObjects: total(after, CORRUPT),
      digestMismatches: total(after, MISMATCHES),
    },
    store: { errorsPerSecond: rate(pair, STORE_ERRORS) },
    flowControl: levels(pair),
  };
}

/** Verbs with requests in the interval, most frequent first. */
function verbs(pair: ScrapePair): readonly VerbSummary[] {
  const buckets = growth(pair, DURATIONS);
  return [...totalBy(pair.after, REQUESTS, 'verb').keys()]
    .map((verb) => {
      const own = buckets.filter(({ labels }) => labels['verb'] === verb && !isWatch(labels));
      const bound = (quantile: number): number | null => finite(quantileBound(own, quantile));
      return {
        verb,
        perSecond: rate(pair, REQUESTS, (labels) => labels['verb'] === verb),
        errorsPerSecond: rate(
          pair,
          REQUESTS,
          (labels) => labels['verb'] === verb && (isClientError(labels) || isServerError(labels)),
        ),
        ...{ p50Seconds: bound(0.5), p90Seconds: bound(0.9), p99Seconds: bound(0.99) },
      };
    })
    .filter(({ perSecond }) => perSecond > 0)
    .toSorted((a, b) => b.perSecond - a.perSecond || a.verb.localeCompare(b.verb));
}

const finite = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;

function levels(pair: ScrapePair): readonly LevelSummary[] {
  const by = (name: string): ReadonlyMap<string, number> => totalBy(pair.after, name, 'priority_level');
  const [executing, queued] = [by(EXECUTING), by(QUEUED)];
  return [...by(LIMIT)]
    .map(([name, limit]) => ({
      name,
      limit,
      executing: executing.get(name) ?? 0,
      queued: queued.get(name) ?? 0,
      rejectedPerSecond: rate(pair, REJECTED, (labels) => labels['priority_level'] === name),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
