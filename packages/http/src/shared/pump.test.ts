import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { Turns } from '@orch/machinery/concurrency';
import { FakeClock } from '@orch/machinery/testing';
import { type PumpTarget, pump } from './pump.ts';
import { FRAME_BYTES, SLICE_BYTES, SlicePool } from './slice-pool.ts';

const performanceClock = { monotonic: () => performance.now() };

interface Recorded {
  readonly target: PumpTarget;
  readonly slices: Buffer[];
  /** The turns that the body has had. */
  turns(): number;
  /** Completes all pending writes. */
  settle(error?: Error): void;
}

function recorder(): Recorded {
  const pool = new SlicePool(new FakeClock(), { idle: 2, most: 2 });
  const slices: Buffer[] = [];
  let waiting: ((error?: Error | null) => void)[] = [];
  const turns = new Turns({ clock: performanceClock });
  let taken = 0;
  const next = turns.next.bind(turns);
  turns.next = () => {
    taken += 1;
    return next();
  };
  return {
    slices,
    turns: () => taken,
    target: {
      write(slice, written) {
        slices.push(slice);
        if (written !== undefined) waiting.push(written);
        return true;
      },
      drained: () => Promise.resolve(),
      isGone: () => false,
      slices: pool,
      turns,
    },
    settle(error) {
      for (const written of waiting) written(error ?? null);
      waiting = [];
    },
  };
}

const small = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, i) => Buffer.alloc(1000, `${i}`));

describe('pump of body chunks', () => {
  it('head and small chunks are coalesced, large chunks are passed on, and the body is counted', async () => {
    const { target, slices } = recorder();
    const large = Buffer.alloc(70_000, 'L');
    const chunks = [...small(3), large, ...small(2)];
    const head = Buffer.from('head');
    const pumped = await pump(chunks, target, head);
    assert.deepEqual(pumped, { bytes: 75_000, complete: true });
    assert.equal(slices.length, 3);
    assert.equal(slices[1], large);
    assert.deepEqual(Buffer.concat(slices), Buffer.concat([head, ...chunks]));
  });

  it('other requests are served before each slice but the first, and where the body has a pause', async () => {
    const turnsOf = async (chunks: readonly Buffer[]): Promise<readonly number[]> => {
      const { target, slices, turns } = recorder();
      await pump(chunks, target);
      return [turns(), slices.length];
    };
    const large = Buffer.alloc(70_000, 'L');
    const pause = Buffer.alloc(0);
    assert.deepEqual(await turnsOf(small(3)), [0, 1]);
    assert.deepEqual(await turnsOf([large, large, large]), [3, 3]);
    assert.deepEqual(await turnsOf([...small(2), large, ...small(2), large]), [4, 4]);
    assert.deepEqual(await turnsOf([...small(2), pause, ...small(2), pause, ...small(1)]), [2, 1]);
  });

  it('a buffer is reused only after its bytes have left the process', async () => {
    const recorded = recorder();
    const { target, slices } = recorded;
    const first = small(400);
    await pump(first, target);
    await pump(small(400), target);
    assert.equal(new Set(slices.map((slice) => slice.buffer)).size, 4);
    assert.deepEqual(Buffer.concat(slices.slice(0, 2)), Buffer.concat(first));
    recorded.settle();
    await pump(small(400), target);
    assert.ok(slices.slice(0, 4).some((slice) => slice.buffer === slices[4]?.buffer));
  });

  it('a head and an end around large chunks take no pooled buffer: many lists at once would use up the pool', async () => {
    const { target, slices } = recorder();
    const take = mock.method(target.slices, 'take');
    const large = Buffer.alloc(70_000, 'L');
    const chunks = [...small(2), large, ...small(3)];
    await pump(chunks, target);
    assert.equal(slices.length, 3);
    assert.deepEqual(Buffer.concat(slices), Buffer.concat(chunks));
    assert.equal(take.mock.callCount(), 0);
    await pump(small(5), target);
    assert.equal(take.mock.callCount(), 1);
    assert.deepEqual(slices[3], Buffer.concat(small(5)));
  });

  it('a buffer that a failed target may reference is not reused', async () => {
    const recorded = recorder();
    const { target, slices } = recorded;
    await pump(small(10), target);
    recorded.settle(new Error('reset'));
    await pump(small(10), target);
    assert.notEqual(slices[0]?.buffer, slices[1]?.buffer);
  });
});

describe('pool of slices', () => {
  it('the pool keeps a bounded number of buffers', () => {
    const pool = new SlicePool(new FakeClock(), { idle: 1, most: 1 });
    const [a, b] = [pool.take(), pool.take()];
    assert.equal(a.length, SLICE_BYTES + FRAME_BYTES);
    pool.give(a);
    pool.give(b);
    assert.equal(pool.take(), a);
    assert.notEqual(pool.take(), b);
  });

  it('the pool keeps the buffers that are in use at once, and drops those that were not needed lately', () => {
    const clock = new FakeClock();
    const pool = new SlicePool(clock, { idle: 1, most: 4 });
    const made = new Set<Buffer>();
    const use = (count: number): number => {
      const before = made.size;
      const taken = Array.from({ length: count }, () => pool.take());
      for (const slice of taken) made.add(slice);
      for (const slice of taken) pool.give(slice);
      return made.size - before;
    };
    assert.equal(use(5), 5);
    // Only as many as the bound permits were kept.
    assert.equal(use(5), 1);
    clock.advance(1_000);
    assert.equal(use(3), 0);
    clock.advance(1_000);
    // Three were in use at once.
    assert.equal(use(3), 0);
    clock.advance(10_000);
    assert.equal(clock.pending, 0);
    assert.equal(use(3), 2);
  });

  it('a closed pool keeps nothing and sets no timer', () => {
    const clock = new FakeClock();
    const pool = new SlicePool(clock, { idle: 0, most: 2 });
    const slice = pool.take();
    pool.give(slice);
    pool.close();
    assert.equal(clock.pending, 0);
    assert.notEqual(pool.take(), slice);
    pool.give(slice);
    assert.equal(clock.pending, 0);
  });
});
