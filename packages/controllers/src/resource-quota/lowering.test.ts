import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAmounts, writeAmounts } from '@orch/quota';
import { Lowering, QUIET_MS } from './lowering.ts';

const two = readAmounts({ pods: '2' });

describe('lowering of quota usage', () => {
  it('usage may decrease by the sum of what was released, once', () => {
    const lowering = new Lowering();
    lowering.release('q', two);
    lowering.release('q', readAmounts({ pods: '1', cpu: '1' }));
    const first = lowering.take('q', 0);
    assert.deepEqual(writeAmounts(first.released), { cpu: '1', pods: '3' });
    assert.equal(first.isUnlimited, false);
    assert.equal(lowering.take('q', 0).released.size, 0);
    lowering.restore('q', first);
    assert.deepEqual(lowering.take('q', 0), first);
  });

  it('usage may decrease to what was counted when nothing was added for a while, once', () => {
    const lowering = new Lowering();
    lowering.added('q', 1000);
    lowering.recount('q');
    const early = lowering.take('q', 2000);
    assert.deepEqual([early.isUnlimited, early.retryAfterMs], [false, QUIET_MS - 1000]);
    lowering.added('q', 3000);
    assert.equal(lowering.take('q', 1000 + QUIET_MS).isUnlimited, false);
    const quiet = lowering.take('q', 3000 + QUIET_MS);
    assert.deepEqual([quiet.isUnlimited, quiet.retryAfterMs], [true, undefined]);
    assert.equal(lowering.take('q', 3000 + QUIET_MS).isUnlimited, false);
    lowering.restore('q', quiet);
    assert.equal(lowering.take('q', 3000 + QUIET_MS).isUnlimited, true);
  });

  it('quotas are independent, and a deleted quota leaves nothing', () => {
    const lowering = new Lowering();
    lowering.release('q', two);
    lowering.recount('q');
    assert.equal(lowering.take('other', 0).released.size, 0);
    lowering.forget('q');
    assert.deepEqual([lowering.take('q', 0).released.size, lowering.take('q', 0).isUnlimited], [0, false]);
  });
});
