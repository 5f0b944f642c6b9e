import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, type ApiObject, namesFor, type Random } from '@orch/machinery';
import { deferred } from '@orch/machinery/concurrency';
import { FakeClock, seededRandom, settle } from '@orch/machinery/testing';
import { quotaEvaluator } from '@orch/quota';
import { type Fault, MemoryQuotaStore } from '../testing/memory-quota-store.ts';
import type { Refusal, ReleaseTaken } from '../types.ts';
import type { QuotaRequest } from './demand.ts';
import { KnownQuotas } from './known-quotas.ts';
import { QuotaReservations } from './reservations.ts';

const names = namesFor('orch');
const { signal } = new AbortController();

/** A quota of pods and of their requests for CPU. */
const quota = (name: string, hard: number, used = 0, spec: object = {}): ApiObject => ({
  metadata: { name, namespace: 'ns' },
  spec,
  status: { hard: { pods: String(hard) }, used: { pods: String(used) } },
});

function creation(spec: object = {}, rest: Partial<QuotaRequest> = {}): QuotaRequest {
  const evaluator = quotaEvaluator('', 'pods', names);
  const object = { metadata: { name: 'p', namespace: 'ns' }, spec };
  const next = evaluator.measure(object);
  return { namespace: 'ns', evaluator, object, next, old: undefined, dryRun: false, nowMs: 0, ...rest };
}

/** The reservations of one server. */
interface Replica {
  readonly clock: FakeClock;
  reserve(request?: QuotaRequest, signal?: AbortSignal): Promise<Refusal | undefined>;
  /** Takes quota for a write; returns the function that the server calls when the write is certainly not stored. */
  take(request?: QuotaRequest): Promise<ReleaseTaken>;
}

function replica(store: MemoryQuotaStore): Replica {
  const clock = new FakeClock();
  const reservations = new QuotaReservations({ known: new KnownQuotas(store.cache()), store, clock });
  return {
    clock,
    reserve: (request = creation(), until = signal) => reservations.reserve(request, until),
    async take(request = creation()) {
      let release: ReleaseTaken = () => Promise.reject(new Error('nothing was taken'));
      const refusal = await reservations.reserve(request, signal, (registered) => {
        release = registered;
      });
      assert.equal(refusal, undefined);
      return release;
    },
  };
}

function storeWith(...quotas: readonly ApiObject[]): MemoryQuotaStore {
  const store = new MemoryQuotaStore();
  for (const one of quotas) store.put(one);
  return store;
}

const podsUsed = (store: MemoryQuotaStore, name = 'q'): number =>
  Number((store.used(`ns/${name}`) as { readonly used: { readonly pods: string } }).used.pods);

