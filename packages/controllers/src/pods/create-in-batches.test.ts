import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInBatches } from './create-in-batches.ts';

const items = Array.from({ length: 10 }, (_, i) => i);

describe('creations in batches', () => {
  it('every item is created once, in batches that double', async () => {
    const made: number[] = [];
    const starts: number[] = [];
    await createInBatches(items, async (item) => {
      starts.push(made.length);
      await Promise.resolve();
      made.push(item);
    });
    assert.deepEqual(made, items);
    assert.deepEqual([...new Set(starts)], [0, 1, 3, 7]);
  });

  it('nothing is created after a batch with a failure', async () => {
    let tried = 0;
    const create = async (item: number): Promise<void> => {
      tried++;
      if (item === 1) throw new Error('refused');
    };
    await assert.rejects(createInBatches(items, create), /refused/);
    assert.equal(tried, 3);
  });
});
