import { readdirSync, readFileSync } from 'node:fs';
import type { SoakCluster } from './cluster.ts';

const MIB = 1024 * 1024;

/** The resident memory of a process and its open descriptors; nothing when it has ended. */
function processSeries(name: string, pid: number | undefined): Readonly<Record<string, number>> {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN);
    return {
      [`memory of ${name}`]: kilobytes / 1024,
      [`descriptors of ${name}`]: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return {};
  }
}

const metricIn = (text: string, name: string): number | undefined => {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** What is measured at one time; programs that do not answer are left out. */
export async function sample(cluster: SoakCluster): Promise<Readonly<Record<string, number>>> {
  const series: Record<string, number> = {};
  for (const { name, pid } of [...cluster.servers, cluster.manager])
    Object.assign(series, processSeries(name, pid));
  for (const { name, pid } of cluster.etcd.members) Object.assign(series, processSeries(`etcd ${name}`, pid));
  for (const [i, client] of cluster.clients.entries()) {
    const metrics = await client
      .get('/metrics', { signal: AbortSignal.timeout(5000) })
      .catch(() => undefined);
    const delay = metricIn(metrics?.text ?? '', 'nodejs_eventloop_lag_p99_seconds');
    if (delay !== undefined) series[`delay of ${cluster.servers[i]?.name}`] = delay * 1000;
  }
  const store = await cluster.etcd.members[0]?.http('GET', '/metrics').catch(() => undefined);
  const names = {
    file: 'etcd_mvcc_db_total_size_in_bytes',
    'its content': 'etcd_mvcc_db_total_size_in_use_in_bytes',
  };
  for (const [part, name] of Object.entries(names)) {
    const bytes = metricIn(store?.body ?? '', name);
    if (bytes !== undefined) series[`store of ${part}`] = bytes / MIB;
  }
  return series;
}
