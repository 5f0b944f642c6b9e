/**
 * `make demo`: the services of docker-compose.yml as processes of this machine, and a fault. Ctrl-C stops all of them;
 * with `--once` they stop after the fault, and the exit status reports whether it went as expected.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ApiClient, ComposeCluster, readClientConfig } from '@orch/testkit';
import { programArguments } from '@orch/testkit/program-arguments';
import { FiringAlerts, hastened } from './alerts.ts';

const usage = `make demo ARGS='[OPTION …]'

Runs the services of docker-compose.yml as processes of this machine, and causes a fault. Ctrl-C stops all of them.

  --once             stops them after the fault; the exit status reports whether it went as expected
  --folder=PATH      the files of the processes (.orch/demo)
  --network=PREFIX   the first three bytes of their loopback addresses (127.20.0)
`;

const { values: options } = programArguments(usage, {
  options: {
    once: { type: 'boolean', default: false },
    folder: { type: 'string', default: '.orch/demo' },
    network: { type: 'string', default: '127.20.0' },
  },
});

const begun = performance.now();
const report = (line: string): void =>
  console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${line}`);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));

const folder = resolve(options.folder);
const adminConfig = join(folder, 'volumes/orch/pki/admin.conf');
mkdirSync(folder, { recursive: true });

async function main(): Promise<void> {
  await using cluster = new ComposeCluster({ folder, network: options.network, edit: hastened, report });
  const missing = cluster.missing().map(({ name }) => name);
  const needed = missing.filter((name) => name !== 'grafana');
  if (needed.length > 0) throw new Error(`the programs of ${needed.join(', ')} are not installed`);
  if (missing.length > 0) report('grafana     is left out: its program is not installed');
  await cluster.startAll(stop.signal);
  describe(cluster);
  await causeFault(cluster);
  if (options.once) return;
  report('Ctrl-C stops all processes');
  await new Promise<void>((finish) => {
    if (stop.signal.aborted) finish();
    else stop.signal.addEventListener('abort', () => finish());
  });
}

function describe({ placement }: ComposeCluster): void {
  const prometheus = `http://${placement.address('prometheus')}:9090`;
  console.log(`
  API          https://${placement.address('balancer')}:6443 (three replicas behind haproxy)
  kubectl      kubectl --kubeconfig=${adminConfig} get namespaces
  Prometheus   ${prometheus}/alerts (alerts fire after a second instead of minutes, for this demonstration)
  haproxy      http://${placement.address('balancer')}:8404/metrics
  files        ${folder}
`);
}

/** Kills a replica: the alert for it fires, requests are answered meanwhile, and the alert ends when the replica runs again. */
async function causeFault(cluster: ComposeCluster): Promise<void> {
  const { placement } = cluster;
  const alerts = new FiringAlerts(`http://${placement.address('prometheus')}:9090`);
  const instance = `${placement.address('replica-2')}:8080`;
  using client = new ApiClient(readClientConfig(adminConfig));
  await cluster.process('replica-2').stop('SIGKILL');
  report('fault: replica-2 is killed');
  const alert = await alerts.waitFor('OrchServerDown', instance, (found) => found !== undefined);
  report(
    `the alert OrchServerDown fires: ${alert?.annotations['description']} (${alert?.annotations['runbook']})`,
  );
  const { status } = await client.get('/api/v1/namespaces');
  if (status !== 200) throw new Error(`a request through the balancer was answered with ${status}`);
  report('requests through the balancer are answered by the other replicas');
  cluster.start('replica-2');
  await cluster.healthy('replica-2', stop.signal);
  await alerts.waitFor('OrchServerDown', instance, (found) => found === undefined);
  report('replica-2 runs again, and the alert has ended');
}

try {
  await main();
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
