import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { migrateStore } from '@orch/backup';
import { systemClock, systemRandom } from '@orch/machinery/env';
import { eventually, testEnv } from '@orch/machinery/testing';
import type { Store } from '@orch/storage';
import { createTestAuthority, startEtcd, tempDir } from '@orch/storage/testing';
import { Reloads } from '../reload/reloads.ts';
import type { Settings } from '../settings/settings.ts';
import { settingsOfArguments } from '../testing/run-in-process.ts';
import {
  type OpenStoreContext,
  openBackendOf,
  openServerStore,
  openStore,
  type Reloading,
} from './open-store.ts';

/** A server is started with the flags of an embedded store, whose content an earlier server has moved to etcd. */
async function openMoved(
  settings: Settings,
  context: OpenStoreContext & { readonly reloading: Reloading },
  dataDir: string,
): Promise<Store> {
  const { reloads } = context.reloading;
  const earlier = settingsOfArguments('--storage-backend=embedded', `--data-dir=${dataDir}`);
  const target = () => settings;
  const source = await openServerStore(earlier, { ...context, target, naming: earlier.names.naming });
  const backend = await openBackendOf(settings, context);
  assert.equal(reloads.checks.length, 1);
  const { env, signal } = context;
  await migrateStore({ source, target: backend, prefix: settings.storePrefix, env }, signal);
  await source.close();
  assert.equal(reloads.checks.length, 0);
  return openServerStore(earlier, { ...context, target, naming: earlier.names.naming });
}

describe('the credentials for etcd', { timeout: 60_000 }, () => {
  for (const [title, open] of [
    [
      'the store that flags name',
      async (settings: Settings, context: OpenStoreContext) => openStore(settings, context),
    ],
    ['the store to which the content was moved', openMoved],
  ] as const)
    it(`the credentials for etcd of ${title} are read again when their files change, and used for new connections, until it is closed`, async () => {
      await using work = await tempDir('orch-etcd-files-');
      await using etcd = await startEtcd({ tls: true });
      const { tls } = etcd;
      assert.ok(tls !== undefined);
      const pathOf = (name: string): string => join(work.path, name);
      const write = (content: typeof tls): void => {
        for (const [name, text] of Object.entries(content)) writeFileSync(pathOf(name), text);
      };
      write(tls);
      const settings = settingsOfArguments(
        `--etcd-servers=${etcd.endpoints.join(',')}`,
        ...['ca', 'cert', 'key'].map((name) => `--etcd-${name}file=${pathOf(name)}`),
      );
      const env = { ...testEnv(), clock: systemClock, random: systemRandom };
      const reloads = new Reloads();
      const stop = new AbortController();
      const { signal } = stop;
      const running = reloads.run(signal);
      const context = { env, workerUrl: undefined, reloading: { reloads, metrics: env.metrics }, signal };
      const store = await open(settings, context, pathOf('embedded'));
      const reloaded = async (count: number): Promise<void> => {
        const line = `apiserver_file_reloads_total{flag="etcd-certfile",status="success"} ${count}\n`;
        await eventually(
          async () => env.metrics.text(),
          (text) => text.includes(line),
        );
      };
      const isReachable = async (): Promise<boolean> => {
        try {
          await store.get('/registry/a', AbortSignal.timeout(1_000));
          return true;
        } catch {
          return false;
        }
      };
      assert.equal(await isReachable(), true);

      write({ ...tls, ...createTestAuthority().issue('stranger') });
      await reloaded(1);
      assert.equal(await isReachable(), true, 'the open connection remains');
      for (const member of etcd.members) await member.restart();
      assert.equal(await isReachable(), false, 'a certificate of another authority');

      write(tls);
      await reloaded(2);
      await eventually(isReachable, (is) => is);
      assert.equal(reloads.checks.length, 1);
      await store.close();
      assert.equal(reloads.checks.length, 0, 'the files of a closed store are not read any more');
      stop.abort();
      await running;
    });

  it('the credentials for etcd that do not fit are an error of the start', async () => {
    await using work = await tempDir('orch-etcd-files-');
    const authority = createTestAuthority();
    const [cert, key] = [join(work.path, 'cert'), join(work.path, 'key')];
    const settings = settingsOfArguments(
      '--etcd-servers=https://127.0.0.1:1',
      `--etcd-certfile=${cert}`,
      `--etcd-keyfile=${key}`,
    );
    const { signal } = new AbortController();
    for (const [content, message] of [
      [authority.issue('b').key, /^--etcd-keyfile is not the key of --etcd-certfile /],
      ['', /^--etcd-keyfile .*: the file is empty$/],
    ] as const) {
      writeFileSync(cert, authority.issue('a').cert);
      writeFileSync(key, content);
      await assert.rejects(openStore(settings, { env: testEnv(), workerUrl: undefined, signal }), {
        name: 'StartError',
        message,
      });
    }
  });
});
