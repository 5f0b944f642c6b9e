import type { Clock, Env, Metrics } from '@orch/machinery';

/** `count` bounds, each twice the one before. */
const doublings = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => first * 2 ** at);

/** Different key ids of a service that get a series: a faulty one may return another one each time. */
const MAX_KEY_IDS = 100;

const envelope = 'apiserver_envelope_encryption';
const storage = 'apiserver_storage';

const familiesOf = (metrics: Metrics) => ({
  fill: metrics.gauge({
    name: `${envelope}_dek_cache_fill_percent`,
    help: 'Share of the cache of data keys of KMS version 1 that is in use, in percent.',
    stability: 'ALPHA',
  }),
  arrival: metrics.histogram({
    name: `${envelope}_dek_cache_inter_arrival_time_seconds`,
    help: 'Time between encryptions, and between decryptions, with KMS version 1.',
    labels: ['transformation_type'],
    buckets: doublings(60, 10),
    stability: 'ALPHA',
  }),
  sources: metrics.gauge({
    name: `${envelope}_dek_source_cache_size`,
    help: 'Decrypted seeds and data keys of KMS version 2 in memory.',
    labels: ['provider_name'],
    stability: 'ALPHA',
  }),
  calls: metrics.histogram({
    name: `${envelope}_kms_operations_latency_seconds`,
    help: 'Duration of calls of key services, by the code of the answer.',
    labels: ['provider_name', 'method_name', 'grpc_status_code'],
    buckets: doublings(0.0001, 20),
    stability: 'ALPHA',
  }),
  invalidKeyId: metrics.counter({
    name: `${envelope}_invalid_key_id_from_status_total`,
    help: 'Invalid key ids in the status of a key service.',
    labels: ['provider_name', 'error'],
    stability: 'ALPHA',
  }),
  keyIdSeen: metrics.gauge({
    name: `${envelope}_key_id_hash_status_last_timestamp_seconds`,
    help: 'Time at which the status of a key service had a key id, in seconds since 1970.',
    isSameInThreads: true,
    labels: ['provider_name', 'key_id_hash'],
    stability: 'ALPHA',
  }),
  misses: metrics.counter({
    name: `${storage}_envelope_transformation_cache_misses_total`,
    help: 'Data keys that a key service had to decrypt because they were not in memory.',
    stability: 'ALPHA',
  }),
  generated: metrics.histogram({
    name: `${storage}_data_key_generation_duration_seconds`,
    help: 'Duration of the generation of a data key or seed.',
    buckets: doublings(5e-6, 14),
    stability: 'ALPHA',
  }),
  failures: metrics.counter({
    name: `${storage}_data_key_generation_failures_total`,
    help: 'Failed generations of data keys and seeds.',
    stability: 'ALPHA',
  }),
});

/** The metrics of one key service. */
export class KeyServiceMetrics {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #families: ReturnType<typeof familiesOf>;
  readonly #keyIds = new Set<string>();
  readonly #lastArrival = new Map<string, number>();

  constructor(name: string, { clock, metrics }: Pick<Env, 'clock' | 'metrics'>) {
    this.#name = name;
    this.#clock = clock;
    this.#families = familiesOf(metrics);
  }

  called(path: string, code: number, seconds: number): void {
    this.#families.calls.series(this.#name, path, codeNames[code] ?? 'Unknown').observe(seconds);
  }

  missed(): void {
    this.#families.misses.series().inc();
  }

  generate(bytes: (count: number) => Buffer, count: number): Buffer {
    const started = this.#clock.monotonic();
    try {
      return bytes(count);
    } catch (error) {
      this.#families.failures.series().inc();
      throw error;
    } finally {
      this.#families.generated.series().observe((this.#clock.monotonic() - started) / 1000);
    }
  }

  /** An encryption or decryption with version 1. */
  arrived(direction: 'to_storage' | 'from_storage'): void {
    const now = this.#clock.monotonic();
    const last = this.#lastArrival.get(direction);
    if (last !== undefined) this.#families.arrival.series(direction).observe((now - last) / 1000);
    this.#lastArrival.set(direction, now);
  }

  filled(share: number): void {
    this.#families.fill.series().set(share * 100);
  }

  sources(count: number): void {
    this.#families.sources.series(this.#name).set(count);
  }

  /** `hash` identifies the key id without being one. */
  keyId(hash: string): void {
    if (!this.#keyIds.has(hash) && this.#keyIds.size >= MAX_KEY_IDS) return;
    this.#keyIds.add(hash);
    this.#families.keyIdSeen.series(this.#name, hash).set(this.#clock.now() / 1000);
  }

  invalidKeyId(reason: 'empty' | 'too_long'): void {
    this.#families.invalidKeyId.series(this.#name, reason).inc();
  }
}

/** Names of gRPC codes, by code. */
const codeNames: readonly string[] = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
];
