import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { decodeChangeKey, encodeChangeKey } from './change-key.ts';
import { type ChangeFacts, decodeChange, encodeChange } from './change-value.ts';

const facts: ChangeFacts = {
  verb: 'patch',
  subresource: 'status',
  user: 'jane "ä"\n',
  impersonator: 'root',
  manager: 'kubectl',
  uid: '',
};

describe('the key of a change', () => {
  it('the key of a change has what it was made from, and sorts by the replaced revision', () => {
    const uid = '81577507-7a59-4453-a2c5-5bb2a618af25';
    const bases = [0, 1, 35, 36, 10 ** 6, 10 ** 9 + 7, Number.MAX_SAFE_INTEGER];
    for (const kind of ['created', 'updated', 'deleted'] as const) {
      const keys = bases.map((base) => ({ base, timeMs: 1_700_000_000_000, bytes: 1234, kind }));
      const texts = keys.map((key) => encodeChangeKey(key, uid));
      assert.deepEqual(texts.map(decodeChangeKey), keys);
      assert.deepEqual(texts.toSorted(), texts);
    }
  });

  it('the key of a change distinguishes creations of the same time', () => {
    const key = { base: 0, timeMs: 1, bytes: 1, kind: 'created' } as const;
    assert.notEqual(encodeChangeKey(key, '11111111-x'), encodeChangeKey(key, '22222222-x'));
  });

  for (const text of ['', 'x', '0.0.0.u', '00000000001.1.1.x', '00000000001.1.1.u/x', '00000000001.1.1'])
    it(`the key of a change is not read from ${JSON.stringify(text)}`, () =>
      assert.equal(decodeChangeKey(text), undefined));
});

const howToUpdate =
  'stores contain such changes until their retention has passed: another format needs another number, and the old one must still be read';

describe('a change that commit e6a56bf6 recorded', () => {
  const own = '00000000cqs.lwuvpcp4.ya.u';
  const head =
    '{"format":1,"verb":"patch","subresource":"status","user":"jane \\"ä\\"\\n","impersonator":"root","manager":"kubectl","content":"json"}';

  it('a change that commit e6a56bf6 recorded has a key that is read, and written as the same text', () => {
    const key = { base: 16_516, timeMs: 1_717_171_717_000, bytes: 1234, kind: 'updated' } as const;
    assert.deepEqual(decodeChangeKey(own), key, howToUpdate);
    assert.equal(encodeChangeKey(key, ''), own, howToUpdate);
  });

  it('a change that commit e6a56bf6 recorded has a value that is read, and written as the same bytes', () => {
    const json = Buffer.from('{"data":{"a":"1"}}');
    const bytes = Buffer.from(`${head}\n${json}`);
    assert.deepEqual(decodeChange(bytes), { ...facts, old: json, leftOut: '' }, howToUpdate);
    assert.equal(String(encodeChange(facts, { json }, 1000)), String(bytes), howToUpdate);
  });
});

describe('the value of a change', () => {
  for (const [title, json] of [
    ['small', Buffer.from('{"a":"\n"}')],
    ['large', Buffer.from(JSON.stringify({ a: 'x'.repeat(900_000) }))],
    ['empty', Buffer.alloc(0)],
  ] as const) {
    it(`the value of a change has the facts and a ${title} state as they were`, () => {
      const value = encodeChange(facts, { json }, 1_000_000);
      assert.ok(value.length < 100_000);
      assert.deepEqual(decodeChange(value), { ...facts, old: json, leftOut: '' });
    });
  }

  it('the value of a change leaves out a state for which there is no room, or that could not be read, with the reason', () => {
    const large = encodeChange(facts, { json: randomBytes(200_000) }, 100_000);
    assert.deepEqual(decodeChange(large), { ...facts, old: undefined, leftOut: 'tooLarge' });
    const unreadable = encodeChange(facts, 'unreadable', 100_000);
    assert.deepEqual(decodeChange(unreadable), { ...facts, old: undefined, leftOut: 'unreadable' });
    assert.deepEqual(decodeChange(encodeChange(facts, undefined, 0)), {
      ...facts,
      old: undefined,
      leftOut: '',
    });
  });

  it('the value of a change is not read from damaged bytes, or from those of a later format', () => {
    const value = encodeChange(facts, { json: Buffer.alloc(100_000, 'x') }, 1_000_000);
    const end = value.indexOf('\n');
    const cut = value.subarray(0, value.length - 5);
    for (const bytes of [
      Buffer.alloc(0),
      value.subarray(0, end),
      cut,
      Buffer.from('{"format":2}\n'),
      Buffer.from('x\n'),
    ])
      assert.equal(decodeChange(bytes), undefined);
  });
});
