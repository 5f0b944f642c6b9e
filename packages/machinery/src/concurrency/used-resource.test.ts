import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deferred } from './deferred.ts';
import { UsedResource } from './used-resource.ts';

function open() {
  const resource = {
    disposed: 0,
    [Symbol.dispose]() {
      this.disposed += 1;
    },
  };
  return { resource, used: new UsedResource(resource) };
}

describe('a used resource', () => {
  it('a used resource is disposed at once when nothing uses it', () => {
    const { resource, used } = open();
    used[Symbol.dispose]();
    assert.equal(resource.disposed, 1);
  });

  it('a used resource is disposed after the last call that uses it has ended, whether that succeeded or failed', async () => {
    const { resource, used } = open();
    const [first, second] = [deferred<string>(), deferred<string>()];
    const calls = [first, second].map(({ promise }) => used.use(() => promise));
    used[Symbol.dispose]();
    first.resolve('a');
    assert.equal(await calls[0], 'a');
    assert.equal(resource.disposed, 0);
    second.reject(new Error('b'));
    await assert.rejects(async () => calls[1], /b/);
    assert.equal(resource.disposed, 1);
  });

  it('a used resource that is still needed is not disposed when calls end', async () => {
    const { resource, used } = open();
    assert.equal(await used.use((value) => value.disposed), 0);
    assert.equal(resource.disposed, 0);
  });
});
