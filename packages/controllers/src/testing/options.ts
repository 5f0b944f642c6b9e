import type { ControllerOptions } from '../options.ts';

/** Options of controllers with the default flags, without keys and authorities. */
export const usualOptions: ControllerOptions = {
  release: { major: 1, minor: 24 },
  featureGate: () => undefined,
  concurrency: {
    garbageCollector: 20,
    namespace: 10,
    resourceQuota: 5,
    serviceAccountToken: 5,
    ttlAfterFinished: 5,
    certificate: 5,
  },
  garbageCollector: { isEnabled: true, discoveryIntervalMs: 30_000 },
  namespace: { resyncMs: 300_000 },
  resourceQuota: { resyncMs: 300_000 },
  podGc: { terminatedThreshold: 12_500, intervalMs: 20_000, quarantineMs: 40_000 },
  storageVersionMigrator: { writesPerSecond: 100 },
  signing: { durationMs: 31_536_000_000, authorities: {} },
};
