import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { startEtcd, tempDir } from '@orch/storage/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import {
  conditionOf,
  isFinished,
  isTrue,
  jsonOf,
  serveMigrations,
  startMigration,
  watchMigration,
} from '../custom-resources/migrations.ts';
import {
  flagsOf,
  formsOf,
  metricOf,
  type Provider,
  secretObject,
  secretOf,
  secretPath,
  writeConfiguration,
} from './configurations.ts';

const names = namesFor('orch');
const secretKeys = '/registry/secrets/default/';
const reloads = (status: string): string =>
  `apiserver_encryption_config_controller_automatic_reloads_total{status="${status}"}`;

interface Stored {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
}

const all = async (server: LaunchedServer): Promise<readonly Stored[]> =>
  jsonOf<{ items: readonly Stored[] }>(await server.client.get(secretPath())).items;

const withoutVersion = ({ metadata, ...rest }: Stored): object => ({
  ...rest,
  metadata: { ...metadata, resourceVersion: '' },
});

/** A patch that changes nothing. */
const touch = (server: LaunchedServer, name: string) =>
  server.client.send('PATCH', secretPath(name), { body: {}, contentType: 'application/merge-patch+json' });

async function migrateSecrets(server: LaunchedServer, name: string): Promise<string> {
  const created = await startMigration(server.client, names, { name, group: '', resource: 'secrets' });
  const last = (await watchMigration(server.client, names, created, isFinished)).at(-1);
  assert.ok(last !== undefined && isTrue(last, 'Succeeded'), JSON.stringify(last?.status));
  return conditionOf(last, 'Succeeded')?.message ?? '';
}

describe('rotation of encryption keys', { timeout: 180_000 }, () => {
  it('two replicas change to another key without a restart, and a write that changes nothing encrypts the object again', async () => {
    await using work = await tempDir('orch-rotation-');
    await using etcd = await startEtcd();
    const source = { etcd: etcd.endpoints };
    const file = join(work.path, 'encryption.json');
    writeConfiguration(file, ['secrets'], [['aesgcm', 'old']]);
    const launch = () => launchServer({ ...source, certDir: join(work.path, 'certs'), args: flagsOf(file) });
    await using one = await launch();
    await using two = await launch();
    const replicas = [one, two];
    let loaded = 0;
    const configure = async (...providers: readonly Provider[]): Promise<void> => {
      writeConfiguration(file, ['secrets'], providers);
      loaded += 1;
      for (const { client } of replicas)
        await eventually(
          () => metricOf(client, reloads('success')),
          (count) => count === loaded,
        );
    };
    const made = jsonOf<Stored>(await one.client.post(secretPath(), secretObject('s', 'text')), 201);
    assert.deepEqual(await formsOf(source, secretKeys), { s: 'orch:enc:aesgcm:v1:old:' });

    // All replicas can read the new key before one of them uses it.
    await configure(['aesgcm', 'old', 'new']);
    await configure(['aesgcm', 'new', 'old']);
    assert.deepEqual(jsonOf(await two.client.get(secretPath('s'))), made);
    const stop = new AbortController();
    const watch = two.client.watch(
      `${secretPath()}?watch=1&resourceVersion=${made.metadata.resourceVersion}`,
      stop.signal,
    );
    const first = watch[Symbol.asyncIterator]().next();
    const touched = jsonOf<Stored>(await touch(one, 's'));
    assert.deepEqual(withoutVersion(touched), withoutVersion(made));
    assert.notEqual(touched.metadata.resourceVersion, made.metadata.resourceVersion);
    assert.deepEqual((await first).value, { type: 'MODIFIED', object: touched });
    stop.abort();
    assert.deepEqual(await formsOf(source, secretKeys), { s: 'orch:enc:aesgcm:v1:new:' });

    // Now it is current: nothing is written.
    assert.deepEqual(jsonOf(await touch(two, 's')), touched);
    await configure(['aesgcm', 'new']);
    for (const { client } of replicas) assert.deepEqual(jsonOf(await client.get(secretPath('s'))), touched);
    assert.deepEqual(jsonOf(await touch(two, 's')), touched);
  });

  it('a migration encrypts all objects that were stored before, after which identity is not needed, and decrypts them again', async () => {
    await using work = await tempDir('orch-rotation-');
    const dataDir = join(work.path, 'data');
    const file = join(work.path, 'encryption.json');
    const launch = (...args: readonly string[]) =>
      launchServer({
        program: 'orch',
        dataDir,
        certDir: join(work.path, 'certs'),
        args: [serveMigrations(names), '--authorization-mode=RBAC', ...args],
      });
    let before: readonly Stored[];
    {
      await using server = await launch();
      for (let i = 0; i < 10; i++)
        jsonOf(await server.client.post(secretPath(), secretObject(`s${i}`, 'text')), 201);
      before = await all(server);
      await server.stop();
    }
    assert.deepEqual(new Set(Object.values(await formsOf({ dataDir }, secretKeys))), new Set(['plain']));
    writeConfiguration(file, ['secrets'], [['secretbox', 'a'], ['identity']]);
    {
      await using server = await launch(...flagsOf(file));
      assert.match(await migrateSecrets(server, 'encrypt'), /[1-9]\d* of them stored again$/);
      assert.deepEqual((await all(server)).map(withoutVersion), before.map(withoutVersion));
      assert.match(await migrateSecrets(server, 'again'), / 0 of them stored again$/);
      await server.stop();
    }
    const forms = new Set(Object.values(await formsOf({ dataDir }, secretKeys)));
    assert.deepEqual(forms, new Set(['orch:enc:secretbox:v1:a:']));
    writeConfiguration(file, ['secrets'], [['secretbox', 'a']]);
    {
      await using server = await launch(...flagsOf(file));
      assert.deepEqual((await all(server)).map(withoutVersion), before.map(withoutVersion));
      writeConfiguration(file, ['secrets'], [['identity'], ['secretbox', 'a']]);
      await eventually(
        () => metricOf(server.client, reloads('success')),
        (count) => count === 1,
      );
      assert.match(await migrateSecrets(server, 'decrypt'), /[1-9]\d* of them stored again$/);
      await server.stop();
    }
    assert.deepEqual(new Set(Object.values(await formsOf({ dataDir }, secretKeys))), new Set(['plain']));
    await using server = await launch();
    assert.deepEqual((await all(server)).map(withoutVersion), before.map(withoutVersion));
  });
});

