import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Encoded } from '../convert/stored-form.ts';
import { OwnWrites } from './own-writes.ts';

const encoded = (text: string): Encoded => {
  const value = Buffer.from(text);
  return { value, hub: value, object: { metadata: { name: text.slice(0, 10) } } };
};

describe('own writes', () => {
  it('are told of once, by key and by the very bytes', () => {
    const own = new OwnWrites();
    const first = encoded('first');
    own.sending('a', first);
    assert.equal(own.arrived('b', Buffer.from('first')), undefined);
    assert.equal(own.arrived('a', Buffer.from('first')), first);
    assert.equal(own.arrived('a', Buffer.from('first')), undefined);
  });

  it('give way to what others wrote, and to what was sent later', () => {
    const own = new OwnWrites();
    own.sending('a', encoded('mine'));
    assert.equal(own.arrived('a', Buffer.from('theirs')), undefined);
    const second = encoded('second');
    own.sending('a', encoded('first'));
    own.sending('a', second);
    assert.equal(own.arrived('a', Buffer.from('second')), second);
  });

  it('are forgotten, the oldest first, beyond a number and beyond a size', () => {
    const own = new OwnWrites();
    for (let n = 0; n < 2000; n++) own.sending(`small-${n}`, encoded(`${n}`));
    assert.equal(own.arrived('small-0', Buffer.from('0')), undefined);
    assert.notEqual(own.arrived('small-1999', Buffer.from('1999')), undefined);
    const megabytes = 'x'.repeat(1_500_000);
    for (const key of ['a', 'b', 'c']) own.sending(key, encoded(megabytes));
    assert.equal(own.arrived('small-1998', Buffer.from('1998')), undefined);
    assert.equal(own.arrived('a', Buffer.from(megabytes)), undefined);
    assert.notEqual(own.arrived('c', Buffer.from(megabytes)), undefined);
    const huge = 'x'.repeat(5_000_000);
    own.sending('huge', encoded(huge));
    assert.equal(own.arrived('huge', Buffer.from(huge)), undefined);
  });
});
