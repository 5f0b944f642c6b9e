import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proxiedUser } from './proxied-user.ts';
import type { ProxyTrust } from './proxy-trust.ts';

const trust: ProxyTrust = {
  authorities: 'PEM',
  usernameHeaders: ['X-Remote-User', 'X-User'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
  uidHeaders: ['X-Remote-Uid'],
  allowedNames: ['front-proxy-client'],
};
const proxy = { isAuthorized: true, commonName: 'front-proxy-client' };
const fields = ['x-remote-user', 'jane'];

describe('the user of a proxied request', () => {
  it('the user of a proxied request has the name, uid, groups and extras of the header fields', () => {
    const jose = Buffer.from('Jösé').toString('latin1');
    const raw = [
      ...['X-Remote-User', jose, 'X-Remote-Uid', 'u-1'],
      ...['X-Remote-Group', 'a,b', 'x-remote-group', 'c'],
      ...['X-Remote-Extra-Example.com%2fScope', 'one', 'x-remote-extra-example.com%2fscope', 'two'],
      ...['x-remote-extra-100%', 'three', 'x-remote-extra-__proto__', 'four', 'other', 'x'],
    ];
    const user = proxiedUser(trust, proxy, raw);
    assert.deepEqual([user?.name, user?.uid, user?.groups], ['Jösé', 'u-1', ['a,b', 'c']]);
    assert.deepEqual(Object.entries(user?.extra ?? {}), [
      ['example.com/scope', ['one', 'two']],
      ['100%', ['three']],
      ['__proto__', ['four']],
    ]);
  });

  for (const [title, connection, raw] of [
    ['a connection without a valid certificate', { ...proxy, isAuthorized: false }, fields],
    ['a certificate with another name', { ...proxy, commonName: 'someone' }, fields],
    ['a certificate without a name', { ...proxy, commonName: undefined }, fields],
    ['no name of a user', proxy, ['x-remote-group', 'system:masters']],
    ['an empty name of a user', proxy, ['x-remote-user', '']],
  ] as const)
    it(`the user of a proxied request does not exist for ${title}`, () => {
      assert.equal(proxiedUser(trust, connection, raw), undefined);
    });

  it('the user of a proxied request may come from a certificate with any name when none is configured', () => {
    const any = { ...trust, allowedNames: [] };
    assert.equal(proxiedUser(any, { ...proxy, commonName: 'someone' }, fields)?.name, 'jane');
    assert.equal(proxiedUser(any, { ...proxy, commonName: '' }, fields), undefined);
  });
});