const admittedOf = (decisions: readonly (Refusal | undefined)[]): number =>
  decisions.filter((refusal) => refusal === undefined).length;

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('batches of quota reservations', () => {
  it('writes that wait together are decided in their order with one update of the quota', async () => {
    const store = storeWith(quota('q', 10, 7));
    const { reserve } = replica(store);
    const decisions = await Promise.all(times(5, () => reserve()));
    const refusal = 'exceeded quota: q, requested: pods=1, used: pods=10, limited: pods=10';
    assert.deepEqual(decisions, [undefined, undefined, undefined, refusal, refusal]);
    // The refusals are based on the content of the store.
    assert.deepEqual(store.operations, ['read q', 'replace q']);
  });

  it('writes that arrive while a batch updates the quota are decided together after it', async () => {
    const store = storeWith(quota('q', 50));
    const { reserve } = replica(store);
    const first = deferred();
    store.before = () => first.promise;
    const leading = reserve();
    await settle();
    const following = times(20, () => reserve());
    store.before = () => Promise.resolve();
    first.resolve();
    assert.deepEqual(
      await Promise.all([leading, ...following]),
      times(21, () => undefined),
    );
    assert.deepEqual(store.operations, ['replace q', 'replace q']);
    assert.equal(podsUsed(store), 21);
  });

  it('namespaces do not wait for each other', async () => {
    const other = quota('q', 1);
    const store = storeWith(quota('q', 1), { ...other, metadata: { name: 'q', namespace: 'other' } });
    const { reserve } = replica(store);
    const first = deferred();
    store.before = () => first.promise;
    const waiting = reserve();
    await settle();
    store.before = () => Promise.resolve();
    assert.equal(await reserve(creation({}, { namespace: 'other' })), undefined);
    first.resolve();
    assert.equal(await waiting, undefined);
  });

  it('a server uses its own last update before its cache has it', async () => {
    const store = storeWith(quota('q', 50));
    const { reserve } = replica(store);
    for (const _ of times(3, () => 0)) assert.equal(await reserve(), undefined);
    assert.deepEqual(store.operations, ['replace q', 'replace q', 'replace q']);
    assert.equal(podsUsed(store), 3);
  });

  it('an update that another server was faster than is decided again on the state that the store reports', async () => {
    const store = storeWith(quota('q', 2, 1));
    const [one, other] = [replica(store), replica(store)];
    assert.equal(await one.reserve(), undefined);
    // The cache of the other server has one pod, the store has two.
    assert.match((await other.reserve()) ?? '', /^exceeded quota: q, .* used: pods=2,/);
    assert.deepEqual(store.operations, ['replace q', 'replace q']);
  });

  it('a refusal by an outdated cache is corrected by the state in the store', async () => {
    const store = storeWith(quota('q', 2, 2));
    const { reserve } = replica(store);
    store.put(quota('q', 2, 1));
    assert.equal(await reserve(), undefined);
    assert.equal(podsUsed(store), 2);
  });

  it('a quota that was deleted does not limit writes any more', async () => {
    const store = storeWith(quota('q', 2, 2), quota('r', 2, 1));
    const { reserve } = replica(store);
    store.delete('ns/q');
    assert.equal(await reserve(), undefined);
    store.delete('ns/r');
    assert.equal(await reserve(), undefined);
  });

  for (const [fault, used] of [
    ['unknown', 1],
    ['unknown, written', 2],
    ['conflict', 1],
  ] as const) {
    it(`usage is never too low after an update with the outcome "${fault}"`, async () => {
      const store = storeWith(quota('q', 2));
      store.faults.push(fault);
      assert.equal(await replica(store).reserve(), undefined);
      assert.equal(podsUsed(store), used);
    });
  }

  it('an update with an unknown outcome that took the last of a quota admits nothing', async () => {
    const store = storeWith(quota('q', 1));
    store.faults.push('unknown, written');
    assert.match((await replica(store).reserve()) ?? '', /^exceeded quota: q/);
    assert.equal(podsUsed(store), 1);
  });

  it('all writes of a batch fail when the store does, and the next batch is decided', async () => {
    const store = storeWith(quota('q', 5));
    store.faults.push('unavailable');
    const { reserve } = replica(store);
    for (const { status } of await Promise.allSettled([reserve(), reserve()]))
      assert.equal(status, 'rejected');
    assert.equal(await reserve(), undefined);
    assert.equal(podsUsed(store), 1);
  });

  it('a refusal by one quota returns what was taken of another', async () => {
    const store = storeWith(quota('a', 5), quota('b', 1));
    const { reserve } = replica(store);
    // Another server takes the last of one quota before this one has updated it.
    store.put(quota('b', 1, 1));
    assert.match((await reserve()) ?? '', /^exceeded quota: b/);
    await settle();
    assert.deepEqual([podsUsed(store, 'a'), podsUsed(store, 'b')], [0, 1]);
  });

  it('what was taken is not returned to a quota whose usage was calculated meanwhile', async () => {
    const store = storeWith(quota('a', 5, 3), quota('b', 1));
    const { reserve } = replica(store);
    store.put(quota('b', 1, 1));
    let replaced = 0;
    store.before = async () => {
      replaced += 1;
      // After the update of the first quota, its controller finds that only two pods exist.
      if (replaced === 2) await settle().then(() => store.put(quota('a', 5, 2)));
    };
    assert.match((await reserve()) ?? '', /^exceeded quota: b/);
    await settle();
    assert.equal(podsUsed(store, 'a'), 2);
  });
});

