import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Naming, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { StartError } from '@orch/program';
import { ModelStore, type Store, StoreError } from '@orch/storage';
import { claimNaming, namingOfData } from './data-naming.ts';

const { signal } = new AbortController();
const prefix = '/registry/';

function fixture() {
  const env = testEnv();
  const store = new ModelStore(env);
  const claim = (naming: Naming, writable: Pick<Store, 'get' | 'commit'> = store): Promise<void> =>
    claimNaming(
      { store: writable, prefix, naming, place: 'the store', otherPlaceFlag: 'data-dir', env },
      signal,
    );
  const addNamespace = async (naming: Naming): Promise<void> => {
    const key = `${prefix}namespaces/${namesFor(naming).namespaces.system}`;
    await store.commit({ op: 'create', key, value: Buffer.from('{}') }, signal);
  };
  return { store, claim, addNamespace };
}

const refusal = (error: unknown): boolean =>
  error instanceof StartError &&
  /^the objects in the store have --naming=orch: start with --naming=orch, or with another --data-dir/.test(
    error.message,
  ) &&
  !error.message.includes('\n');

describe('the naming of stored objects', () => {
  it('a store belongs to the naming of its first server, and refuses servers with another one', async () => {
    const { claim } = fixture();
    await claim('orch');
    await claim('orch');
    await assert.rejects(claim('kubernetes'), refusal);
  });

  for (const naming of ['orch', 'kubernetes'] as const)
    it(`a store of an earlier release is recognized as --naming=${naming} by its system namespace, and the naming is recorded`, async () => {
      const { store, claim, addNamespace } = fixture();
      await addNamespace(naming);
      assert.equal(await namingOfData(store, prefix, signal), naming);
      await claim(naming);
      const { kv } = await store.get('/registry/~internal/naming', signal);
      assert.equal(kv?.value?.toString(), naming);
    });

  it('a store that an earlier release has opened with both namings belongs to the first one', async () => {
    const { claim, addNamespace } = fixture();
    await addNamespace('orch');
    await addNamespace('kubernetes');
    await assert.rejects(claim('kubernetes'), refusal);
    await claim('orch');
  });

  it('one of two servers that open a new store with different namings at the same time is refused', async () => {
    const { claim } = fixture();
    const claimed = await Promise.allSettled([claim('orch'), claim('kubernetes')]);
    assert.deepEqual(claimed.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('a store that takes no writes is used without a record', async () => {
    const { store, claim } = fixture();
    await claim('kubernetes', {
      get: (key) => store.get(key, signal),
      commit: () => Promise.reject(new StoreError('full', 'there is no space')),
    });
    assert.equal(await namingOfData(store, prefix, signal), undefined);
  });
});
