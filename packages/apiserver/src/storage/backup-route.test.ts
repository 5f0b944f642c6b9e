import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { systemRandom } from '@orch/machinery/env';
import { testEnv } from '@orch/machinery/testing';
import type { Authorized, ChunksReply } from '@orch/request';
import { ModelStore } from '@orch/storage';
import { backupRoute } from './backup-route.ts';

describe('the route of backups', () => {
  it('the route of backups makes two backups at the same time in all threads, and refuses a third one with 429 and a time until one has ended', async () => {
    const { clock } = testEnv();
    const store = new ModelStore({ clock });
    const env = { clock, random: systemRandom };
    const memory = new SharedArrayBuffer(4);
    const options = {
      stores: [{ store, owns: () => true }],
      prefix: '/registry/',
      env,
      memory,
    };
    // Two threads of a process.
    const routes = [backupRoute(options), backupRoute(options)];
    const context = { request: { signal: new AbortController().signal } } as unknown as Authorized;
    const begin = async (thread = 0) => (await routes[thread]?.handle(context)) as ChunksReply;
    const [first] = [await begin(), await begin(1)];
    const refused = (error: unknown) =>
      error instanceof ApiError &&
      error.status.code === 429 &&
      (error.status.details?.retryAfterSeconds ?? 0) > 0;
    await assert.rejects(begin(), refused);
    await assert.rejects(begin(1), refused);
    first.onSent?.(0, false);
    await begin();
    await assert.rejects(begin(), refused);
  });

  it('the route of backups counts no backup that could not begin', async () => {
    const { clock } = testEnv();
    const store = new ModelStore({ clock });
    await store.close();
    const env = { clock, random: systemRandom };
    const memory = new SharedArrayBuffer(4);
    const route = backupRoute({
      stores: [{ store, owns: () => true }],
      prefix: '/registry/',
      env,
      memory,
    });
    const context = { request: { signal: new AbortController().signal } } as unknown as Authorized;
    for (let i = 0; i < 5; i++)
      await assert.rejects(async () => route.handle(context), { name: 'StoreError', code: 'closed' });
  });
});
