import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { ApiFixture } from './testing/index.ts';

const never = new AbortController().signal;
const path = `/apis/${namesFor('orch').group('networking')}/v1/namespaces/default/ingresses`;
const backend = { service: { name: 'web', port: { number: 80 } } };
const ingress = { spec: { defaultBackend: backend } };

/** A cluster with an ingress `good`, and an ingress `bad` whose stored rules and secrets are not lists. */
async function withMistypedIngress(): Promise<ApiFixture> {
  const api = await ApiFixture.open();
  for (const name of ['bad', 'good']) {
    assert.equal((await api.post(path, { metadata: { name }, ...ingress })).status, 201);
  }
  const key = '/registry/ingresses.networking/default/bad';
  const { kv } = await api.model.get(key, never);
  assert.ok(kv);
  const stored = JSON.parse(String(kv.value));
  const value = Buffer.from(JSON.stringify({ ...stored, spec: { ...stored.spec, rules: { a: 1 }, tls: 5 } }));
  assert.ok((await api.model.commit({ op: 'update', key, value, expected: kv.modRevision }, never)).ok);
  return api;
}

describe('a stored object with a field of a wrong type', () => {
  it('is a row of a table like every other object, with unknown cells', async () => {
    await using api = await withMistypedIngress();
    const table = await api.get(path, { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
    assert.equal(table.status, 200);
    const rows = table.json.rows.map(({ cells }: { cells: readonly unknown[] }) => cells);
    assert.deepEqual(rows[0], ['bad', ...Array(rows[1].length - 1).fill('<unknown>')]);
    assert.deepEqual(rows[1].slice(0, 3), ['good', '<none>', '*']);
  });

  it('is repaired by an update', async () => {
    await using api = await withMistypedIngress();
    const answer = await api.put(`${path}/bad`, { metadata: { name: 'bad' }, ...ingress });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json.spec, ingress.spec);
  });

  it('is deleted as every other object is', async () => {
    await using api = await withMistypedIngress();
    assert.equal((await api.delete(`${path}/bad`)).status, 200);
    assert.equal((await api.get(`${path}/bad`)).status, 404);
  });
});
