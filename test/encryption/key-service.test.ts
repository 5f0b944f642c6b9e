import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FakeKeyService } from '@orch/encryption/testing';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { tempDir } from '@orch/storage/testing';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import {
  isTrue,
  jsonOf,
  serveMigrations,
  startMigration,
  watchMigration,
} from '../custom-resources/migrations.ts';
import { flagsOf, formsOf, secretObject, secretPath, storedValues } from './configurations.ts';

const names = namesFor('orch');

interface Secret {
  readonly data: unknown;
}

function writeKms(file: string, version: 'v1' | 'v2', socketPath: string): void {
  const kms = { apiVersion: version, name: 'vault', endpoint: `unix://${socketPath}`, timeout: '5s' };
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
        await server.stop();
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

  it('with version 2, secrets are written and read while the service is dead, and after a rotation and a migration its earlier key is not needed', async () => {
    await using work = await tempDir('orch-kms-');
    const [file, socket, dataDir] = [
      join(work.path, 'kms.json'),
      join(work.path, 'kms.sock'),
      join(work.path, 'data'),
    ];
    writeKms(file, 'v2', socket);
    await using service = await FakeKeyService.start(socket);
    const launch = () =>
      launchServer({
        program: 'orch',
        dataDir,
        certDir: join(work.path, 'certs'),
        args: [serveMigrations(names), ...flagsOf(file)],
      });
    const secrets = ['one', 'two', 'three'];
    const textsOf = async ({ client }: LaunchedServer): Promise<readonly unknown[]> =>
      Promise.all(secrets.map(async (name) => jsonOf<Secret>(await client.get(secretPath(name))).data));
    const keysOf = async (): Promise<readonly string[]> => {
      const prefix = '/registry/secrets/default/';
      const stored = await storedValues({ dataDir }, prefix);
      const keys = secrets.map(
        (name) => /key-\d/.exec(stored.get(prefix + name)?.toString('latin1') ?? '')?.[0],
      );
      return keys.map((key) => key ?? 'none');
    };
    let before: readonly unknown[];
    {
      await using server = await launch();
      const create = async (name: string) =>
        jsonOf(await server.client.post(secretPath(), secretObject(name, `text of ${name}`)), 201);
      await create('one');
      await create('two');
      await service.kill();
      await create('three');
      before = await textsOf(server);
      await server.stop();
    }
    assert.deepEqual(await keysOf(), ['key-1', 'key-1', 'key-1']);
    service.keyId = 'key-2';
    await service.restart();
    {
      await using server = await launch();
      await eventually(
        async () => (await server.client.get(secretPath())).status,
        (status) => status === 200,
      );
      assert.deepEqual(await textsOf(server), before);
      const begun = await startMigration(server.client, names, {
        name: 'all',
        group: '',
        resource: 'secrets',
      });
      const states = await watchMigration(server.client, names, begun, (one) => isTrue(one, 'Succeeded'));
      assert.ok(states.length > 0);
      await server.stop();
    }
    assert.deepEqual(await keysOf(), ['key-2', 'key-2', 'key-2']);
    service.lost.add('key-1');
    await using server = await launch();
    await eventually(
      async () => (await server.client.get(secretPath())).status,
      (status) => status === 200,
    );
    assert.deepEqual(await textsOf(server), before);
  });

  it('while the service is dead, writes of secrets fail with its name, everything else is served, and it recovers without a restart', async () => {
    await using work = await tempDir('orch-kms-');
    const [file, socket] = [join(work.path, 'kms.json'), join(work.path, 'kms.sock')];
    writeKms(file, 'v1', socket);
    await using service = await FakeKeyService.start(socket);
    await using server = await launchServer({ args: [`--encryption-provider-config=${file}`] });
    const { client } = server;
    const made = jsonOf(await client.post(secretPath(), secretObject('s', 'text')), 201);
    const check = async (): Promise<number> => (await client.get('/readyz/kms-provider-0')).status;
    await eventually(check, (status) => status === 200);

    await service.kill();
    const refused = await client.post(secretPath(), secretObject('other', 'text'));
    assert.equal(refused.status, 503, refused.text);
    assert.match(messageOf(refused), /the KMS provider "vault" is not responding/);
    await eventually(check, (status) => status === 500);
    assert.equal((await client.get('/livez')).status, 200);
    assert.deepEqual(jsonOf(await client.get(secretPath('s'))), made);
    const map = { metadata: { name: 'one' } };
    jsonOf(await client.post('/api/v1/namespaces/default/configmaps', map), 201);

    await service.restart();
    await eventually(check, (status) => status === 200);
    jsonOf(await client.post(secretPath(), secretObject('other', 'text')), 201);
    assert.equal((await client.get('/readyz')).status, 200);
    assert.doesNotMatch(server.output(), /unhandled/i);
  });
});
