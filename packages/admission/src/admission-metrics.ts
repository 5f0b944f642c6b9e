import type { Clock, Metrics } from '@orch/machinery';
import type { AdmissionPlugin, Refusal, WriteTarget } from './types.ts';

const buckets = [0.005, 0.025, 0.1, 0.5, 2.5];

/** Asks a plugin and takes the time of it. */
export type Timed = (
  plugin: AdmissionPlugin,
  target: WriteTarget,
  ask: () => Refusal | undefined | Promise<Refusal | undefined>,
) => Promise<Refusal | undefined>;

/** Declares how long plugins take (facts: metric names), by plugin, operation and outcome. */
export function admissionMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): Timed {
  const family = metrics.histogram({
    name: 'apiserver_admission_controller_admission_duration_seconds',
    help: 'Seconds that an admission plugin took for a write that it is concerned with.',
    labels: ['name', 'operation', 'rejected', 'type'],
    buckets,
    stability: 'ALPHA',
  });
  return async ({ name }, { operation }, ask) => {
    const began = clock.monotonic();
    let isRejected = true;
    try {
      const refusal = await ask();
      isRejected = refusal !== undefined;
      return refusal;
    } finally {
      family
        .series(name, operation, String(isRejected), 'validate')
        .observe((clock.monotonic() - began) / 1000);
    }
  };
}
