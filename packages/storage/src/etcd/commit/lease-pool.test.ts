import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import fc from 'fast-check';
import { LeasePool } from './lease-pool.ts';

function pool(clock = new FakeClock()) {
  const granted: number[] = [];
  const leases = new LeasePool(clock, async (ttlSeconds) => {
    granted.push(ttlSeconds);
    return { id: Buffer.from([granted.length]), ttlSeconds };
  });
  return { clock, granted, leases };
}

describe('the lease pool', () => {
  it('the lease pool shares a lease between keys of similar expiry', async () => {
    const { clock, granted, leases } = pool();
    for (let i = 0; i < 100; i++) {
      await leases.acquire(3600 + (i % 3));
      await clock.advance(1000);
    }
    assert.equal(granted.length, 1);
    await leases.acquire(60);
    assert.equal(granted.length, 2);
  });

  it('the pool grants one lease for concurrent keys, and several when there are too many', async () => {
    const { granted, leases } = pool();
    const acquired = await Promise.all(Array.from({ length: 2500 }, () => leases.acquire(10)));
    assert.equal(granted.length, 3);
    for (const lease of new Set(acquired)) assert.ok(lease.keys <= 1000);
  });

  it('the pool never returns a lease that expires before the ttl, or much later', async () => {
    const step = fc.record({
      ttl: fc.integer({ min: 1, max: 5000 }),
      waitMs: fc.integer({ min: 0, max: 100_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, leases } = pool();
        for (const { ttl, waitMs } of steps) {
          const left = (await leases.acquire(ttl)).expiresAt - clock.monotonic();
          assert.ok(left >= ttl * 1000, `${left} ms for ${ttl} s`);
          assert.ok(left <= (ttl + Math.max(1, Math.ceil(ttl * 0.05))) * 1000, `${left} ms for ${ttl} s`);
          await clock.advance(waitMs);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('the lease pool does not reuse a dropped lease', async () => {
    const { granted, leases } = pool();
    leases.drop(await leases.acquire(10));
    await leases.acquire(10);
    assert.equal(granted.length, 2);
  });

  it('the lease pool reports when a commit took so long that its key would expire early', async () => {
    const { clock, leases } = pool();
    const lease = await leases.acquire(10);
    assert.equal(leases.expiresEarly(lease, 10), false);
    await clock.advance(1500);
    assert.equal(leases.expiresEarly(lease, 10), true);
    leases.renewed(lease, clock.monotonic(), 11);
    assert.equal(leases.expiresEarly(lease, 10), false);
  });

  it('the lease pool rejects when no lease was granted, and requests one again the next time', async () => {
    let fail = true;
    const leases = new LeasePool(new FakeClock(), async (ttlSeconds) => {
      if (fail) throw new Error('no');
      return { id: Buffer.from([1]), ttlSeconds };
    });
    await assert.rejects(leases.acquire(10), /no/);
    fail = false;
    assert.equal((await leases.acquire(10)).keys, 1);
  });
});