describe('quota of writes that are not stored', () => {
  it('quota that a failed write took is released at once, whatever this server has taken since', async () => {
    const store = storeWith(quota('q', 9, 2), quota('r', 9, 3));
    const { take } = replica(store);
    const [first] = [await take(), await take(), await take()];
    store.deliver();
    await first?.();
    assert.deepEqual([podsUsed(store, 'q'), podsUsed(store, 'r')], [4, 5]);
  });

  it('writes that fail together are released with one update of each quota', async () => {
    const store = storeWith(quota('q', 50));
    const { take } = replica(store);
    const all = await Promise.all(times(20, () => take()));
    store.operations.length = 0;
    await Promise.all(all.map((release) => release()));
    assert.equal(podsUsed(store), 0);
    assert.ok(store.operations.length <= 2, `${store.operations}`);
  });

  it('quota that is released admits a write that waits', async () => {
    const store = storeWith(quota('q', 1));
    const { take, reserve } = replica(store);
    const release = await take();
    const [, refusal] = await Promise.all([release(), reserve()]);
    assert.equal(refusal, undefined);
    assert.equal(podsUsed(store), 1);
  });

  it('a server that has read its own update from the store still releases its quota', async () => {
    const store = storeWith(quota('q', 1));
    const { take, reserve } = replica(store);
    const release = await take();
    assert.match((await reserve()) ?? '', /^exceeded quota/);
    await release();
    assert.equal(podsUsed(store), 0);
  });

  it('quota that a failed write took is released although another server has taken quota since', async () => {
    const store = storeWith(quota('q', 9, 2));
    const [one, other] = [replica(store), replica(store)];
    const release = await one.take();
    const otherRelease = await other.take();
    store.deliver();
    await one.take();
    await release();
    assert.equal(podsUsed(store), 4);
    await otherRelease();
    assert.equal(podsUsed(store), 3);
  });

  it('quota stays taken when nobody knows who has written it since', async () => {
    const store = storeWith(quota('q', 9));
    store.calculatedBy = () => Promise.resolve(undefined);
    const [one, other] = [replica(store), replica(store)];
    const release = await one.take();
    await other.take();
    await release();
    assert.equal(podsUsed(store), 2);
  });

  it('quota stays taken when another writer has written it since, before or during the release', async () => {
    const store = storeWith(quota('q', 9));
    const { take } = replica(store);
    const [before, during] = [await take(), await take()];
    store.put(quota('q', 9, 5));
    store.deliver();
    await before();
    assert.equal(podsUsed(store), 5);
    await during();
    assert.equal(podsUsed(store), 5);
    const last = await take();
    store.faults.push('conflict');
    await last();
    assert.equal(podsUsed(store), 6);
  });

  for (const fault of ['unavailable', 'unknown'] as const)
    it(`quota stays taken when its release is "${fault}"`, async () => {
      const store = storeWith(quota('q', 9));
      const { take } = replica(store);
      const release = await take();
      store.faults.push(fault);
      await release();
      assert.equal(podsUsed(store), 1);
      await take();
      assert.equal(podsUsed(store), 2);
    });

  it('a deleted quota takes nothing back', async () => {
    const store = storeWith(quota('q', 9));
    const { take } = replica(store);
    const release = await take();
    store.delete('ns/q');
    store.deliver();
    await release();
    assert.equal(store.used('ns/q'), undefined);
  });
});

describe('quota reservations of requests that end', () => {
  it('a cancelled request stops waiting with the reason of its signal and takes nothing', async () => {
    const store = storeWith(quota('q', 5));
    const { reserve } = replica(store);
    const first = deferred();
    store.before = () => first.promise;
    const leading = reserve();
    await settle();
    const abort = new AbortController();
    const cancelled = reserve(creation(), abort.signal);
    const reason = new Error('the client is gone');
    abort.abort(reason);
    await assert.rejects(cancelled, reason);
    first.resolve();
    assert.equal(await leading, undefined);
    assert.equal(await reserve(), undefined);
    assert.equal(podsUsed(store), 2);
  });

  it('a request that is cancelled already does not wait', async () => {
    const store = storeWith(quota('q', 5));
    const reason = new Error('the client is gone');
    await assert.rejects(replica(store).reserve(creation(), AbortSignal.abort(reason)), reason);
    await settle();
    assert.deepEqual(store.operations, []);
  });

  it('a batch that cannot be decided in time fails with 504', async () => {
    const store = storeWith(quota('q', 5));
    const { clock, reserve } = replica(store);
    store.before = () => {
      store.faults.push('conflict');
      clock.advance(1000);
      return Promise.resolve();
    };
    await assert.rejects(
      reserve(),
      (error) => error instanceof ApiError && error.status.code === 504 && /timed out/.test(error.message),
    );
  });

  it('requests beyond the limit of a queue are refused with 429', async () => {
    const store = storeWith(quota('q', 5000));
    const { reserve } = replica(store);
    const first = deferred();
    store.before = () => first.promise;
    const leading = reserve();
    await settle();
    const waiting = times(1000, () => reserve());
    await assert.rejects(reserve(), (error) => error instanceof ApiError && error.status.code === 429);
    first.resolve();
    assert.equal(admittedOf(await Promise.all([leading, ...waiting])), 1001);
  });
});

const SEEDS = 200;
const scopes = [{}, { scopes: ['Terminating'] }, { scopes: ['NotTerminating'] }, { scopes: ['BestEffort'] }];

/** Quotas with random limits and scopes, and random writes. */
function randomCase(random: Random): {
  readonly quotas: readonly ApiObject[];
  readonly writes: readonly QuotaRequest[];
} {
  const quotas = times(1 + random.int(3), (index) =>
    quota(`q${index}`, 2 + random.int(12), random.int(3), scopes[random.int(scopes.length)]),
  );
  const writes = times(20, () =>
    creation(random.int(2) === 0 ? { activeDeadlineSeconds: 5 } : {}, { dryRun: random.int(8) === 0 }),
  );
  return { quotas, writes };
}

