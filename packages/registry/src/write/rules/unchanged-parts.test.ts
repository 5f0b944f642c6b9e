import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { shareUnchangedParts } from './unchanged-parts.ts';

const objectWith = (parts: Readonly<Record<string, unknown>>): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', labels: { app: 'a' } },
  ...parts,
});

describe('parts of an object that an update leaves as they are', () => {
  it('equal parts become those of the stored object, regardless of the order of their fields', () => {
    const old = objectWith({ spec: { a: 1, b: [{ c: 2 }] }, data: { x: 'y' } });
    const next = objectWith({ spec: { b: [{ c: 2 }], a: 1 }, data: { x: 'y' } });
    shareUnchangedParts(next, old);
    assert.equal(next['spec'], old['spec']);
    assert.equal(next['data'], old['data']);
  });

  it('other parts, and the metadata, stay separate', () => {
    const old = objectWith({ spec: { a: 1 }, status: { ready: true } });
    const next = objectWith({ spec: { a: 2 }, status: { ready: true, also: 1 } });
    shareUnchangedParts(next, old);
    assert.deepEqual(next, objectWith({ spec: { a: 2 }, status: { ready: true, also: 1 } }));
    assert.notEqual(next.metadata, old.metadata);
  });

  it('a part that only one of the two has stays as it is, under any name', () => {
    const next = objectWith(JSON.parse('{"__proto__": {}, "constructor": {}, "added": {}}'));
    const old = objectWith({ removed: {} });
    const before = JSON.stringify(next);
    shareUnchangedParts(next, old);
    assert.equal(JSON.stringify(next), before);
    assert.ok(Object.hasOwn(next, '__proto__') && !Object.hasOwn(next, 'removed'));
  });
});
