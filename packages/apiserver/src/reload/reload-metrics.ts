import type { Env } from '@orch/machinery';

type Parts = Pick<Env, 'metrics' | 'clock'>;

/** Metrics of changes of a file. */
export interface ReloadMetrics {
  reloaded(status: 'success' | 'failure'): void;
  /** `hash` identifies the content of the file. */
  inUse(hash: string): void;
}

/** Metrics of a configuration; `prefix` begins their names, `title` is its name in help texts. */
export function configurationMetrics(
  prefix: string,
  title: string,
  { metrics, clock }: Parts,
): ReloadMetrics {
  const reloads = metrics.counter({
    name: `${prefix}_automatic_reloads_total`,
    help: `Reloads of ${title}, by status.`,
    labels: ['status'],
    stability: 'ALPHA',
  });
  const reloadedAt = metrics.gauge({
    name: `${prefix}_automatic_reload_last_timestamp_seconds`,
    help: `Time of the last reload of ${title}, by status, in seconds since 1970.`,
    isSameInThreads: true,
    labels: ['status'],
    stability: 'ALPHA',
  });
  const info = metrics.gauge({
    name: `${prefix}_last_config_info`,
    help: `The file of ${title} in use, by its hash.`,
    isSameInThreads: true,
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

/** Metrics of the files of a flag whose namesake has none. The hash is not published, since the files may contain secrets. */
export function fileMetrics(flag: string, { metrics, clock }: Parts): ReloadMetrics {
  const reloads = metrics.counter({
    name: 'apiserver_file_reloads_total',
    help: 'Reloads of changed files of flags, by flag and status.',
    labels: ['flag', 'status'],
    stability: 'ALPHA',
  });
  const reloadedAt = metrics.gauge({
    name: 'apiserver_file_reload_last_timestamp_seconds',
    help: 'Time of the last reload of changed files of flags, by flag and status, in seconds since 1970.',
    isSameInThreads: true,
    labels: ['flag', 'status'],
    stability: 'ALPHA',
  });
  return {
    reloaded(status) {
      reloads.series(flag, status).inc();
      reloadedAt.series(flag, status).set(clock.now() / 1000);
    },
    inUse() {},
  };
}
