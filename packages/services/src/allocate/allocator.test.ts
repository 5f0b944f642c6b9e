import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TestEnv, testEnv } from '@orch/machinery/testing';
import { ModelStore, type Store } from '@orch/storage';
import { FaultyStore } from '@orch/storage/conformance';
import { Allocator } from './allocator.ts';
import { Claims, type Owner } from './claims.ts';
import { addressRange, portRange, type ValueRange } from './value-range.ts';

const { signal } = new AbortController();
const owner = (name: string): Owner => ({ namespace: 'n', name, uid: `uid-${name}` });

function opened(
  range: ValueRange,
  { env = testEnv(), store = new ModelStore({ clock: env.clock }) as Store } = {},
) {
  const { clock, random, metrics } = env;
  const claims = new Claims({ store, clock, random, prefix: '/r/~internal/services/addresses/' });
  const family = metrics.counter({ name: 'allocations', help: 'x', labels: ['outcome'] });
  const allocator = new Allocator({
    range,
    claims,
    clock,
    random,
    metrics: {
      allocated: family.series('allocated'),
      taken: family.series('taken'),
      full: family.series('full'),
    },
  });
  return { env, store, claims, allocator };
}

const small = addressRange('10.0.0.0/28');

describe('an allocator', () => {
  it('gives out every value once, and then says that nothing is left', async () => {
    const { allocator } = opened(small);
    const given = new Set<string>();
    // The first address is for who asks for it.
    for (let i = 0; i < small.size - 1; i++) {
      given.add((await allocator.takeAny(owner(`s${i}`), signal))?.value ?? 'none');
    }
    assert.equal(given.size, small.size - 1);
    assert.equal(given.has('none'), false);
    assert.equal(given.has('10.0.0.1'), false);
    assert.equal(await allocator.takeAny(owner('late'), signal), undefined);
    assert.notEqual(await allocator.take('10.0.0.1', owner('first'), signal), undefined);
  });

  it('refuses a value that is held', async () => {
    const { allocator } = opened(small);
    assert.equal((await allocator.take('10.0.0.5', owner('a'), signal))?.value, '10.0.0.5');
    assert.equal(await allocator.take('10.0.0.5', owner('b'), signal), undefined);
    assert.equal(await allocator.take('10.0.0.5', owner('a'), signal), undefined);
  });

  it('keeps the lower band for those who ask, as long as there is anything else', async () => {
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

  it('finds what others left in a nearly full range, with few attempts', async () => {
    const range = addressRange('10.0.0.0/22');
    const env = testEnv();
    const { allocator: first, store } = opened(range, { env });
    for (let i = 1; i < range.size - 1; i++) await first.take(range.at(i), owner(`s${i}`), signal);
    let commits = 0;
    const counting = new Proxy(store, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as (...parts: unknown[]) => unknown;
        return (...parts: unknown[]) => {
          if (name === 'commit') commits++;
          return member.apply(target, parts);
        };
      },
    });
    const { allocator: second } = opened(range, { env, store: counting });
    assert.equal((await second.takeAny(owner('late'), signal))?.value, range.at(range.size - 1));
    assert.ok(commits <= 16, `${commits} attempts`);
    assert.equal(await second.takeAny(owner('later'), signal), undefined);
  });

  it('sees what another replica gave back when nothing else is left', async () => {
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

  it('gives back its own claim and no later one', async () => {
    const { allocator } = opened(small);
    const first = await allocator.take('10.0.0.5', owner('a'), signal);
    assert.ok(first);
    await allocator.release([first]);
    await allocator.take('10.0.0.5', owner('b'), signal);
    await allocator.release([first]);
    assert.equal((await allocator.find('10.0.0.5', signal))?.owner?.name, 'b');
  });

  it('shows a value without taking it, and never one of those shown before', async () => {
    const { allocator, claims } = opened(small);
    const shown = new Set<string>();
    for (let i = 0; i < 5; i++) shown.add(allocator.suggest(shown) ?? 'none');
    assert.equal(shown.size, 5);
    assert.deepEqual(await claims.held(signal), []);
  });

  for (const lost of ['requestLost', 'replyLost'] as const) {
    it(`leaves nothing behind of a claim whose outcome is unknown (${lost})`, async () => {
      const env: TestEnv = testEnv();
      const model = new ModelStore({ clock: env.clock });
      const faulty = new FaultyStore(model, { clock: env.clock, random: env.random });
      // The first commit alone: what follows works again.
      const commit = faulty.commit.bind(faulty);
      faulty.commit = async (...write) => {
        faulty.commit = commit;
        faulty.faults = { [lost]: 1 };
        return commit(...write).finally(() => {
          faulty.faults = {};
        });
      };
      const { allocator, claims } = opened(small, { env, store: faulty });
      const asked = allocator.take('10.0.0.5', owner('a'), signal);
      await assert.rejects(asked, { code: 'outcomeUnknown' });
      assert.deepEqual(await claims.held(signal), []);
    });
  }

  it('does not give back the claim of another when its own is in doubt', async () => {
    const env = testEnv();
    const model = new ModelStore({ clock: env.clock });
    const faulty = new FaultyStore(model, { clock: env.clock, random: env.random });
    const { claims: others } = opened(small, { env, store: model });
    const { allocator } = opened(small, { env, store: faulty });
    await others.take('10.0.0.5', owner('a'), signal);
    faulty.faults = { replyLost: 1 };
    await assert.rejects(allocator.take('10.0.0.5', owner('a'), signal), { code: 'outcomeUnknown' });
    assert.equal((await others.find('10.0.0.5', signal))?.owner?.name, 'a');
  });

  it('gives a value to one only, whatever the number of replicas and requests', async () => {
    const env = testEnv({ seed: 3 });
    const store = new ModelStore({ clock: env.clock });
    const replicas = [1, 2, 3].map(() => opened(small, { env, store }).allocator);
    const claims = await Promise.all(
      Array.from({ length: 60 }, (_, i) => replicas[i % 3]?.takeAny(owner(`s${i}`), signal)),
    );
    const given = claims.flatMap((claim) => claim?.value ?? []);
    assert.equal(given.length, small.size - 1);
    assert.equal(new Set(given).size, given.length);
  });
});
