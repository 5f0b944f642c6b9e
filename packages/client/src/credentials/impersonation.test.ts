import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { files } from '../config/testing/files.ts';
import { clients } from '../transport/testing/certificates.ts';
import { certificateCredentials } from './certificate.ts';
import { withCertificate } from './combined.ts';
import { basicCredentials, fixedCredentials, noCredentials, tokenCredentials } from './fixed.ts';
import { type Impersonation, impersonatingCredentials } from './impersonation.ts';
import { tokenFileCredentials } from './token-file.ts';

const { signal } = new AbortController();
const ann: Impersonation = { user: 'ann' };

describe('constant credentials', () => {
  for (const [what, credentials, headers] of [
    ['anonymous access', noCredentials(), {}],
    ['a token', tokenCredentials('abc'), { authorization: 'Bearer abc' }],
    // The example of RFC 7617 section 2.1, whose password is not ASCII.
    ['a user with a password', basicCredentials('test', '123£'), { authorization: 'Basic dGVzdDoxMjPCow==' }],
  ] as const) {
    it(`the headers of ${what} are sent, and there is no alternative after a rejection`, async () => {
      const identity = await credentials.current(signal);
      assert.deepEqual(identity, { headers });
      assert.equal(credentials.rejected(identity), false);
    });
  }
});

describe('impersonation by headers', () => {
  for (const [what, impersonation, headers] of [
    ['a user', ann, { 'impersonate-user': 'ann' }],
    ['a uid', { ...ann, uid: '7' }, { 'impersonate-user': 'ann', 'impersonate-uid': '7' }],
    [
      'groups, one header each,',
      { ...ann, groups: ['a,b', 'c'] },
      { 'impersonate-user': 'ann', 'impersonate-group': ['a,b', 'c'] },
    ],
    ['no groups', { ...ann, groups: [] }, { 'impersonate-user': 'ann' }],
    [
      'extra values, with names in lower case and percent-encoded,',
      {
        ...ann,
        extra: new Map([
          ['Scopes', ['view', 'edit']],
          ['acme.com/50%é', ['x']],
          ['none', []],
        ]),
      },
      {
        'impersonate-user': 'ann',
        'impersonate-extra-scopes': ['view', 'edit'],
        'impersonate-extra-acme.com%2f50%25%c3%a9': ['x'],
      },
    ],
    [
      'extra names that differ in case only',
      {
        ...ann,
        extra: new Map([
          ['a', ['1']],
          ['A', ['2']],
        ]),
      },
      { 'impersonate-user': 'ann', 'impersonate-extra-a': ['1', '2'] },
    ],
    ['text beyond ASCII as UTF-8 bytes', { user: 'jörg' }, { 'impersonate-user': 'j\u00c3\u00b6rg' }],
  ] as const) {
    it(`impersonation of ${what} is sent in headers`, async () => {
      const { headers: sent } = await impersonatingCredentials(noCredentials(), impersonation).current(
        signal,
      );
      assert.deepEqual(sent, headers);
    });
  }

  it('impersonating requests use the credentials of the actual user', async () => {
    const own = fixedCredentials({ headers: { authorization: 'Bearer abc' }, tls: clients.one });
    const identity = await impersonatingCredentials(own, ann).current(signal);
    assert.deepEqual(identity, {
      headers: { authorization: 'Bearer abc', 'impersonate-user': 'ann' },
      tls: clients.one,
    });
  });
});

describe('combined credentials', () => {
  const setup = () => {
    const env = { clock: new FakeClock() };
    const held = files({ token: 'abc', cert: clients.one.cert, key: clients.one.key });
    const certificate = certificateCredentials({
      cert: { path: held.path('cert') },
      key: { path: held.path('key') },
      env,
    });
    const token = tokenFileCredentials({ path: held.path('token'), env });
    return { held, credentials: impersonatingCredentials(withCertificate(token, certificate), ann) };
  };

  it('a token file with certificate files is one identity while neither changes', async () => {
    const { held, credentials } = setup();
    using _ = held;
    assert.equal(await credentials.current(signal), await credentials.current(signal));
  });

  it('combined credentials are retried when a part differs from the rejected one', async () => {
    const { held, credentials } = setup();
    using _ = held;
    let changes = 0;
    credentials.onTlsChange(() => changes++);
    const first = await credentials.current(signal);
    assert.equal(credentials.rejected(first), false);
    held.write('token', 'def');
    assert.equal(credentials.rejected(first), true);
    const second = await credentials.current(signal);
    assert.deepEqual(second.headers, { authorization: 'Bearer def', 'impersonate-user': 'ann' });
    assert.equal(credentials.rejected(second), false);
    held.write('cert', clients.two.cert);
    held.write('key', clients.two.key);
    assert.equal(credentials.rejected(second), true);
    assert.deepEqual((await credentials.current(signal)).tls, clients.two);
    assert.equal(changes, 1);
  });

  it('combined credentials are not retried for a foreign identity', () => {
    const { held, credentials } = setup();
    using _ = held;
    assert.equal(credentials.rejected({ headers: {} }), false);
  });
});
