import type { Clock, Metrics } from '@orch/machinery';
import { versionOf } from './conversion-review.ts';

/** Called when a conversion has ended. */
type Observe = (succeeded: boolean) => void;

/** Records the durations of the conversions of one definition. */
export interface ConversionDurations {
  start(fromApiVersion: string, toApiVersion: string): Observe;
}

const buckets: readonly number[] = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);

/** Declares the metrics of conversion webhooks; the result is called with the name of a definition. */
export function conversionMetrics(metrics: Metrics, clock: Clock): (crdName: string) => ConversionDurations {
  const durations = metrics.histogram({
    name: 'apiserver_crd_webhook_conversion_duration_seconds',
    help: 'Time that conversion webhooks took, by definition, versions and success.',
    labels: ['crd_name', 'from_version', 'succeeded', 'to_version'],
    buckets,
    stability: 'ALPHA',
  });
  return (crdName) => ({
    start(from, to) {
      const startMs = clock.monotonic();
      return (succeeded) =>
        durations
          .series(crdName, versionOf(from), String(succeeded), versionOf(to))
          .observe((clock.monotonic() - startMs) / 1000);
    },
  });
}
