import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TestEnv, testEnv } from '@orch/machinery/testing';
import { ModelStore, type Store } from '@orch/storage';
import { FaultyStore } from '@orch/storage/conformance';
import { AllocationStore, type Owner } from './allocation-store.ts';
import { Allocator } from './allocator.ts';
import { addressRange, portRange, type ValueRange } from './value-range.ts';

const { signal } = new AbortController();
const owner = (name: string): Owner => ({ namespace: 'n', name, uid: `uid-${name}` });

function opened(
  range: ValueRange,
  { env = testEnv(), store = new ModelStore({ clock: env.clock }) as Store } = {},
) {
  const { clock, random, metrics } = env;
  const allocations = new AllocationStore({
    store,
    clock,
    random,
    prefix: '/r/~internal/services/addresses/',
  });
  const family = metrics.counter({ name: 'allocations', help: 'x', labels: ['outcome'] });
  const allocator = new Allocator({
    range,
    allocations,
    clock,
    random,
    metrics: {
      allocated: family.series('allocated'),
      taken: family.series('taken'),
      full: family.series('full'),
    },
  });
  return { env, store, allocations, allocator };
}

const small = addressRange('10.0.0.0/28');

describe('allocator of addresses and ports', () => {
  it('every value is allocated once, and then the range is full', async () => {
    const { allocator } = opened(small);
    const given = new Set<string>();
    // The first address is allocated only on request.
    for (let i = 0; i < small.size - 1; i++) {
      given.add((await allocator.takeAny(owner(`s${i}`), signal))?.value ?? 'none');
    }
    assert.equal(given.size, small.size - 1);
    assert.equal(given.has('none'), false);
    assert.equal(given.has('10.0.0.1'), false);
    assert.equal(await allocator.takeAny(owner('late'), signal), undefined);
    assert.notEqual(await allocator.take('10.0.0.1', owner('first'), signal), undefined);
  });

  it('a requested value that is allocated is refused', async () => {
    const { allocator } = opened(small);
    assert.equal((await allocator.take('10.0.0.5', owner('a'), signal))?.value, '10.0.0.5');
    assert.equal(await allocator.take('10.0.0.5', owner('b'), signal), undefined);
    assert.equal(await allocator.take('10.0.0.5', owner('a'), signal), undefined);
  });

  it('the lower band is allocated automatically only when all else is taken', async () => {
    const range = portRange('30000-30099');
    const { allocator } = opened(range);
    const given: number[] = [];
    for (let i = 0; i < range.size; i++) {
      given.push(Number((await allocator.takeAny(owner(`s${i}`), signal))?.value));
    }
    const upper = given.slice(0, range.size - range.staticCount);
    assert.ok(Math.min(...upper) >= 30_000 + range.staticCount);
    assert.equal(new Set(given).size, range.size);
  });

  it('the last free values of a nearly full range are found with few attempts', async () => {
    const range = addressRange('10.0.0.0/22');
    const env = testEnv();
    const { allocator: first, store } = opened(range, { env });
    for (let i = 1; i < range.size - 1; i++) await first.take(range.at(i), owner(`s${i}`), signal);
    let commits = 0;
    const counting = new Proxy(store, {
      get: (target, name) => {
        const field = Reflect.get(target, name) as (...parts: unknown[]) => unknown;
        return (...parts: unknown[]) => {
          if (name === 'commit') commits++;
          return field.apply(target, parts);
        };
      },
    });
    const { allocator: second } = opened(range, { env, store: counting });
    assert.equal((await second.takeAny(owner('late'), signal))?.value, range.at(range.size - 1));
    assert.ok(commits <= 16, `${commits} attempts`);
    assert.equal(await second.takeAny(owner('later'), signal), undefined);
  });

  it('values that another replica released are found when the range seems full', async () => {
    const env = testEnv();
    const { allocator: first, store } = opened(small, { env });
    const { allocator: second } = opened(small, { env, store });
    const held = [];
    for (let i = 1; i < small.size; i++) held.push(await first.take(small.at(i), owner(`s${i}`), signal));
    assert.equal(await second.takeAny(owner('a'), signal), undefined);
    const [, third] = held;
    assert.ok(third);
    assert.deepEqual(await first.release([third]), []);
    assert.equal((await second.takeAny(owner('a'), signal))?.value, third.value);
  });

  it('a release deletes the allocation that it belongs to, and no later one', async () => {
    const { allocator } = opened(small);
    const first = await allocator.take('10.0.0.5', owner('a'), signal);
    assert.ok(first);
    await allocator.release([first]);
    await allocator.take('10.0.0.5', owner('b'), signal);
    await allocator.release([first]);
    assert.equal((await allocator.find('10.0.0.5', signal))?.owner?.name, 'b');
  });

  it('suggested values are not allocated, and do not repeat', async () => {
    const { allocator, allocations } = opened(small);
    const suggested = new Set<string>();
    for (let i = 0; i < 5; i++) suggested.add(allocator.suggest(suggested) ?? 'none');
    assert.equal(suggested.size, 5);
    assert.deepEqual(await allocations.held(signal), []);
  });

  for (const lost of ['requestLost', 'replyLost'] as const) {
    it(`an allocation with an unknown outcome is released (${lost})`, async () => {
      const env: TestEnv = testEnv();
      const model = new ModelStore({ clock: env.clock });
      const faulty = new FaultyStore(model, { clock: env.clock, random: env.random });
      // Only the first commit fails.
      const commit = faulty.commit.bind(faulty);
      faulty.commit = async (...write) => {
        faulty.commit = commit;
        faulty.faults = { [lost]: 1 };
        return commit(...write).finally(() => {
          faulty.faults = {};
        });
      };
      const { allocator, allocations } = opened(small, { env, store: faulty });
      const attempt = allocator.take('10.0.0.5', owner('a'), signal);
      await assert.rejects(attempt, { code: 'outcomeUnknown' });
      assert.deepEqual(await allocations.held(signal), []);
    });
  }

  it('after an unknown outcome, the allocation of another owner is kept', async () => {
    const env = testEnv();
    const model = new ModelStore({ clock: env.clock });
    const faulty = new FaultyStore(model, { clock: env.clock, random: env.random });
    const { allocations: others } = opened(small, { env, store: model });
    const { allocator } = opened(small, { env, store: faulty });
    await others.take('10.0.0.5', owner('a'), signal);
    faulty.faults = { replyLost: 1 };
    await assert.rejects(allocator.take('10.0.0.5', owner('a'), signal), { code: 'outcomeUnknown' });
    assert.equal((await others.find('10.0.0.5', signal))?.owner?.name, 'a');
  });

  it('concurrent requests of several replicas allocate a value once', async () => {
    const env = testEnv({ seed: 3 });
    const store = new ModelStore({ clock: env.clock });
    const replicas = [1, 2, 3].map(() => opened(small, { env, store }).allocator);
    const allocations = await Promise.all(
      Array.from({ length: 60 }, (_, i) => replicas[i % 3]?.takeAny(owner(`s${i}`), signal)),
    );
    const given = allocations.flatMap((allocation) => allocation?.value ?? []);
    assert.equal(given.length, small.size - 1);
    assert.equal(new Set(given).size, given.length);
  });
});
