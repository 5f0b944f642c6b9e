import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectFilter, Scope } from '../types.ts';
import { type EventSubscriber, WatcherIndex } from './watcher-index.ts';

const watcher = (scope: Scope, ...fieldEquals: ObjectFilter['fieldEquals']): EventSubscriber => ({
  scope,
  filter: {
    fieldEquals,
    matchesLabels: () => true,
    matchesFields: () => true,
    everything: fieldEquals.length === 0,
  },
  offer: () => undefined,
  offerFailed: () => undefined,
});

describe('watcherCount of a WatcherIndex', () => {
  const index = new WatcherIndex(['metadata.name', 'metadata.namespace', 'spec.nodeName'], ['spec.nodeName']);
  const everything = watcher({ prefix: '' });
  for (const one of [
    everything,
    watcher({ prefix: 'a/' }),
    watcher({ prefix: 'a/' }),
    watcher({ prefix: 'a/', exact: 'a/p' }),
    watcher({ prefix: 'a/' }, { field: 'metadata.name', value: 'p' }),
    watcher({ prefix: '' }, { field: 'spec.nodeName', value: 'n' }),
  ])
    index.add(one);

  for (const [key, expected] of [
    ['a/p', 5],
    ['a/other', 3],
    ['a/', 3],
    ['b/p', 1],
    ['cluster-scoped', 1],
  ] as const) {
    it(`${expected} watchers of the key, of its namespace and of everything are counted for ${key}`, () => {
      assert.equal(index.watcherCount(key), expected);
    });
  }

  it('a removed watcher is not counted', () => {
    index.remove(everything);
    assert.equal(index.watcherCount('a/p'), 4);
  });
});
