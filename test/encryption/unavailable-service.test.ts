import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ConfiguredEncryption, EncryptedStore } from '@orch/encryption';
import { FakeKeyService } from '@orch/encryption/testing';
import { namesFor } from '@orch/machinery';
import { systemClock } from '@orch/machinery/env';
import { testEnv } from '@orch/machinery/testing';
import { RegistryFixture } from '@orch/registry/testing';
import { ModelStore } from '@orch/storage';
import { tempDir } from '@orch/storage/testing';

const names = namesFor('orch');
const secrets = '/api/v1/namespaces/default/secrets';
const never = new AbortController().signal;

/** The API over a store whose secrets a key service encrypts; no key is in memory yet. */
async function openApi(store: ModelStore, socketPath: string): Promise<RegistryFixture & AsyncDisposable> {
  const kms = { apiVersion: 'v1', name: 'vault', endpoint: `unix://${socketPath}`, timeout: '1s' };
  const configuration = {
    apiVersion: names.apiVersion('apiserverconfig', 'v1'),
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [{ kms }] }],
  };
  const encryption = new ConfiguredEncryption(JSON.stringify(configuration), {
    names,
    storePrefix: '/registry/',
    env: { ...testEnv(), clock: systemClock },
    file: 'kms.json',
  });
  const api = await RegistryFixture.open({
    store,
    wrap: (inner) => new EncryptedStore(inner, encryption),
  });
  const dispose = api[Symbol.asyncDispose].bind(api);
  return Object.assign(api, {
    async [Symbol.asyncDispose]() {
      await dispose();
      encryption.close();
    },
  });
}

describe('objects whose key service does not answer', () => {
  it('objects whose key service does not answer are answered with 503 and Retry-After, and with 500 where an object is damaged', async () => {
    await using dir = await tempDir('orch-kms-');
    await using service = await FakeKeyService.start(join(dir.path, 'kms.sock'));
    const store = new ModelStore({ clock: testEnv().clock });
    {
      await using api = await openApi(store, service.socketPath);
      const made = await api.post(secrets, { metadata: { name: 's' }, stringData: { text: 'x' } });
      assert.equal(made.status, 201, made.text);
    }
    await service.kill();
    await using api = await openApi(store, service.socketPath);
    for (const path of [`${secrets}/s`, secrets, '/api/v1/secrets']) {
      const { status, json, headers, text } = await api.get(path);
      assert.deepEqual([path, status, json.reason], [path, 503, 'ServiceUnavailable'], text);
      assert.match(json.message, /default\/s .*the KMS provider "vault" is not responding/);
      assert.equal(headers['Retry-After'], '1');
    }
    const value = Buffer.from(`${names.storedPrefixes.encrypted}aesgcm:v1:lost:text`);
    const damaged = { op: 'create', key: '/registry/secrets/default/damaged', value } as const;
    assert.ok((await store.commit(damaged, never)).ok);
    await api.settled();
    for (const [path, expected] of [
      [`${secrets}/s`, 503],
      [`${secrets}/damaged`, 500],
      [secrets, 500],
    ] as const) {
      const { status, headers } = await api.get(path);
      assert.deepEqual([path, status], [path, expected]);
      assert.equal(headers['Retry-After'], expected === 503 ? '1' : undefined);
    }
  });
});
