import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { poll } from '@orch/machinery/testing';
import { admissionAnswer, admitting, sendJson, WebhookServer, webhookEntry } from '@orch/server/testing';
import { alertsEnd, followPage } from './faults/follow-page.ts';
import { MonitoredCluster, missingProgram } from './faults/monitored-cluster.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const admission = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const SLOW_MS = 1200;
const READS = 29;

describe('alerts about processes and controllers', {
  timeout: 170_000,
  skip: missingProgram('curl'),
}, () => {
  let cluster: MonitoredCluster;
  before(async () => {
    const managerArgs = ['--use-service-account-credentials', '--concurrent-gc-syncs=1'];
    cluster = await MonitoredCluster.start({ managerArgs });
  });
  after(() => cluster[Symbol.asyncDispose]());

  async function post(path: string, body: object): Promise<{ readonly uid: string }> {
    const made = await cluster.client.post(path, body);
    assert.equal(made.status, 201, made.text);
    return (made.json as { readonly metadata: { readonly uid: string } }).metadata;
  }

  it('OrchErrorBudgetBurnSlow, but not OrchErrorBudgetBurnFast, fires while one in thirty requests fails', async () => {
    const webhook = await WebhookServer.start(admitting());
    const rule = { resources: ['secrets'], operations: ['CREATE'] };
    await post(admission, { metadata: { name: 'refusing' }, webhooks: [webhookEntry(webhook, { rule })] });
    await webhook.stop();
    const read = () => cluster.client.get('/version');
    const refused = () =>
      cluster.client.post('/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
    const alerts = async () => (await cluster.prometheus.alerts()).map(({ labels }) => labels['alertname']);
    let isRefusing = true;
    await followPage(cluster, 'OrchErrorBudgetBurnSlow', {
      load: () => Promise.all([...Array.from({ length: READS }, read), ...(isRefusing ? [refused()] : [])]),
      meanwhile: async () => assert.ok(!(await alerts()).includes('OrchErrorBudgetBurnFast')),
      fix: async () => {
        isRefusing = false;
      },
    });
    await cluster.client.delete(`${admission}/refusing`);
  });

  it('OrchWorkQueueLags fires while a controller has one worker and its work is slow', async () => {
    await using webhook = await WebhookServer.start(
      (review, response) => void setTimeout(() => sendJson(response, admissionAnswer(review)), SLOW_MS),
    );
    await post(admission, {
      metadata: { name: 'slow' },
      webhooks: [webhookEntry(webhook, { rule: { operations: ['DELETE'] } })],
    });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'gone' };
    let created = 0;
    await followPage(cluster, 'OrchWorkQueueLags', {
      load: async () => {
        await post(configMaps, { metadata: { name: `owned-${++created}`, ownerReferences: [owner] } });
        await pause(SLOW_MS / 10);
      },
      fix: async () => {
        webhook.answer = admitting();
      },
    });
    await cluster.client.delete(`${admission}/slow`);
  });

  it('OrchControllerErrors fires while a controller lacks permissions, and OrchDeprecatedAPIUsed until the server restarts', async () => {
    await followPage(cluster, 'OrchControllerErrors', {
      meanwhile: async () => {
        await poll('an alert about the quota controller', 30_000, async () =>
          (await cluster.prometheus.alerts()).some(({ labels }) => labels['controller'] === 'resourcequota'),
        );
        await followPage(cluster, 'OrchDeprecatedAPIUsed', {
          meanwhile: ({ labels: { resource, removed_release: release } }) =>
            assert.deepEqual([resource, release], ['cronjobs', '1.25']),
          fix: () => cluster.restartServer(),
        });
      },
    });
  });

  it('OrchManagerDown and OrchNoLeader fire while the only manager does not run', () =>
    followPage(cluster, 'OrchManagerDown', {
      meanwhile: () =>
        followPage(cluster, 'OrchNoLeader', {
          variables: { LEASE: 'kube-controller-manager' },
          isCaused: true,
          fix: () => cluster.restartManager(),
        }),
    }));

  it('OrchServerDown, OrchNoServers and OrchManagerRequestsFail fire while the only server does not run', () =>
    followPage(cluster, 'OrchServerDown', {
      meanwhile: () =>
        followPage(cluster, 'OrchManagerRequestsFail', {
          isCaused: true,
          meanwhile: () =>
            followPage(cluster, 'OrchNoServers', { isCaused: true, fix: () => cluster.restartServer() }),
        }),
    }));

  it('the alerts end after the remedies', () => alertsEnd(cluster, 9));
});
