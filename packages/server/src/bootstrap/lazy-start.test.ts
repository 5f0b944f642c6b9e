import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes, type ResourceType } from '@orch/apis';
import type { StructSchema } from '@orch/schema';
import { ApiFixture } from '../testing/index.ts';

/** The built-in resource definitions; records which schemas are read. */
function watched(): { readonly types: readonly ResourceType[]; readonly seen: Set<string> } {
  const seen = new Set<string>();
  const watch = (schema: StructSchema): StructSchema =>
    new Proxy(schema, {
      get(target, name, receiver) {
        if (name === 'fields') seen.add(target.name);
        return Reflect.get(target, name, receiver);
      },
    });
  const types = builtinTypes.map((type) => ({
    ...type,
    versions: type.versions.map((version) => ({ ...version, schema: watch(version.schema) })),
  }));
  return { types, seen };
}

describe('start of a server with all kinds', () => {
  it('a start compiles the schemas of stored objects only, and others at their first use', async () => {
    const { types, seen } = watched();
    await using api = await ApiFixture.open({ types });
    await api.get('/api/v1');
    await api.get('/apis');
    const { items } = await api.model.list(
      { start: '/registry/', end: '/registry0' },
      {},
      AbortSignal.any([]),
    );
    const stored = new Set(items.map(({ value }) => JSON.parse(String(value)).kind as string));
    const compiled = [...seen].map((name) => name.slice(name.lastIndexOf('.') + 1));
    assert.deepEqual(
      compiled.filter((kind) => !stored.has(kind)),
      [],
    );
    assert.ok(!seen.has('core.v1.Pod'));
    await api.get('/api/v1/pods');
    assert.ok(!seen.has('core.v1.Pod'), 'nothing is decoded for an empty list');
    const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    assert.equal((await api.post('/api/v1/namespaces/default/pods', pod)).status, 201);
    assert.ok(seen.has('core.v1.Pod'));
  });
});
