import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fixture, podsResource } from '../testing/fixture.ts';

describe('the cached resources of a registry prefix', () => {
  it('a prefix is refused while it contains that of another resource, or is contained in it', async () => {
    await using f = await Fixture.open();
    const add = (name: string): Promise<unknown> => f.cache.addResource(podsResource(name), f.signal);
    await add('example.com/things');
    await add('example.com/thingsets');
    for (const name of ['example.com', 'example.com/things/small', 'pods/status'])
      await assert.rejects(add(name), /contain one another/, name);
    f.cache.removeResource('example.com/things');
    await assert.rejects(add('example.com'), /contain one another/);
    f.cache.removeResource('example.com/thingsets');
    await add('example.com');
    await assert.rejects(add('example.com/things'), /contain one another/);
  });
});
