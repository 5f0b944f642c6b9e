import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { createRegistry, type ServerContext } from '../index.ts';
import { noConnections, RegistryFixture, servedParts } from '../testing/index.ts';

const { signal } = new AbortController();

describe('objects for other parts of the server', () => {
  it('are read from the store one after another, those that cannot be read with empty metadata', async () => {
    let internal: ServerContext | undefined;
    await using fixture = await RegistryFixture.assembled({}, (options) => {
      const registry = createRegistry({ ...options, connector: noConnections });
      internal = registry.internal;
      return servedParts(registry);
    });
    const classes = internal?.objects.resource('scheduling', 'priorityclasses');
    assert.ok(classes !== undefined);
    for (const name of ['b', 'a']) {
      const fresh: ApiObject = { ...classes.typeMeta, metadata: {}, value: 1 };
      assert.equal(await classes.create({ namespace: '', name }, fresh, signal), true);
    }
    const key = `${classes.cache.resource.prefix}broken`;
    await fixture.store.commit({ op: 'create', key, value: Buffer.from('{') }, signal);
    const found: unknown[] = [];
    for await (const [name, { object, revision }] of classes.readEach(signal))
      found.push([name, object.metadata.name, revision > 0]);
    assert.deepEqual(found, [
      ['a', 'a', true],
      ['b', 'b', true],
      ['broken', undefined, true],
    ]);
    assert.equal((await classes.readAll(signal)).size, 3);
  });
});
