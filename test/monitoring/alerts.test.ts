import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { admitting, sendJson, WebhookServer, webhookEntry } from '@orch/server/testing';
import { type EtcdCluster, startEtcd } from '@orch/storage/testing';
import {
  type FiringAlert,
  freePort,
  type LaunchedServer,
  launchServer,
  PrometheusServer,
  prometheusProgram,
  type RunningProcess,
  start,
  temporaryFolder,
} from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const names = namesFor('orch');
const configMaps = '/api/v1/namespaces/default/configmaps';
/** Faults are noticed within a scrape and an evaluation; loaded machines take longer. */
const DEADLINE_MS = 90_000;
const webhookGroup = names.apiVersion('admissionregistration', 'v1');
const webhookPath = `/apis/${webhookGroup}/validatingwebhookconfigurations`;
const program = prometheusProgram('prometheus');

/** The parts of a cluster that its faults concern, with a Prometheus beside them. */
class MonitoredCluster implements AsyncDisposable {
  readonly etcd: EtcdCluster;
  readonly servers: readonly LaunchedServer[];
  readonly manager: RunningProcess;
  readonly prometheus: PrometheusServer;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: Pick<MonitoredCluster, 'etcd' | 'servers' | 'manager' | 'prometheus'>,
    stack: AsyncDisposableStack,
  ) {
    this.etcd = parts.etcd;
    this.servers = parts.servers;
    this.manager = parts.manager;
    this.prometheus = parts.prometheus;
    this.#stack = stack;
  }

  static async start(prometheusPath: string): Promise<MonitoredCluster> {
    await using stack = new AsyncDisposableStack();
    const etcd = stack.use(await startEtcd());
    const certDir = stack.use(temporaryFolder()).path;
    const ports = [await freePort(), await freePort()];
    const servers: LaunchedServer[] = [];
    for (const port of ports) {
      const args = [`--ops-bind-address=127.0.0.1:${port}`, '--audit-log-path=/dev/full'];
      servers.push(stack.use(await launchServer({ etcd: etcd.endpoints, certDir, args })));
    }
    const managerPort = await freePort();
    const manager = stack.use(
      start(join(root, 'bin/orch-controller-manager'), [
        `--client-config=${servers[0]?.adminConfig}`,
        `--ops-bind-address=127.0.0.1:${managerPort}`,
      ]),
    );
    const targets = {
      'orch-apiserver': ports.map((port) => `127.0.0.1:${port}`),
      'orch-controller-manager': [`127.0.0.1:${managerPort}`],
    };
    const prometheus = stack.use(await PrometheusServer.start(prometheusPath, targets));
    return new MonitoredCluster({ etcd, servers, manager, prometheus }, stack.move());
  }

  get client(): LaunchedServer['client'] {
    const [server] = this.servers;
    assert.ok(server);
    return server.client;
  }

  /** Repeats an action until the alert fires. */
  async fires(alert: string, action: () => Promise<unknown> = async () => undefined): Promise<FiringAlert> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    for (;;) {
      await action();
      const alerts = await this.prometheus.alerts();
      const found = alerts.find(({ state, labels }) => state === 'firing' && labels['alertname'] === alert);
      if (found !== undefined) return found;
      if (deadline.aborted) {
        const others = alerts.map(({ labels }) => labels['alertname']).join(', ');
        throw new Error(`${alert} does not fire; alerts: ${others}`);
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

describe('alerts in a cluster with faults', {
  timeout: 600_000,
  skip: program === undefined ? 'prometheus is not found' : false,
}, () => {
  let cluster: MonitoredCluster;
  before(async () => {
    cluster = await MonitoredCluster.start(program ?? '');
  });
  after(() => cluster[Symbol.asyncDispose]());

  let created = 0;
  const create = () =>
    cluster.client.post(configMaps, {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: `map-${++created}` },
    });

  async function configure(entry: object): Promise<AsyncDisposable> {
    const metadata = { name: 'monitored' };
    const body = {
      apiVersion: webhookGroup,
      kind: 'ValidatingWebhookConfiguration',
      metadata,
      webhooks: [entry],
    };
    const made = await cluster.client.post(webhookPath, body);
    assert.equal(made.status, 201, made.text);
    return {
      [Symbol.asyncDispose]: async () =>
        void (await cluster.client.delete(`${webhookPath}/${metadata.name}`)),
    };
  }

  it('OrchAuditEventsLost fires when the audit log cannot be written', async () => {
    const { annotations } = await cluster.fires('OrchAuditEventsLost', create);
    assert.match(annotations['description'] ?? '', /loses audit events of the sink log/);
  });

  for (const [failurePolicy, alert] of [
    ['Fail', 'OrchWebhookFailing'],
    ['Ignore', 'OrchWebhookSkipped'],
  ] as const)
    it(`${alert} fires when a webhook with failurePolicy ${failurePolicy} does not run`, async () => {
      const webhook = await WebhookServer.start(admitting());
      await using _configured = await configure(webhookEntry(webhook, { failurePolicy }));
      await webhook.stop();
      const { annotations } = await cluster.fires(alert, create);
      assert.match(
        annotations['description'] ?? '',
        /^The webhook w\.example\.com \(validating\) cannot be called/,
      );
    });

  it('OrchWebhookSlow fires when a webhook takes longer than a second', async () => {
    const webhook = await WebhookServer.start((review, response) => {
      setTimeout(
        () => sendJson(response, { ...review, response: { uid: review.request.uid, allowed: true } }),
        1500,
      );
    });
    await using _configured = await configure(webhookEntry(webhook));
    await cluster.fires('OrchWebhookSlow', create);
    await webhook.stop();
  });

  it('OrchAPIServiceUnavailable fires for an API service without a service', async () => {
    const apiVersion = names.apiVersion('apiregistration', 'v1');
    const made = await cluster.client.post(`/apis/${apiVersion}/apiservices`, {
      apiVersion,
      kind: 'APIService',
      metadata: { name: 'v1.gone.example.com' },
      spec: {
        ...{ group: 'gone.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
        ...{ service: { namespace: 'default', name: 'gone' }, insecureSkipTLSVerify: true },
      },
    });
    assert.equal(made.status, 201, made.text);
    const { labels } = await cluster.fires('OrchAPIServiceUnavailable');
    assert.equal(labels['name'], 'v1.gone.example.com');
  });

  it('OrchDeprecatedAPIUsed fires when a client uses a deprecated version', async () => {
    const { labels } = await cluster.fires('OrchDeprecatedAPIUsed', () =>
      cluster.client.get('/apis/batch/v1beta1/cronjobs'),
    );
    assert.deepEqual([labels['resource'], labels['removed_release']], ['cronjobs', '1.25']);
  });

  it('OrchManagerDown and OrchNoLeader fire when the only manager ends', async () => {
    await cluster.manager.stop('SIGKILL');
    await cluster.fires('OrchManagerDown');
    await cluster.fires('OrchNoLeader');
  });

  it('OrchStoreErrors and OrchErrorBudgetBurnFast fire when etcd ends', async () => {
    await Promise.all(cluster.etcd.members.map((member) => member.kill()));
    await cluster.fires('OrchStoreErrors', create);
    await cluster.fires('OrchErrorBudgetBurnFast', create);
  });

  it('OrchServerDown fires when a server ends, and OrchNoServers when all have', async () => {
    const [first, second] = cluster.servers;
    await first?.process.stop('SIGKILL');
    await cluster.fires('OrchServerDown');
    assert.ok(
      !(await cluster.prometheus.alerts()).some(({ labels }) => labels['alertname'] === 'OrchNoServers'),
    );
    await second?.process.stop('SIGKILL');
    await cluster.fires('OrchNoServers');
  });
});
