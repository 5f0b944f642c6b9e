import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { admitting, WebhookServer, webhookEntry } from '@orch/server/testing';
import { launchServer } from '@orch/testkit';
import { configMaps, jsonOf, WebhookCluster, type WebhookPhase } from './webhook-cluster.ts';

const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

/** Starts a webhook that requires client certificates of an authority. */
async function startMutualTls(clientAuthority: string): Promise<WebhookServer> {
  const webhook = await WebhookServer.start(admitting());
  await webhook.stop();
  webhook.clientAuthority = clientAuthority;
  await webhook.start();
  return webhook;
}

describe('webhooks that require client certificates', { timeout: 60_000 }, () => {
  const authority = testCertificate({ commonName: 'client-authority', use: 'authority' });
  const embedded = testCertificate({ commonName: 'embedded', use: 'client' }, authority);
  const inFiles = testCertificate({ commonName: 'in-files', use: 'client' }, authority);
  const work = mkdtempSync(join(tmpdir(), 'webhook-clients-'));
  let webhook: WebhookServer;
  let other: WebhookServer;
  let cluster: WebhookCluster;

  /** A client configuration file with these fields of the user for the address of the webhook, and no other user. */
  function clientsFile(name: string, user: object): string {
    const users = [{ name: `127.0.0.1:${webhook.port}`, user }];
    writeFileSync(join(work, name), JSON.stringify({ apiVersion: 'v1', kind: 'Config', users }));
    return name;
  }

  function configurationFile(): string {
    const apiVersion = namesFor('orch').apiVersion('apiserverconfig', 'v1');
    const plugin = (name: string, kubeConfigFile: string): object => ({
      name,
      configuration: { apiVersion, kind: 'WebhookAdmissionConfiguration', kubeConfigFile },
    });
    writeFileSync(join(work, 'client.crt'), inFiles.cert);
    writeFileSync(join(work, 'client.key'), inFiles.key);
    const data = {
      'client-certificate-data': base64(embedded.cert),
      'client-key-data': base64(embedded.key),
    };
    const files = { 'client-certificate': 'client.crt', 'client-key': 'client.key' };
    const plugins = [
      plugin('ValidatingAdmissionWebhook', clientsFile('validating.yaml', data)),
      plugin('MutatingAdmissionWebhook', clientsFile('mutating.yaml', files)),
    ];
    const path = join(work, 'admission.yaml');
    writeFileSync(path, JSON.stringify({ apiVersion, kind: 'AdmissionConfiguration', plugins }));
    return path;
  }

  before(async () => {
    webhook = await startMutualTls(authority.cert);
    other = await startMutualTls(authority.cert);
    cluster = await WebhookCluster.start({
      args: [`--admission-control-config-file=${configurationFile()}`],
    });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await webhook.stop();
    await other.stop();
    rmSync(work, { recursive: true, force: true });
  });

  const write = (name: string) =>
    cluster.client.post(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

  for (const [phase, client] of [
    ['validating', 'embedded'],
    ['mutating', 'in-files'],
  ] as const satisfies readonly (readonly [WebhookPhase, string])[]) {
    it(`a ${phase} webhook receives the client certificate of its address`, async () => {
      webhook.clientNames.splice(0);
      await using _configuration = await cluster.configure(phase, phase, [webhookEntry(webhook, {})]);
      jsonOf(await write(phase), 201);
      assert.deepEqual([...new Set(webhook.clientNames)], [client]);
    });

    it(`a ${phase} webhook at another address receives no client certificate, and its failure policy decides`, async () => {
      const entry = (failurePolicy: string): object => webhookEntry(other, { failurePolicy });
      {
        await using _fails = await cluster.configure(phase, phase, [entry('Fail')]);
        assert.match(jsonOf(await write(`other-${phase}`), 500).message, /failed calling webhook/);
      }
      await using _ignored = await cluster.configure(phase, phase, [entry('Ignore')]);
      jsonOf(await write(`ignored-${phase}`), 201);
      assert.deepEqual([other.reviews, other.clientNames], [[], []]);
    });
  }

  it('a renewed client certificate is used within seconds, without a restart; until its key is there the old one is', async () => {
    const renewed = testCertificate({ commonName: 'renewed', use: 'client' }, authority);
    const flag = 'flag="admission-control-config-file"';
    const reloadsOf = async (status: string): Promise<number> => {
      const { text } = await cluster.client.get('/metrics');
      const line = new RegExp(`^apiserver_file_reloads_total\\{${flag},status="${status}"\\} (\\d+)$`, 'm');
      return Number(line.exec(text)?.[1] ?? 0);
    };
    const used = async (name: string): Promise<readonly string[]> => {
      webhook.clientNames.splice(0);
      jsonOf(await write(name), 201);
      return [...new Set(webhook.clientNames)];
    };
    await using _configuration = await cluster.configure('mutating', 'renewal', [webhookEntry(webhook, {})]);
    assert.deepEqual(await used('renewal-1'), ['in-files']);
    writeFileSync(join(work, 'client.crt'), renewed.cert);
    await eventually(
      () => reloadsOf('failure'),
      (count) => count > 0,
    );
    assert.deepEqual(await used('renewal-2'), ['in-files']);
    writeFileSync(join(work, 'client.key'), renewed.key);
    await eventually(
      () => reloadsOf('success'),
      (count) => count > 0,
    );
    assert.deepEqual(await used('renewal-3'), ['renewed']);
  });

  it('a server does not start when the client certificate of a webhook cannot be read', async () => {
    rmSync(join(work, 'client.crt'));
    const file = join(work, 'admission.yaml');
    await assert.rejects(launchServer({ args: [`--admission-control-config-file=${file}`] }), /client\.crt/);
  });
});