/** The decisions on writes that are sent one after another. */
async function oneByOne(
  quotas: readonly ApiObject[],
  writes: readonly QuotaRequest[],
): Promise<readonly (Refusal | undefined)[]> {
  const { reserve } = replica(storeWith(...quotas));
  const decisions: (Refusal | undefined)[] = [];
  for (const write of writes) decisions.push(await reserve(write));
  return decisions;
}

describe(`quota reservations for ${SEEDS} seeds`, () => {
  it('a batch decides as its writes one after another', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { quotas, writes } = randomCase(seededRandom(seed));
      const store = storeWith(...quotas);
      const { reserve } = replica(store);
      const decisions = await Promise.all(writes.map((write) => reserve(write)));
      assert.deepEqual(decisions, await oneByOne(quotas, writes), `seed ${seed}`);
    }
  });

  it('64 writers through three servers with outdated caches take exactly the quota, with faults never more', async () => {
    const faults: readonly Fault[] = ['unknown', 'unknown, written', 'conflict', 'unavailable'];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = seededRandom(seed);
      const hard = 20 + random.int(30);
      const store = storeWith(quota('q', hard), quota('unlimited', 1000));
      const replicas = times(3, () => replica(store));
      const faulty = seed % 2 === 0;
      store.before = async () => {
        for (let turn = random.int(6); turn > 0; turn--) await Promise.resolve();
        if (random.int(4) === 0) store.deliver();
        if (faulty && random.int(5) === 0) store.faults.push(faults[random.int(faults.length)] ?? 'conflict');
      };
      const decisions = await Promise.allSettled(
        times(64, async (index) => {
          for (let turn = random.int(40); turn > 0; turn--) await Promise.resolve();
          return replicas[index % 3]?.reserve();
        }),
      );
      const admitted = decisions.filter(
        (one) => one.status === 'fulfilled' && one.value === undefined,
      ).length;
      assert.ok(podsUsed(store) <= hard, `seed ${seed}`);
      if (faulty) assert.ok(admitted <= podsUsed(store), `seed ${seed}`);
      else assert.deepEqual([admitted, podsUsed(store)], [hard, hard], `seed ${seed}`);
    }
  });

  it('writes that fail through several servers leave no usage behind', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = seededRandom(seed);
      const hard = 10 + random.int(10);
      const store = storeWith(quota('q', hard), quota('unlimited', 1000));
      const replicas = times(3, () => replica(store));
      const turns = async (most: number): Promise<void> => {
        for (let turn = random.int(most); turn > 0; turn--) await Promise.resolve();
      };
      store.before = async () => {
        await turns(6);
        if (random.int(4) === 0) store.deliver();
      };
      let held = 0;
      const write = async (index: number): Promise<void> => {
        await turns(100);
        const release = await replicas[index % 3]?.take();
        held += 1;
        await turns(20);
        if (random.int(2) === 0) return;
        held -= 1;
        await release?.();
      };
      const ended = await Promise.allSettled(times(64, write));
      assert.ok(held > 0 && ended.some(({ status }) => status === 'rejected'), `seed ${seed}`);
      assert.deepEqual([podsUsed(store), podsUsed(store, 'unlimited')], [held, held], `seed ${seed}`);
    }
  });

  it('usage is never below what is stored or may be, while writes fail and usage is calculated again', async () => {
    const faults: readonly Fault[] = ['unknown', 'unknown, written', 'conflict', 'unavailable'];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = seededRandom(seed);
      const store = storeWith(quota('q', 1000));
      const replicas = times(1 + random.int(3), () => replica(store));
      /** Writes that are stored, or admitted without having certainly failed; and those that wait for quota. */
      let [held, waiting] = [0, 0];
      const turns = async (most: number): Promise<void> => {
        for (let turn = random.int(most); turn > 0; turn--) await Promise.resolve();
      };
      const check = (): void =>
        assert.ok(podsUsed(store) >= held, `seed ${seed}: ${podsUsed(store)} of ${held}`);
      store.before = async () => {
        check();
        await turns(6);
        if (random.int(4) === 0) store.deliver();
        if (random.int(8) === 0) store.faults.push(faults[random.int(faults.length)] ?? 'conflict');
        // The controller counts all writes that may be stored, and none that failed.
        if (random.int(10) === 0) store.put(quota('q', 1000, held + waiting));
      };
      const write = async (index: number): Promise<void> => {
        await turns(60);
        waiting += 1;
        let release: ReleaseTaken | undefined;
        try {
          release = await replicas[index % replicas.length]?.take();
        } finally {
          waiting -= 1;
        }
        held += 1;
        check();
        await turns(20);
        if (random.int(2) === 0) return;
        held -= 1;
        await release?.();
        check();
      };
      await Promise.allSettled(times(64, write)).then((ended) => {
        for (const one of ended)
          if (one.status === 'rejected' && one.reason instanceof assert.AssertionError) throw one.reason;
      });
      check();
    }
  });
});
