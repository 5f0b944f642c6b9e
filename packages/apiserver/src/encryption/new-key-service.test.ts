import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FakeKeyService } from '@orch/encryption/testing';
import { namesFor } from '@orch/machinery';
import { eventually, testEnv } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import { ModelStore } from '@orch/storage';
import { tempDir } from '@orch/storage/testing';
import { settingsOfArguments } from '../testing/run-in-process.ts';
import { openEncryption } from './server-encryption.ts';

const names = namesFor('orch');

function configurationOf(provider: object): string {
  const apiVersion = names.apiVersion('apiserverconfig', 'v1');
  const resources = [{ resources: ['secrets'], providers: [provider, { identity: {} }] }];
  return encodeYaml({ apiVersion, kind: 'EncryptionConfiguration', resources });
}

const key = '/registry/secrets/a/b';

describe('a changed encryption configuration', { timeout: 60_000 }, () => {
  it('a configuration with a key service that does not work is used when the service works, and the previous one until then', async () => {
    await using work = await tempDir('orch-kms-reload-');
    const [file, socket] = [join(work.path, 'encryption.yaml'), join(work.path, 'kms.sock')];
    const secret = Buffer.alloc(32, 1).toString('base64');
    writeFileSync(file, configurationOf({ secretbox: { keys: [{ name: 'k', secret }] } }));
    const env = testEnv();
    const settings = settingsOfArguments(
      `--encryption-provider-config=${file}`,
      '--encryption-provider-config-automatic-reload',
    );
    const encryption = await openEncryption(settings, env);
    assert.ok(encryption !== undefined);
    const inner = new ModelStore({ clock: env.clock });
    const store = encryption.encrypted(inner);
    const stop = new AbortController();
    const running = encryption.run(stop.signal);

    /** The provider of the next write. */
    const provider = async (): Promise<string | undefined> => {
      const { kv } = await inner.get(key, stop.signal);
      const value = Buffer.from('text');
      await store.commit(
        kv === undefined
          ? { op: 'create', key, value }
          : { op: 'update', key, value, expected: kv.modRevision },
        stop.signal,
      );
      const stored = (await inner.get(key, stop.signal)).kv?.value?.toString('latin1') ?? '';
      return stored.slice(names.storedPrefixes.encrypted.length).split(':')[0];
    };
    const reloads = (status: string): number => {
      const line = `apiserver_encryption_config_controller_automatic_reloads_total{status="${status}"} (\\d+)`;
      return Number(new RegExp(line).exec(env.metrics.text())?.[1] ?? 0);
    };
    const reloaded = (status: string): Promise<number> =>
      eventually(
        async () => {
          await env.clock.advanceAsync(1_000);
          return reloads(status);
        },
        (count) => count > 0,
      );

    const kms = { apiVersion: 'v2', name: 'vault', endpoint: `unix://${socket}`, timeout: '3s' };
    writeFileSync(file, configurationOf({ kms }));
    await reloaded('failure');
    assert.equal(await provider(), 'secretbox');
    assert.match(String(env.entries.find(({ level }) => level === 'error')?.['error']), /"vault"/);

    await using _service = await FakeKeyService.start(socket);
    await reloaded('success');
    assert.equal(await provider(), 'kms');
    stop.abort();
    await running;
    encryption.close();
  });
});
