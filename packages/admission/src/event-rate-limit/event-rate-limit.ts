import { type Clock, errors, type Names } from '@orch/machinery';
import type { TokenBucket } from '@orch/machinery/concurrency';
import type { ConfigValue } from '@orch/machinery/yaml';
import { type ConfigurationParts, requiredConfiguration } from '../configuration/plugin-configuration.ts';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionPlugin } from '../types.ts';
import { EventLimit, type LimitOptions, limitTypes } from './event-limit.ts';

export interface EventRateLimitParts extends ConfigurationParts {
  readonly names: Names;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Replaces the buckets of this thread by those of its process, where it has several threads. */
  readonly eventTokens?: ((own: TakeEventTokens) => TakeEventTokens) | undefined;
}

/**
 * Takes a token of each limit, or of none: events refused by one limit must not exhaust the others. The keys are those of the limits,
 * in their order. Returns the place of the first limit that has no token.
 */
export type TakeEventTokens = (keys: readonly string[]) => number | undefined | Promise<number | undefined>;

/**
 * `EventRateLimit`: limits the number of events written per second, in total or by namespace, user, or source and
 * object (access-control document, 4.6). Further ones are answered with 429.
 */
export function eventRateLimit({
  configuration,
  names,
  clock,
  eventTokens = (own) => own,
}: EventRateLimitParts): AdmissionPlugin {
  const limits = readLimits(requiredConfiguration(configuration, 'EventRateLimit'), names);
  const take = eventTokens((keys) => takeFrom(limits, keys, clock.monotonic()));
  return {
    name: 'EventRateLimit',
    handles: writesOf('', 'events', 'CREATE', 'UPDATE'),
    validate(write) {
      if (write.dryRun) return undefined;
      const keys = limits.map((limit) => limit.keyOf(write));
      const refuse = (place: number | undefined): undefined => {
        if (place !== undefined) throw refusal(limits[place], keys[place]);
      };
      const place = take(keys);
      return place instanceof Promise ? place.then(refuse) : refuse(place);
    },
  };
}

function takeFrom(limits: readonly EventLimit[], keys: readonly string[], now: number): number | undefined {
  const buckets: TokenBucket[] = [];
  for (const [place, limit] of limits.entries()) {
    const bucket = limit.bucketOf(keys[place] ?? '', now);
    if (!bucket.hasToken(now)) return place;
    buckets.push(bucket);
  }
  for (const bucket of buckets) bucket.take();
  return undefined;
}

const refusal = (limit: EventLimit | undefined, key: string | undefined): Error =>
  errors.tooManyRequests(`Too many requests: limit reached on type ${limit?.type} for key ${key}`);

const MAX_INT32 = 2 ** 31 - 1;
/** A larger map is not possible. */
const MAX_CACHE_SIZE = 10_000_000;
/** Size of a cache if `cacheSize` is absent or 0. */
const DEFAULT_CACHE_SIZE = 4096;

/** Throws `ConfigFileError`. */
function readLimits(value: ConfigValue, names: Names): readonly EventLimit[] {
  const apiVersions = [names.apiVersion('eventratelimit', 'v1alpha1')];
  const limits = value.document({ kind: 'Configuration', apiVersions }, ['limits'])('limits');
  const all = limits.list();
  return all.length === 0
    ? limits.fail('at least one limit is required')
    : all.map((limit) => new EventLimit(readLimit(limit)));
}

function readLimit(value: ConfigValue): LimitOptions {
  const field = value.object(['type', 'qps', 'burst', 'cacheSize']);
  const positive = (name: 'qps' | 'burst'): number =>
    field(name).whole({ least: 1, most: MAX_INT32 }) ?? field(name).fail('is required');
  return {
    type: field('type').oneOf(limitTypes),
    qps: positive('qps'),
    burst: positive('burst'),
    cacheSize: field('cacheSize').whole({ least: 0, most: MAX_CACHE_SIZE }) || DEFAULT_CACHE_SIZE,
  };
}
