import assert from 'node:assert/strict';
import { fenceInUserAgent } from '@orch/client';
import type { ApiObject, Names } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { prefixRange, readable, type Store } from '@orch/storage';
import type { Expectations } from './user.ts';

/** A write in an audit log. */
export interface WriteRecord {
  readonly method: string;
  readonly target: string;
  readonly userAgent: string;
  readonly status: number;
  readonly receivedAt: number;
  readonly answeredAt: number;
}

/** All objects of a resource, read from the store. */
export async function stored(store: Store, resource: string): Promise<readonly ApiObject[]> {
  const { signal } = new AbortController();
  const page = await store.list(prefixRange('/'), {}, signal);
  assert.equal(page.more, false);
  return page.items
    .filter(({ key }) => key.includes(`/${resource}/`))
    .map((kv) => parseJson(readable(kv).value) as ApiObject);
}

/** Checks that writes of leaders, in the order of their responses, never return to an earlier leadership. */
export function checkLeaders(audit: readonly WriteRecord[]): void {
  const holders = new Map<number, string>();
  let last = -1;
  for (const { userAgent, target, status } of audit) {
    const fence = fenceInUserAgent(userAgent);
    if (fence === undefined || status >= 300) continue;
    const holder = holders.get(fence.transitions) ?? fence.holder;
    assert.equal(fence.holder, holder, `two hold the lease at once, at ${target}`);
    holders.set(fence.transitions, holder);
    assert.ok(fence.transitions >= last, `a write of an earlier leader: ${target}`);
    last = fence.transitions;
  }
}

/**
 * Checks that expected objects exist as created, that others do not exist, and that no object remains without its
 * owners.
 */
export async function checkObjects(store: Store, expected: Expectations): Promise<void> {
  const maps = await stored(store, 'configmaps');
  const found = new Map(
    maps.map((map) => [`configmaps/${map.metadata.namespace}/${map.metadata.name}`, map]),
  );
  for (const [key, uid] of expected.alive) {
    assert.equal(found.get(key)?.metadata.uid, uid, `${key} is not there any more`);
  }
  const uids = new Set(maps.map(({ metadata }) => metadata.uid));
  for (const [key, { metadata }] of found) {
    assert.ok(!expected.gone.has(key), `${key} is still there`);
    const { ownerReferences = [] } = metadata;
    for (const owner of ownerReferences) {
      assert.ok(uids.has(owner.uid), `${key} still names ${owner.name}, which is gone`);
    }
    assert.equal(metadata.deletionTimestamp ?? undefined, undefined, `${key} waits to be deleted`);
  }
}

export async function checkNamespaces(store: Store, expected: Expectations, names: Names): Promise<void> {
  const spaces = new Set((await stored(store, 'namespaces')).map(({ metadata }) => metadata.name));
  const accounts = await stored(store, 'serviceaccounts');
  const maps = await stored(store, 'configmaps');
  for (const name of expected.namespaces) {
    assert.ok(spaces.has(name), `namespace ${name}`);
    const has = (objects: readonly ApiObject[], object: string): boolean =>
      objects.some(({ metadata }) => metadata.namespace === name && metadata.name === object);
    assert.ok(has(accounts, 'default'), `default account of ${name}`);
    assert.ok(has(maps, names.objects.rootCa), `root CA of ${name}`);
  }
  for (const key of expected.gone) {
    if (key.startsWith('namespaces//')) assert.ok(!spaces.has(key.slice(12)), `${key} is still there`);
  }
}
