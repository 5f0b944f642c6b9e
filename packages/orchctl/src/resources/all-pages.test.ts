import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errors } from '@orch/machinery';
import { allPages } from './all-pages.ts';

describe('pages of a list', () => {
  async function* expiring({ limit }: { readonly limit?: number }): AsyncGenerator<string> {
    yield limit === undefined ? 'all' : 'first';
    if (limit !== undefined) throw errors.expired('the continue token has expired');
  }

  it('a list whose pages expire on the way is read at once', async () => {
    assert.deepEqual(await allPages(500, expiring), ['all']);
  });

  it('other failures are not repeated', async () => {
    async function* failing(): AsyncGenerator<string> {
      yield 'first';
      throw new Error('broken');
    }
    await assert.rejects(allPages(500, failing), /broken/);
  });
});
