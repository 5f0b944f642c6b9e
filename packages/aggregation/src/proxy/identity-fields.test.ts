import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { encodedKey, identityFields } from './identity-fields.ts';

const jane = { name: 'jane', uid: '', groups: [], extra: {} };

/** As receivers read a key: in lower case, then decoded (access control, 5.8). */
const readKey = (sent: string): string => decodeURIComponent(sent.toLowerCase());

describe('header fields that name the user of a proxied request', () => {
  it('name, uid, groups and extras have a field each, and absent parts have none', () => {
    assert.deepEqual(identityFields(jane), { 'x-remote-user': 'jane' });
    const user = {
      name: 'jane',
      uid: '7',
      groups: ['a,b', 'c'],
      extra: { 'example.com/Team': ['x', ''], none: [] },
    };
    assert.deepEqual(identityFields(user), {
      'x-remote-user': 'jane',
      'x-remote-uid': '7',
      'x-remote-group': ['a,b', 'c'],
      'x-remote-extra-example.com%2F%54eam': ['x', ''],
    });
  });

  it('keys of extras are read as they were, whatever characters they have', () => {
    for (const key of ['plain', 'A', 'a', 'a/b', '%', '%41', 'é', '日本', 'a b', 'a:b', '"', '\n', '']) {
      const sent = encodedKey(key);
      assert.match(sent, /^[!#$%&'*+\-.^_`|~0-9A-Za-z]*$/, key);
      assert.equal(readKey(sent), key);
    }
  });

  it('values are sent as UTF-8 bytes', () => {
    const { 'x-remote-user': name } = identityFields({ ...jane, name: 'José' });
    assert.equal(Buffer.from(String(name), 'latin1').toString(), 'José');
  });

  for (const [what, part] of [
    ['an empty name', { name: '' }],
    ['a name with a line end', { name: 'jane\r\nX-Remote-User: admin' }],
    ['a name with a null character', { name: 'jane\0' }],
    ['a name with a blank at its end', { name: 'admin ' }],
    ['a name with a blank at its beginning', { name: ' admin' }],
    ['a name with half a surrogate pair', { name: 'jane\ud800' }],
    ['a uid with a tab', { uid: '\t1' }],
    ['a group with a blank at its end', { groups: ['system:masters '] }],
    ['an extra with a line end', { extra: { a: ['b\nc'] } }],
  ] as const)
    it(`${what} is refused, since it would arrive as another identity`, () => {
      assert.throws(
        () => identityFields({ ...jane, ...part }),
        (error) => error instanceof ApiError && error.status.code === 403,
      );
    });
});
