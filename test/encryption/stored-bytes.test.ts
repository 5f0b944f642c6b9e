import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Naming, namings } from '@orch/machinery';
import { startEtcd, tempDir } from '@orch/storage/testing';
import { type ApiClient, type LaunchOptions, launchServer } from '@orch/testkit';
import { jsonOf } from '../custom-resources/migrations.ts';
import { DEFINITIONS, definition, WIDGETS, widget } from '../custom-resources/widgets.ts';
import {
  type DataSource,
  flagsOf,
  formOf,
  formsOf,
  type Provider,
  secretObject,
  secretPath,
  storedValues,
  writeConfiguration,
} from './configurations.ts';

const PLAIN = 'plaintext-of-the-secret';
const ENCODED = Buffer.from(PLAIN).toString('base64');

interface SecretObject {
  readonly data: Readonly<Record<string, string>>;
}

const textOf = async (client: ApiClient, name: string): Promise<string> =>
  Buffer.from(
    jsonOf<SecretObject>(await client.get(secretPath(name))).data['text'] ?? '',
    'base64',
  ).toString();

/** Reports whether any file below a folder contains the text. */
const contains = (folder: string, text: string): boolean =>
  globSync('**/*', { cwd: folder })
    .map((file) => join(folder, file))
    .some((file) => statSync(file).isFile() && readFileSync(file).includes(text));

const backends: readonly (readonly [string, (folder: string) => Promise<DataSource & AsyncDisposable>])[] = [
  [
    'the embedded store',
    async (folder) => ({ dataDir: join(folder, 'data'), [Symbol.asyncDispose]: async () => {} }),
  ],
  [
    'etcd',
    async () => {
      const cluster = await startEtcd();
      return { etcd: cluster.endpoints, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
    },
  ],
];
const ciphers: readonly Provider[] = [
  ['aescbc', 'a'],
  ['aesgcm', 'a'],
  ['secretbox', 'a'],
];
const marker: Readonly<Record<Naming, string>> = { orch: 'orch:enc:', kubernetes: 'k8s:enc:' };

describe('encrypted objects', { timeout: 180_000 }, () => {
  for (const [store, openBackend] of backends) {
    for (const provider of ciphers) {
      const [type] = provider;
      it(`secrets that ${type} encrypts are served as they were sent, and ${store} has none of their text`, async () => {
        await using work = await tempDir('orch-encryption-');
        await using source = await openBackend(work.path);
        const file = join(work.path, 'encryption.json');
        writeConfiguration(file, ['secrets'], [provider]);
        const options: LaunchOptions = { ...source, certDir: join(work.path, 'certs'), args: flagsOf(file) };
        {
          await using server = await launchServer(options);
          jsonOf(await server.client.post(secretPath(), secretObject('one', PLAIN)), 201);
          jsonOf(
            await server.client.post('/api/v1/namespaces/default/configmaps', {
              metadata: { name: 'one' },
              data: { text: 'text of the map' },
            }),
            201,
          );
          assert.equal(await textOf(server.client, 'one'), PLAIN);
          await server.stop();
        }
        const values = await storedValues(source);
        assert.equal(formOf(values.get('/registry/secrets/default/one')), `${marker.orch}${type}:v1:a:`);
        assert.match(String(values.get('/registry/configmaps/default/one')), /text of the map/);
        for (const [key, value] of values)
          for (const text of [PLAIN, ENCODED]) assert.equal(value.includes(text), false, key);
        if ('dataDir' in source) {
          assert.equal(contains(work.path, 'text of the map'), true);
          assert.equal(contains(work.path, ENCODED), false);
        }
        await using again = await launchServer(options);
        assert.equal(await textOf(again.client, 'one'), PLAIN);
      });
    }
  }

  it('a wildcard encrypts objects of all groups, custom resources included, and a definition that is created later', async () => {
    await using work = await tempDir('orch-encryption-');
    const dataDir = join(work.path, 'data');
    const file = join(work.path, 'encryption.json');
    writeConfiguration(file, ['*.*'], [['aesgcm', 'a']]);
    const options: LaunchOptions = { dataDir, certDir: join(work.path, 'certs'), args: flagsOf(file) };
    {
      await using server = await launchServer(options);
      jsonOf(await server.client.post(DEFINITIONS, definition()), 201);
      for (let status = 404; status !== 201; )
        ({ status } = await server.client.post(WIDGETS, widget('one')));
      await server.stop();
    }
    const values = await storedValues({ dataDir }, '/registry/');
    const plain = [...values].filter(([, value]) => formOf(value) === 'plain').map(([key]) => key);
    assert.deepEqual(
      plain.filter((key) => !key.startsWith('/registry/~internal/')),
      [],
    );
    assert.ok(values.has('/registry/widgets.stable.example.com/default/one'), [...values.keys()].join('\n'));
    await using again = await launchServer(options);
    jsonOf(await again.client.get(`${WIDGETS}/one`));
  });

  for (const naming of namings) {
    it(`with --naming=${naming}, stored values begin with ${marker[naming]}`, async () => {
      await using work = await tempDir('orch-encryption-');
      const dataDir = join(work.path, 'data');
      const file = join(work.path, 'encryption.json');
      writeConfiguration(file, ['secrets'], [['secretbox', 'a']], naming);
      {
        await using server = await launchServer({ naming, dataDir, args: flagsOf(file) });
        jsonOf(await server.client.post(secretPath(), secretObject('one', PLAIN)), 201);
        await server.stop();
      }
      assert.deepEqual(await formsOf({ dataDir }, '/registry/secrets/default/'), {
        one: `${marker[naming]}secretbox:v1:a:`,
      });
    });
  }
});
