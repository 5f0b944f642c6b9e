import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionPlugin } from '@orch/admission';
import { type Committed, type Store, StoreError, type StoreErrorCode } from '@orch/storage';
import { apply } from '../testing/applies.ts';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;

/** Takes one for each write of a config map, and counts those that are not released. */
class Counter implements AdmissionPlugin {
  readonly name = 'Counter';
  taken = 0;
  refuses = false;
  handles: AdmissionPlugin['handles'] = ({ resource }) => resource === 'configmaps';

  reserve(write: Parameters<NonNullable<AdmissionPlugin['reserve']>>[0]): string | undefined {
    if (write.dryRun) return undefined;
    this.taken += 1;
    write.whenNotStored(async () => {
      this.taken -= 1;
    });
    return this.refuses ? 'is one too many' : undefined;
  }
}

/** A store whose next write of a config map fails, or comes after that of another client. */
class Failing {
  code: StoreErrorCode | undefined;
  before: ((inner: Store) => Promise<unknown>) | undefined;

  readonly wrap = (inner: Store): Store => {
    const commit = async (...[write, signal]: Parameters<Store['commit']>): Promise<Committed> => {
      const { code, before } = this;
      if (!write.key.includes('/configmaps/')) return inner.commit(write, signal);
      this.code = undefined;
      this.before = undefined;
      if (code !== undefined) throw new StoreError(code, 'rejected by the store');
      await before?.(inner);
      return inner.commit(write, signal);
    };
    return new Proxy(inner, {
      get(target, name) {
        if (name === 'commit') return commit;
        const field = Reflect.get(target, name);
        return typeof field === 'function' ? field.bind(target) : field;
      },
    });
  };
}

async function opened() {
  const counter = new Counter();
  const failing = new Failing();
  const api = await RegistryFixture.open({ plugins: [counter], wrap: failing.wrap });
  return { api, counter, failing, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

const verbs = {
  create: (api: RegistryFixture, name: string) => api.post(cms, configMap(name, { k: 'new' })),
  update: (api: RegistryFixture, name: string) => api.put(`${cms}/${name}`, configMap(name, { k: 'new' })),
  patch: (api: RegistryFixture, name: string) => api.patch(`${cms}/${name}`, { data: { k: 'new' } }),
  apply: (api: RegistryFixture, name: string) =>
    apply(api, `${cms}/${name}`, { ...configMap(name, { k: 'new' }), apiVersion: 'v1', kind: 'ConfigMap' }),
} as const;

describe('what plugins take for a write', () => {
  for (const [verb, write] of Object.entries(verbs)) {
    for (const [code, left] of [
      ['unavailable', 0],
      ['full', 0],
      ['tooLarge', 0],
      ['outcomeUnknown', 1],
    ] as const)
      it(`a ${verb} that the store answers with ${code} keeps ${left === 0 ? 'nothing' : 'what was taken'}`, async () => {
        await using parts = await opened();
        const { api, counter, failing } = parts;
        if (verb !== 'create') await api.post(cms, configMap('a'));
        const before = counter.taken;
        failing.code = code;
        assert.ok((await write(api, 'a')).status >= 400);
        assert.equal(counter.taken, before + left);
      });

    it(`a ${verb} that is stored keeps what was taken`, async () => {
      await using parts = await opened();
      const { api, counter } = parts;
      if (verb !== 'create') await api.post(cms, configMap('a'));
      const before = counter.taken;
      assert.ok((await write(api, 'a')).status < 300);
      assert.equal(counter.taken, before + 1);
    });

    it(`a ${verb} that is refused releases what plugins before the refusal took`, async () => {
      await using parts = await opened();
      const { api, counter } = parts;
      if (verb !== 'create') await api.post(cms, configMap('a'));
      const before = counter.taken;
      counter.refuses = true;
      assert.equal((await write(api, 'a')).status, 403);
      assert.equal(counter.taken, before);
    });
  }

  it('a creation whose name is taken releases what it took, and one with a generated name keeps one for its object', async () => {
    await using parts = await opened();
    const { api, counter } = parts;
    await api.post(cms, configMap('a'));
    for (let i = 0; i < 100; i++) assert.equal((await api.post(cms, configMap('a'))).status, 409);
    assert.equal(counter.taken, 1);
    assert.equal((await api.post(cms, { metadata: { generateName: 'g-' } })).status, 201);
    assert.equal(counter.taken, 2);
  });

  it('an update that is decided again after the write of another client keeps what it took once', async () => {
    await using parts = await opened();
    const { api, counter, failing } = parts;
    await api.post(cms, configMap('a'));
    failing.before = () => api.patch(`${cms}/a`, { metadata: { labels: { other: 'client' } } });
    assert.equal((await api.patch(`${cms}/a`, { data: { k: 'v' } })).status, 200);
    // The creation, the patch of the other client, and this one.
    assert.equal(counter.taken, 3);
  });

  it('an update without a change keeps nothing', async () => {
    await using parts = await opened();
    const { api, counter } = parts;
    await api.post(cms, configMap('a', { k: 'v' }));
    assert.equal((await api.patch(`${cms}/a`, { data: { k: 'v' } })).status, 200);
    assert.equal(counter.taken, 1);
  });
});
