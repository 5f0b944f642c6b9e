import type { Env } from '@orch/machinery';

/** Metrics of changes of the encryption configuration. */
export interface ReloadMetrics {
  reloaded(status: 'success' | 'failure'): void;
  /** `hash` identifies the content of the file. */
  inUse(hash: string): void;
}

export function reloadMetrics({ metrics, clock }: Pick<Env, 'metrics' | 'clock'>): ReloadMetrics {
  const prefix = 'apiserver_encryption_config_controller';
  const reloads = metrics.counter({
    name: `${prefix}_automatic_reloads_total`,
    help: 'Reloads of the encryption configuration, by status.',
    labels: ['status'],
    stability: 'ALPHA',
  });
  const reloadedAt = metrics.gauge({
    name: `${prefix}_automatic_reload_last_timestamp_seconds`,
    help: 'Time of the last reload of the encryption configuration, by status, in seconds since 1970.',
    labels: ['status'],
    stability: 'ALPHA',
  });
  const info = metrics.gauge({
    name: `${prefix}_last_config_info`,
    help: 'The encryption configuration in use, by the hash of its file.',
    labels: ['hash'],
    stability: 'ALPHA',
  });
  return {
    reloaded(status) {
      reloads.series(status).inc();
      reloadedAt.series(status).set(clock.now() / 1000);
    },
    inUse(hash) {
      info.clear();
      info.series(hash).set(1);
    },
  };
}
