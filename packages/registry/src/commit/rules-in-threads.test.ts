import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QuotaStore } from '@orch/admission';
import type { Revision } from '@orch/storage';
import { createRegistry } from '../index.ts';
import { noConnections, RegistryFixture, servedParts } from '../testing/index.ts';

const { signal } = new AbortController();
const core = '/api/v1/namespaces/default';
const metadata = { name: 'a' };

/** A registry of a process with threads, and the waits for these since it was opened. */
async function opened() {
  const waits: { readonly key: string; readonly rev: Revision; readonly end: () => void }[] = [];
  let quotas: QuotaStore | undefined;
  let isOpen = false;
  const api = await RegistryFixture.assembled({}, (options) => {
    const threads = {
      reach: (key: string, rev: Revision) =>
        new Promise<void>((resolve) => (isOpen ? waits.push({ key, rev, end: resolve }) : resolve())),
    };
    const admission = (parts: { readonly quotas: QuotaStore }): undefined => {
      quotas = parts.quotas;
    };
    return servedParts(createRegistry({ ...options, threads, admission, connector: noConnections }));
  });
  assert.ok(quotas !== undefined);
  isOpen = true;
  return { api, waits, quotas };
}

describe('the writes of rules in a process with threads', () => {
  it('the answer to a write of a rule waits until all threads have it', async () => {
    const { api, waits } = await opened();
    await using _ = api;
    for (const write of [
      () => api.post(`${core}/limitranges`, { metadata, spec: { limits: [] } }),
      () => api.patch(`${core}/limitranges/a`, { metadata: { labels: { a: 'b' } } }),
      () => api.delete(`${core}/limitranges/a`),
      () => api.post('/apis/rbac.authorization.orch.io/v1/clusterroles', { metadata, rules: [] }),
    ]) {
      let answered = false;
      const answer = write().then((got) => {
        answered = true;
        return got;
      });
      while (waits.length === 0) await new Promise(setImmediate);
      const [wait] = waits.splice(0);
      const last = await api.store.currentRevision(signal);
      assert.deepEqual([wait?.rev, answered], [last, false]);
      assert.match(wait?.key ?? '', /^\/registry\/(limitranges\/default|clusterroles\.rbac)\/a$/);
      wait?.end();
      const { status } = await answer;
      assert.ok(status === 200 || status === 201);
    }
  });

  it('writes of other objects, dry runs, refused writes and charges of quotas do not wait', async () => {
    const { api, waits, quotas } = await opened();
    await using _ = api;
    const range = { metadata, spec: { limits: [] } };
    const created = api.post(`${core}/resourcequotas`, { metadata, spec: { hard: { pods: '9' } } });
    while (waits.length === 0) await new Promise(setImmediate);
    for (const { end } of waits.splice(0)) end();
    await created;
    assert.equal((await api.post(`${core}/configmaps`, { metadata })).status, 201);
    assert.equal((await api.post(`${core}/limitranges?dryRun=All`, range)).status, 201);
    assert.equal((await api.delete(`${core}/limitranges/none`)).status, 404);
    const name = { namespace: 'default', name: 'a' };
    const read = await quotas.read(name, signal);
    assert.ok(read !== undefined);
    assert.equal((await quotas.replace(name, read, signal)).outcome, 'replaced');
    assert.deepEqual(waits, []);
  });
});
