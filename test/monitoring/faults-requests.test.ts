import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { admissionAnswer, admitting, sendJson, WebhookServer, webhookEntry } from '@orch/server/testing';
import { ApiClient, type ClientConfig, temporaryFolder } from '@orch/testkit';
import { alertsEnd, followPage } from './faults/follow-page.ts';
import { MonitoredCluster, missingProgram } from './faults/monitored-cluster.ts';

const namespace = '/api/v1/namespaces/default';
const admission = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const FILE_DESCRIPTORS = 512;
const SLOW_MS = 1200;

/** Events of one resource are sent to the webhook, each by itself. */
function auditFlags(webhook: WebhookServer, folder: string): readonly string[] {
  const policy = join(folder, 'policy.yaml');
  const config = join(folder, 'webhook.yaml');
  const rule = { level: 'Metadata', resources: [{ group: '', resources: ['serviceaccounts'] }] };
  const rules = [rule, { level: 'None' }];
  writeFileSync(policy, JSON.stringify({ kind: 'Policy', apiVersion: 'audit.k8s.io/v1', rules }));
  const cluster = { server: webhook.url, 'certificate-authority-data': webhook.caBundle };
  const [clusters, users] = [[{ name: 'w', cluster }], [{ name: 'w', user: {} }]];
  const contexts = [{ name: 'w', context: { cluster: 'w', user: 'w' } }];
  writeFileSync(config, JSON.stringify({ clusters, users, contexts, 'current-context': 'w' }));
  return [
    ...[`--audit-policy-file=${policy}`, `--audit-webhook-config-file=${config}`],
    ...['--audit-webhook-batch-max-wait=100ms', '--audit-webhook-initial-backoff=10ms'],
  ];
}

describe('alerts about requests', {
  timeout: 170_000,
  skip: missingProgram('openssl', 'curl', 'prlimit'),
}, () => {
  let cluster: MonitoredCluster;
  let auditWebhook: WebhookServer;
  const folder = temporaryFolder();

  before(async () => {
    auditWebhook = await WebhookServer.start((_, response) => sendJson(response, {}));
    cluster = await MonitoredCluster.start({
      serverArgs: auditFlags(auditWebhook, folder.path),
      fileDescriptors: FILE_DESCRIPTORS,
    });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await auditWebhook[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  let created = 0;
  const create = (resource: string) => async () => {
    const metadata = { name: `object-${++created}` };
    await cluster.client.post(`${namespace}/${resource}`, { metadata });
  };

  /** Creations of one resource are admitted by a webhook. */
  async function configure(webhook: WebhookServer, resource: string, fields: object = {}): Promise<void> {
    const rule = { resources: [resource], operations: ['CREATE'] };
    const webhooks = [webhookEntry(webhook, { rule, ...fields })];
    const made = await cluster.client.post(admission, { metadata: { name: resource }, webhooks });
    assert.equal(made.status, 201, made.text);
  }

  describe('of independent faults', { concurrency: true }, () => {
    it('OrchAuditEventsLost fires while the audit webhook cannot be called', () =>
      followPage(cluster, 'OrchAuditEventsLost', {
        cause: () => auditWebhook.stop(),
        load: create('serviceaccounts'),
        meanwhile: ({ annotations }) =>
          assert.match(annotations['description'] ?? '', /loses audit events of the sink webhook/),
        fix: () => auditWebhook.start(),
      }));

    it('OrchWebhookFailing fires while a webhook with failurePolicy Fail cannot be called', async () => {
      const webhook = await WebhookServer.start(admitting());
      await configure(webhook, 'configmaps');
      await followPage(cluster, 'OrchWebhookFailing', {
        variables: { CONFIGURATION: 'configmaps' },
        cause: () => webhook.stop(),
        load: create('configmaps'),
        meanwhile: ({ annotations }) =>
          assert.match(
            annotations['description'] ?? '',
            /^The webhook w\.example\.com \(validating\) cannot be called/,
          ),
      });
    });

    it('OrchWebhookSkipped fires while a webhook with failurePolicy Ignore cannot be called', async () => {
      await using webhook = await WebhookServer.start(admitting());
      await configure(webhook, 'endpoints', { failurePolicy: 'Ignore' });
      await followPage(cluster, 'OrchWebhookSkipped', {
        cause: () => webhook.stop(),
        load: create('endpoints'),
        fix: () => webhook.start(),
      });
    });

    it('OrchWebhookSlow fires while a webhook takes longer than a second', async () => {
      await using webhook = await WebhookServer.start(admitting());
      await configure(webhook, 'secrets', { name: 'slow.example.com' });
      await followPage(cluster, 'OrchWebhookSlow', {
        cause: async () => {
          webhook.answer = (review, response) =>
            void setTimeout(() => sendJson(response, admissionAnswer(review)), SLOW_MS);
        },
        load: create('secrets'),
        meanwhile: ({ labels }) => assert.equal(labels['name'], 'slow.example.com'),
        fix: async () => {
          webhook.answer = admitting();
        },
      });
    });

    it('OrchAPIServiceUnavailable fires for an API service without a service', () =>
      followPage(cluster, 'OrchAPIServiceUnavailable', {
        variables: { NAME: 'v1.gone.example.com' },
        meanwhile: ({ labels }) => assert.equal(labels['name'], 'v1.gone.example.com'),
      }));

    it('OrchClientCertificateExpires fires while a certificate is used that expires within a week', async () => {
      let config: ClientConfig | undefined;
      await followPage(cluster, 'OrchClientCertificateExpires', {
        variables: { FOLDER: folder.path, FILE: join(folder.path, 'short.crt') },
        cause: async () => {
          const [cert, key] = ['crt', 'key'].map((name) => readFileSync(join(folder.path, `short.${name}`)));
          config = { ...cluster.server.config, cert, key };
        },
        // The certificate of a connection is observed once.
        load: async () => {
          if (config === undefined) return;
          using client = new ApiClient(config);
          await client.get('/version');
        },
        fix: async () => {
          config = undefined;
        },
      });
    });

    it('OrchRequestsRejected fires while a user sends more requests than the level permits', async () => {
      using client = new ApiClient(cluster.server.config);
      const headers = { 'impersonate-user': 'hasty' };
      await followPage(cluster, 'OrchRequestsRejected', {
        variables: { LEVEL: 'hasty' },
        load: () =>
          Promise.all(Array.from({ length: 12 }, () => client.send('GET', '/api/v1/pods', { headers }))),
        meanwhile: ({ labels }) => assert.equal(labels['priority_level'], 'hasty'),
      });
    });

    it('OrchFileDescriptorsExhausted fires while idle connections take most of the file descriptors', async () => {
      const { port } = cluster.server;
      const sockets: Socket[] = [];
      await followPage(cluster, 'OrchFileDescriptorsExhausted', {
        cause: async () => {
          for (let i = 0; i < 0.8 * FILE_DESCRIPTORS; i++) sockets.push(connect(port, '127.0.0.1'));
        },
        fix: async () => {
          for (const socket of sockets) socket.destroy();
        },
      });
    });
  });

  it('OrchEventLoopBlocked fires while the server has too little CPU', () =>
    followPage(cluster, 'OrchEventLoopBlocked', { isRepeated: true }));

  it('the alerts end after the remedies', () => alertsEnd(cluster, 9));
});
