import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FakeKeyService } from '@orch/encryption/testing';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { tempDir } from '@orch/storage/testing';
import { type ApiResponse, launchServer } from '@orch/testkit';
import { jsonOf } from '../custom-resources/migrations.ts';
import { flagsOf, formsOf, secretObject, secretPath } from './configurations.ts';

function writeKms(file: string, version: 'v1' | 'v2', socketPath: string): void {
  const kms = { apiVersion: version, name: 'vault', endpoint: `unix://${socketPath}`, timeout: '1s' };
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: namesFor('orch').apiVersion('apiserverconfig', 'v1'),
      kind: 'EncryptionConfiguration',
      resources: [{ resources: ['secrets'], providers: [{ kms }] }],
    }),
  );
}

const messageOf = ({ json }: ApiResponse): string => (json as { message: string }).message;

describe('a server whose secrets a key service encrypts', { timeout: 120_000 }, () => {
  for (const version of ['v1', 'v2'] as const) {
    it(`with version ${version}, secrets are read after a restart, which waits for the service`, async () => {
      await using work = await tempDir('orch-kms-');
      const [file, socket, dataDir] = ['kms.json', 'kms.sock', 'data'].map((name) => join(work.path, name));
      assert.ok(file !== undefined && socket !== undefined && dataDir !== undefined);
      writeKms(file, version, socket);
      await using service = await FakeKeyService.start(socket);
      const launch = () => launchServer({ dataDir, certDir: join(work.path, 'certs'), args: flagsOf(file) });
      let made: unknown;
      {
        await using server = await launch();
        made = jsonOf(await server.client.post(secretPath(), secretObject('s', 'text')), 201);
        await server.process.stop('SIGTERM');
      }
      assert.deepEqual(await formsOf({ dataDir }, '/registry/secrets/default/'), {
        s: `orch:enc:kms:${version}:vault:`,
      });
      await service.kill();
      const launching = launch();
      await service.restart();
      await using server = await launching;
      await eventually(
        () => server.client.get(secretPath('s')),
        ({ status, json }) => status === 200 && JSON.stringify(json) === JSON.stringify(made),
      );
      await eventually(
        async () => (await server.client.get('/readyz/kms-providers')).status,
        (status) => status === 200,
      );
    });
  }

  it('while the service is dead, writes of secrets fail with its name, everything else is served, and it recovers without a restart', async () => {
    await using work = await tempDir('orch-kms-');
    const [file, socket] = [join(work.path, 'kms.json'), join(work.path, 'kms.sock')];
    writeKms(file, 'v1', socket);
    await using service = await FakeKeyService.start(socket);
    await using server = await launchServer({ args: [`--encryption-provider-config=${file}`] });
    const { client, process } = server;
    const made = jsonOf(await client.post(secretPath(), secretObject('s', 'text')), 201);
    const check = async (): Promise<number> => (await client.get('/readyz/kms-provider-0')).status;
    await eventually(check, (status) => status === 200);

    await service.kill();
    const refused = await client.post(secretPath(), secretObject('other', 'text'));
    assert.equal(refused.status, 503, refused.text);
    assert.match(messageOf(refused), /the KMS provider "vault" does not answer/);
    await eventually(check, (status) => status === 500);
    assert.equal((await client.get('/livez')).status, 200);
    assert.deepEqual(jsonOf(await client.get(secretPath('s'))), made);
    const map = { metadata: { name: 'one' } };
    jsonOf(await client.post('/api/v1/namespaces/default/configmaps', map), 201);

    await service.restart();
    await eventually(check, (status) => status === 200);
    jsonOf(await client.post(secretPath(), secretObject('other', 'text')), 201);
    assert.equal((await client.get('/readyz')).status, 200);
    assert.doesNotMatch(process.output(), /unhandled/i);
  });
});
