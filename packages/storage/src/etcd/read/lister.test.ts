import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { prefixRange, StoreError } from '../../index.ts';
import type { ReadRange } from './fitting-read.ts';
import { Lister } from './lister.ts';

/** A range of keys with values of the given sizes, at revision 7, whose answers are limited as etcd's are. */
function keys(sizes: readonly number[], maxAnswerBytes = Number.POSITIVE_INFINITY) {
  const all = sizes.map((size, i) => ({
    key: `/k/${String(i).padStart(5, '0')}`,
    value: Buffer.alloc(size),
    createRevision: 1,
    modRevision: 2,
  }));
  const reads: { limit: number; revision: number | undefined }[] = [];
  const read: ReadRange = async (request) => {
    reads.push({ limit: request.limit ?? 0, revision: request.revision });
    const rest = all.filter((kv) => kv.key >= request.key);
    const kvs = rest.slice(0, request.limit);
    if (kvs.reduce((sum, kv) => sum + kv.value.length, 0) > maxAnswerBytes)
      throw new StoreError('tooLarge', 'too large');
    return { revision: 7, kvs, more: kvs.length < rest.length, count: rest.length };
  };
  return { read, reads };
}

describe('the lister', () => {
  it('the lister returns what the limits allow, independent of the sizes of answers', async () => {
    const options = fc.record(
      { limit: fc.integer({ min: 1, max: 400 }), byteBudget: fc.integer({ min: 1, max: 2_000_000 }) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 300 }),
        options,
        async (sizes, limits) => {
          const { read } = keys(sizes);
          const page = await new Lister().list(prefixRange('/k/'), limits, read);
          let expected = 0;
          let bytes = 0;
          for (const size of sizes) {
            bytes += size + 8;
            if (
              expected > 0 &&
              (expected >= (limits.limit ?? Infinity) || bytes > (limits.byteBudget ?? Infinity))
            )
              break;
            expected++;
          }
          assert.deepEqual(
            [page.rev, page.items.length, page.count, page.more],
            [7, expected, sizes.length, expected < sizes.length],
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('requests answers of some megabytes, all at one revision, and learns their number of keys', async () => {
    const { read, reads } = keys(new Array<number>(3000).fill(10_000));
    const lister = new Lister();
    await lister.list(prefixRange('/k/'), {}, read);
    assert.ok(reads.length < 12, `${reads.length} answers for 30 MB`);
    assert.deepEqual(new Set(reads.slice(1).map((r) => r.revision)), new Set([7]));
    const first = reads.length;
    await lister.list(prefixRange('/k/'), { limit: 400 }, read);
    assert.equal(reads.length - first, 1);
  });

  it('requests fewer keys after an answer was too large', async () => {
    const { read, reads } = keys(new Array<number>(20).fill(1_000_000), 3_000_000);
    const page = await new Lister().list(prefixRange('/k/'), {}, read);
    assert.equal(page.items.length, 20);
    assert.ok(reads.length < 30, `${reads.length} answers`);
  });

  it('the lister restarts when its revision is compacted in between, unless the caller chose it', async () => {
    let calls = 0;
    const { read } = keys(new Array<number>(1000).fill(100));
    const flaky: ReadRange = (request) => {
      if (++calls === 2) throw new StoreError('compacted', 'gone', { compactRevision: 9 });
      return read(request);
    };
    assert.equal((await new Lister().list(prefixRange('/k/'), {}, flaky)).items.length, 1000);
    calls = 0;
    await assert.rejects(new Lister().list(prefixRange('/k/'), { at: 5 }, flaky), { code: 'compacted' });
  });
});
