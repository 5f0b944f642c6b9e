import type { MetricSample } from './exposition.ts';
import { growth, quantileBound, rate, type ScrapePair, total } from './growth.ts';
import { readSeries, type ServerSummary, summaryOf } from './summary.ts';

/** The details of a replica that the page shows below its summary. */
export interface ReplicaState extends ServerSummary {
  /** 99th percentile of the delay of event loops, of the slowest thread. */
  readonly lagSeconds: number;
  readonly storeBytes: number;
  readonly memoryBytes: number;
  readonly webhooks: readonly WebhookSummary[];
  /** Admission policies that writes have violated since the start of the replica. */
  readonly policies: readonly PolicySummary[];
  /** Deprecated APIs that clients have requested: `policy/v1beta1 podsecuritypolicies`, and the release without them. */
  readonly deprecated: readonly { readonly api: string; readonly removedIn: string }[];
  /** States that need attention now. */
  readonly findings: readonly string[];
}

export interface WebhookSummary {
  readonly name: string;
  readonly type: string;
  readonly perSecond: number;
  readonly refusedPerSecond: number;
  /** Calls that had no answer. */
  readonly failedPerSecond: number;
  /** An upper bound; undefined beyond the last bound. */
  readonly p99Seconds: number | undefined;
}

export interface PolicySummary {
  readonly policy: string;
  readonly binding: string;
  /** `deny`, `warn` or `audit`. */
  readonly action: string;
  readonly perSecond: number;
  /** The number of violations since the start of the replica. */
  readonly count: number;
}

const LAG = 'nodejs_eventloop_lag_p99_seconds';
const THREAD_LAG = 'nodejs_thread_eventloop_lag_p99_seconds';
const STORE_SIZE = 'etcd_db_total_size_in_bytes';
const STORE_FULL = 'apiserver_storage_full';
const MEMORY = 'process_resident_memory_bytes';
const OPEN_FILES = 'process_open_fds';
const MAX_FILES = 'process_max_fds';
const WEBHOOKS = 'apiserver_admission_webhook_admission_duration_seconds_bucket';
const REJECTIONS = 'apiserver_admission_webhook_rejection_count';
const VIOLATIONS = 'apiserver_validating_admission_policy_check_total';
const DEPRECATED = 'apiserver_requested_deprecated_apis';
const UNREADABLE = 'watch_cache_unreadable_objects';
const UNAVAILABLE = 'aggregator_unavailable_apiservice';
const AUDIT_ERRORS = 'apiserver_audit_error_total';

/** The series that are read. */
export const stateSeries: ReadonlySet<string> = new Set([
  ...readSeries,
  ...[LAG, THREAD_LAG, STORE_SIZE, STORE_FULL, MEMORY, OPEN_FILES, MAX_FILES, WEBHOOKS, REJECTIONS],
  ...[VIOLATIONS, DEPRECATED, UNREADABLE, UNAVAILABLE, AUDIT_ERRORS],
]);

/** The state of a replica over an interval. */
export function stateOf(pair: ScrapePair): ReplicaState {
  const { after } = pair;
  const summary = summaryOf(pair);
  const most = (name: string): number =>
    Math.max(0, ...(after.get(name) ?? []).map(({ value }) => value).filter(Number.isFinite));
  const lagSeconds = Math.max(most(LAG), most(THREAD_LAG));
  return {
    ...summary,
    ...{ lagSeconds, storeBytes: most(STORE_SIZE), memoryBytes: most(MEMORY) },
    webhooks: webhooksIn(pair),
    policies: policiesIn(pair),
    deprecated: (after.get(DEPRECATED) ?? []).filter(({ value }) => value > 0).map(deprecatedApi),
    findings: findingsOf(pair, summary, lagSeconds),
  };
}

function webhooksIn(pair: ScrapePair): readonly WebhookSummary[] {
  const buckets = growth(pair, WEBHOOKS);
  const groups = Map.groupBy(buckets, ({ labels }) => JSON.stringify([labels['name'], labels['type']]));
  return [...groups.values()].map((own) => {
    const { name = '', type = '' } = own[0]?.labels ?? {};
    const all = own.filter(({ labels }) => labels['le'] === '+Inf');
    const p99 = quantileBound(own, 0.99);
    const rejected = (isAnswer: boolean): number =>
      rate(
        pair,
        REJECTIONS,
        (labels) =>
          labels['name'] === name &&
          labels['type'] === type &&
          (labels['error_type'] === 'no_error') === isAnswer,
      );
    return {
      ...{ name, type, refusedPerSecond: rejected(true), failedPerSecond: rejected(false) },
      perSecond: all.reduce((sum, { value }) => sum + value, 0) / pair.seconds,
      p99Seconds: p99 !== undefined && Number.isFinite(p99) ? p99 : undefined,
    };
  });
}

function policiesIn(pair: ScrapePair): readonly PolicySummary[] {
  const counts = pair.after.get(VIOLATIONS) ?? [];
  return growth(pair, VIOLATIONS).map(({ labels, value }, place) => ({
    policy: labels['policy'] ?? '',
    binding: labels['policy_binding'] ?? '',
    action: labels['enforcement_action'] ?? '',
    perSecond: value / pair.seconds,
    count: counts[place]?.value ?? 0,
  }));
}

const deprecatedApi = ({ labels }: MetricSample) => ({
  api: `${labels['group'] === '' ? '' : `${labels['group']}/`}${labels['version'] ?? ''} ${labels['resource'] ?? ''}`,
  removedIn: labels['removed_release'] ?? '',
});

/** The conditions of the alerts in `deploy/prometheus`, as far as one interval shows them. */
function findingsOf(pair: ScrapePair, { requests, store }: ServerSummary, lagSeconds: number): string[] {
  const { after } = pair;
  const rejected = rate(pair, 'apiserver_flowcontrol_rejected_requests_total');
  const failing = rate(pair, REJECTIONS, ({ error_type = 'no_error' }) => error_type !== 'no_error');
  const files = total(after, OPEN_FILES) / (total(after, MAX_FILES) || Number.POSITIVE_INFINITY);
  const unavailable = (after.get(UNAVAILABLE) ?? []).filter(({ value }) => value === 1);
  const { perSecond, serverErrorsPerSecond } = requests;
  const conditions: readonly (readonly [is: boolean, text: string])[] = [
    [total(after, STORE_FULL) > 0, 'The store is full: it accepts only writes that make room.'],
    [store.errorsPerSecond > 0.05, 'Requests to the store fail.'],
    [total(after, UNREADABLE) > 0, 'Stored objects cannot be read.'],
    [rate(pair, 'watch_cache_rebuilds_total') > 0, 'A watch cache was loaded again.'],
    [rate(pair, 'watch_cache_digest_mismatches_total') > 0, 'A watch cache differed from the store.'],
    [perSecond > 0 && serverErrorsPerSecond / perSecond > 0.144, 'Many requests fail with 5xx.'],
    [rejected > 0.1, 'Flow control rejects requests.'],
    [failing > 0, 'Admission webhooks fail.'],
    [rate(pair, AUDIT_ERRORS) > 0, 'Audit events are lost.'],
    [lagSeconds > 0.25, 'An event loop is blocked for more than 250 ms.'],
    [files > 0.8, 'File descriptors run out.'],
    ...unavailable.map(({ labels }) => [true, `The API service ${labels['name']} is unavailable.`] as const),
  ];
  return conditions.flatMap(([is, text]) => (is ? [text] : []));
}
