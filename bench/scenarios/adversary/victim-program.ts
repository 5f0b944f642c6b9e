/**
 * A victim in a separate process. Started with the host and port of the server and its process id, it answers each message with
 * what it has measured (`Experience`) in the time that the message says.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { withBody, withoutBody } from '../../lib/context.ts';
import { type Latency, latenciesOf, percentile, throughputOf } from '../../lib/paced-requests.ts';
import { type RawAnswer, RawConnection } from '../../lib/raw-client.ts';
import { LEASE, leaseOf, SMALL_MAP } from './objects.ts';
import { authorized } from './users.ts';
import type { Experience, Percentiles } from './victim.ts';

const VICTIM = { intervalMs: 10, connections: 2 };
const HEALTH = { intervalMs: 50, connections: 1 };
const LEADER = { intervalMs: 50, connections: 1 };
const BUSY_CONNECTIONS = 4;

const [host = '', port = '', pid = ''] = process.argv.slice(2);
const target = { host, port: Number(port) };
const server = { target, pid: Number(pid) };
const get = authorized(withoutBody(SMALL_MAP), 'victim');
const health = withoutBody('/livez');

const versionOf = (answer: RawAnswer): string =>
  /"resourceVersion":"(\d+)"/.exec(answer.beginning)?.[1] ?? '';

/** A renewal of the lease after the one that was answered. */
const renewal = (last: RawAnswer): Buffer =>
  authorized(withBody('PUT', LEASE, leaseOf(versionOf(last))), 'leader');

async function measured(seconds: number): Promise<Experience> {
  using connection = await RawConnection.open(target);
  const lease = await connection.exchange(authorized(withoutBody(LEASE), 'leader'));
  const [gets, checks, renewals] = await during(seconds, (ended) =>
    Promise.all([
      latenciesOf(server, { ...VICTIM, next: () => get }, ended),
      latenciesOf(server, { ...HEALTH, next: () => health }, ended),
      latenciesOf(server, { ...LEADER, next: (last = lease) => renewal(last) }, ended),
    ]),
  );
  const throughput = await during(seconds, (ended) =>
    throughputOf(server, { request: get, connections: BUSY_CONNECTIONS }, ended),
  );
  return {
    get: percentilesOf(gets),
    health: percentilesOf(checks),
    renewal: percentilesOf(renewals),
    throughput,
  };
}

async function during<T>(seconds: number, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const result = work(ended.signal);
  await Promise.race([sleep(seconds * 1000), result]);
  ended.abort();
  return result;
}

const percentilesOf = (latencies: readonly Latency[]): Percentiles => ({
  p50: percentile(
    latencies.map(({ ms }) => ms),
    50,
  ),
  p99: percentile(
    latencies.map(({ ms }) => ms),
    99,
  ),
  cpuP99: percentile(
    latencies.map(({ serverCpuMs }) => serverCpuMs),
    99,
  ),
  refused: latencies.filter(({ isRefused }) => isRefused).length,
});

process.on('message', (seconds: number) => {
  void measured(seconds).then((experience) => process.send?.(experience));
});
