import { createHash } from 'node:crypto';
import type { Event } from '@orch/kinds/core';
import { type BucketRate, type TokenBucket, TokenBuckets } from '@orch/machinery/concurrency';
import type { AdmissionAttributes } from '../types.ts';

/** The common key of the events of a bucket, by the type of a limit. */
const keys = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: ({ object }) => sourceAndObject(object as Event | undefined),
} as const satisfies Readonly<Record<string, (write: AdmissionAttributes) => string>>;

export type LimitType = keyof typeof keys;

export const limitTypes = Object.keys(keys) as readonly LimitType[];

/** Newer events have a reporting component instead of a source. */
const sourceAndObject = ({
  source = {},
  reportingComponent = '',
  reportingInstance = '',
  involvedObject: about = {},
}: Partial<Event> = {}): string =>
  JSON.stringify([
    (source.component ?? '') || reportingComponent,
    (source.host ?? '') || reportingInstance,
    about.kind ?? '',
    about.namespace ?? '',
    about.name ?? '',
    about.uid ?? '',
    about.apiVersion ?? '',
  ]);

export interface LimitOptions extends BucketRate {
  readonly type: LimitType;
  /** Maximum number of buckets. */
  readonly cacheSize: number;
}

/** Longer keys are replaced by a digest: users choose their length. */
const MAX_KEY_CHARACTERS = 256;

/** Limits the rate of events that have a key in common. */
export class EventLimit {
  readonly type: LimitType;
  readonly #buckets: TokenBuckets;

  constructor({ type, qps, burst, cacheSize }: LimitOptions) {
    this.type = type;
    this.#buckets = new TokenBuckets({ qps, burst, buckets: cacheSize });
  }

  keyOf(write: AdmissionAttributes): string {
    const key = keys[this.type](write);
    return key.length <= MAX_KEY_CHARACTERS ? key : createHash('sha256').update(key).digest('base64');
  }

  bucketOf(key: string, now: number): TokenBucket {
    return this.#buckets.of(key, now);
  }
}
