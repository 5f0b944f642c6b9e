import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Encoded } from '../convert/storage-codec.ts';
import { RecentWrites } from './cached-resource.ts';

const encoded = (text: string): Encoded => {
  const value = Buffer.from(text);
  return {
    value,
    hub: value,
    object: { metadata: { name: text.slice(0, 10) } },
    readAs: undefined,
    splice: undefined,
  };
};

describe('recent writes', () => {
  it('a recent write is returned once, for its key and exact bytes', () => {
    const own = new RecentWrites();
    const first = encoded('first');
    own.put('a', first);
    assert.equal(own.take('b', Buffer.from('first')), undefined);
    assert.equal(own.take('a', Buffer.from('first')), first);
    assert.equal(own.take('a', Buffer.from('first')), undefined);
  });

  it('a recent write is replaced by later writes, and dropped when other bytes arrive', () => {
    const own = new RecentWrites();
    own.put('a', encoded('mine'));
    assert.equal(own.take('a', Buffer.from('theirs')), undefined);
    const second = encoded('second');
    own.put('a', encoded('first'));
    own.put('a', second);
    assert.equal(own.take('a', Buffer.from('second')), second);
  });

  it('the oldest recent writes are dropped above the limits of number and size', () => {
    const own = new RecentWrites();
    for (let n = 0; n < 2000; n++) own.put(`small-${n}`, encoded(`${n}`));
    assert.equal(own.take('small-0', Buffer.from('0')), undefined);
    assert.notEqual(own.take('small-1999', Buffer.from('1999')), undefined);
    const megabytes = 'x'.repeat(1_500_000);
    for (const key of ['a', 'b', 'c']) own.put(key, encoded(megabytes));
    assert.equal(own.take('small-1998', Buffer.from('1998')), undefined);
    assert.equal(own.take('a', Buffer.from(megabytes)), undefined);
    assert.notEqual(own.take('c', Buffer.from(megabytes)), undefined);
    const huge = 'x'.repeat(5_000_000);
    own.put('huge', encoded(huge));
    assert.equal(own.take('huge', Buffer.from(huge)), undefined);
  });
});
