import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QuotaStore } from '@orch/admission';
import { prefixRange } from '@orch/storage';
import { createRegistry } from '../index.ts';
import { noConnections, RegistryFixture, servedParts } from '../testing/index.ts';

const { signal } = new AbortController();
const path = '/api/v1/namespaces/default/resourcequotas';
const name = { namespace: 'default', name: 'q' };
const quota = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q' },
  spec: { hard: { pods: '9' } },
};

/** A registry with the quotas that admission uses. */
async function opened(): Promise<{ readonly api: RegistryFixture; readonly quotas: QuotaStore }> {
  let quotas: QuotaStore | undefined;
  const api = await RegistryFixture.assembled({}, (options) => {
    const admission = (parts: { readonly quotas: QuotaStore }): undefined => {
      quotas = parts.quotas;
    };
    return servedParts(createRegistry({ ...options, admission, connector: noConnections }));
  });
  assert.ok(quotas !== undefined);
  return { api, quotas };
}

describe('marks of quotas', () => {
  it('the mark of a quota follows every write of a client, and no charge', async () => {
    const { api, quotas } = await opened();
    await using _ = api;
    const isCalculated = async (revision: number): Promise<void> => {
      const by = (await quotas.calculatedBy(name, signal)) ?? 0;
      const next = await api.post('/api/v1/namespaces/default/configmaps', {
        metadata: { generateName: 'c-' },
      });
      const { metadata } = next.json as { readonly metadata: { readonly resourceVersion: string } };
      assert.ok(by >= revision && by < Number(metadata.resourceVersion), `${by}, not ${revision}`);
    };
    const revision = async (): Promise<number> => (await quotas.read(name, signal))?.revision ?? 0;
    assert.equal(await quotas.calculatedBy(name, signal), undefined);
    assert.equal((await api.post(path, quota)).status, 201);
    await isCalculated(await revision());
    const body = { status: { hard: { pods: '9' }, used: { pods: '1' } } };
    assert.equal((await api.patch(`${path}/q/status`, body)).status, 200);
    const calculated = await revision();
    await isCalculated(calculated);
    const by = await quotas.calculatedBy(name, signal);
    const read = await quotas.read(name, signal);
    assert.ok(read !== undefined);
    const charged = await quotas.replace(name, read, signal);
    assert.ok(charged.outcome === 'replaced' && charged.revision > (by ?? 0));
    assert.equal(await quotas.calculatedBy(name, signal), by);
    assert.equal((await api.patch(`${path}/q`, { metadata: { labels: { a: 'b' } } })).status, 200);
    await isCalculated(await revision());
  });

  it('a deleted quota leaves no mark', async () => {
    const { api, quotas } = await opened();
    await using _ = api;
    await api.post(path, quota);
    assert.equal((await api.delete(`${path}/q`)).status, 200);
    assert.equal(await quotas.calculatedBy(name, signal), undefined);
    const { items } = await api.store.list(prefixRange('/registry/~internal/quotas/'), {}, signal);
    assert.deepEqual(items, []);
  });
});