describe('an encryption configuration that changes', { timeout: 120_000 }, () => {
  it('an invalid file leaves the previous keys in use, with a log line, a metric and a failing notice, until it is valid', async () => {
    await using work = await tempDir('orch-reload-');
    const file = join(work.path, 'encryption.json');
    writeConfiguration(file, ['secrets'], [['aesgcm', 'a']]);
    await using server = await launchServer({ args: flagsOf(file) });
    const { client } = server;
    const notice = async (): Promise<number> =>
      (await client.get('/readyz/encryption-provider-config')).status;
    assert.equal(await notice(), 200);
    for (const [round, text] of ['{', `kind: x\nsecret: ${secretOf('b')}`].entries()) {
      writeFileSync(file, text);
      await eventually(
        () => metricOf(client, reloads('failure')),
        (count) => count === round + 1,
      );
      assert.equal(await notice(), 500);
      assert.equal((await client.get('/readyz')).status, 200);
      jsonOf(await client.post(secretPath(), secretObject(`s${round}`, 'text')), 201);
    }
    assert.match(server.output(), /the encryption configuration cannot be used; keeping the previous one/);
    writeConfiguration(file, ['secrets'], [['aesgcm', 'b', 'a']]);
    await eventually(notice, (status) => status === 200);
    assert.equal(await metricOf(client, reloads('success')), 1);
    assert.equal((await all(server)).length, 2);
    for (const name of ['a', 'b']) assert.equal(server.output().includes(secretOf(name).slice(0, 16)), false);
  });

  it('without the flag for it, a changed file has no effect', async () => {
    await using work = await tempDir('orch-reload-');
    const file = join(work.path, 'encryption.json');
    writeConfiguration(file, ['secrets'], [['aesgcm', 'a']]);
    const dataDir = join(work.path, 'data');
    {
      await using server = await launchServer({
        dataDir,
        args: [`--encryption-provider-config=${file}`],
      });
      writeConfiguration(file, ['secrets'], [['aesgcm', 'b']]);
      jsonOf(await server.client.post(secretPath(), secretObject('s', 'text')), 201);
      assert.equal(await metricOf(server.client, reloads('success')), undefined);
      await server.stop();
    }
    assert.deepEqual(await formsOf({ dataDir }, secretKeys), { s: 'orch:enc:aesgcm:v1:a:' });
  });
});
