import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForwardingStore } from './forwarding-store.ts';
import type { Store } from './store.ts';

const { signal } = new AbortController();
const range = { start: 'a', end: 'b' };

/** Arguments for every method of the contract. The type requires an entry for a method that is added, also for an optional one. */
const calls: { readonly [Method in keyof Store]-?: Parameters<Required<Store>[Method]> } = {
  get: ['a', signal],
  list: [range, { limit: 3 }, signal],
  scan: [range, { byteBudget: 5 }, signal],
  commit: [{ op: 'create', key: 'a', value: Buffer.from('1') }, signal],
  watch: [range, 7, signal],
  currentRevision: [signal],
  compact: [9, signal],
  size: [signal],
  close: [],
};

type Method = (...parameters: readonly unknown[]) => unknown;

/** A store whose methods return their own name and their arguments. */
function echoStore(): Store {
  const echo = (name: string): [string, Method] => [name, (...parameters) => [name, ...parameters]];
  return Object.fromEntries(Object.keys(calls).map(echo)) as unknown as Store;
}

describe('ForwardingStore over a store', () => {
  for (const [name, parameters] of Object.entries(calls)) {
    it(`ForwardingStore forwards ${name} with all arguments and returns the result of the inner store`, () => {
      const forwarding = new ForwardingStore(echoStore());
      const method: unknown = Reflect.get(forwarding, name);
      assert.equal(typeof method, 'function', `${name} is not forwarded`);
      const result = (method as Method).apply(forwarding, parameters);
      assert.deepEqual(result, [name, ...parameters]);
    });
  }

  it('ForwardingStore forwards every parameter that the method of the contract declares', () => {
    for (const [name, parameters] of Object.entries(calls)) {
      const { length } = Reflect.get(ForwardingStore.prototype, name) as Method;
      assert.equal(length, parameters.length, name);
    }
  });

  it('ForwardingStore has no method that the contract lacks', () => {
    const methods = Object.getOwnPropertyNames(ForwardingStore.prototype).filter(
      (name) => name !== 'constructor',
    );
    assert.deepEqual(methods.sort(), Object.keys(calls).sort());
  });
});
