import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeYaml } from '@orch/machinery/yaml';
import { clients, serving } from '../transport/testing/certificates.ts';
import { files } from './testing/files.ts';
import { base64, load, loadOne, server, signal, simple } from './testing/load.ts';

describe('clusters of client configuration files', () => {
  for (const [what, entries, expected] of [
    ['nothing but a server', {}, {}],
    [
      'authorities as data',
      { cluster: { 'certificate-authority-data': base64(serving.cert) } },
      { ca: serving.cert },
    ],
    [
      'authorities in a file of its folder',
      { cluster: { 'certificate-authority': 'pki/ca.crt' } },
      { ca: serving.cert },
    ],
    [
      'authorities as data with precedence over a file',
      { cluster: { 'certificate-authority': 'nowhere', 'certificate-authority-data': base64(serving.cert) } },
      { ca: serving.cert },
    ],
    ['another server name', { cluster: { 'tls-server-name': 'api.test' } }, { tlsServerName: 'api.test' }],
    ['no verification', { cluster: { 'insecure-skip-tls-verify': true } }, { insecureSkipTlsVerify: true }],
    ['a proxy', { cluster: { 'proxy-url': 'socks5://p.test' } }, { proxyUrl: 'socks5://p.test' }],
    ['no compression', { cluster: { 'disable-compression': true } }, { disableCompression: true }],
    ['a namespace', { context: { namespace: 'team-a' } }, { namespace: 'team-a' }],
    ['null and empty fields', { cluster: { 'proxy-url': '', 'tls-server-name': null } }, {}],
    ['unknown fields', { cluster: { colour: 'red', extensions: [{ name: 'x', extension: 1 }] } }, {}],
  ] as const) {
    it(`a cluster of a client configuration file can have ${what}`, async () => {
      const { settings } = await loadOne(simple(entries), { 'pki/ca.crt': serving.cert });
      const { credentials: _, ...rest } = settings;
      assert.deepEqual(rest, {
        server,
        insecureSkipTlsVerify: false,
        disableCompression: false,
        ...expected,
      });
    });
  }
});

describe('users of client configuration files', () => {
  const held = { token: 'abc\n', 'ann.crt': clients.one.cert, 'ann.key': clients.one.key };
  const inFiles = { 'client-certificate': 'ann.crt', 'client-key': './ann.key' };
  const bearer = { authorization: 'Bearer abc' };
  for (const [what, user, expected] of [
    ['no credentials', {}, { headers: {} }],
    ['a token', { token: 'abc' }, { headers: bearer }],
    ['a token in a file', { tokenFile: 'token' }, { headers: bearer }],
    [
      'a token in a file with precedence over a token',
      { tokenFile: 'token', token: 'old' },
      { headers: bearer },
    ],
    [
      'a token as the fallback for a missing file',
      { tokenFile: 'nowhere', token: 'abc' },
      { headers: bearer },
    ],
    [
      'a name and a password',
      { username: 'ann', password: 'pw' },
      { headers: { authorization: `Basic ${base64('ann:pw')}` } },
    ],
    ['a certificate in files', inFiles, { headers: {}, tls: clients.one }],
    [
      'a certificate as data with precedence over files',
      {
        'client-certificate': 'nowhere',
        'client-certificate-data': base64(clients.one.cert),
        'client-key-data': base64(clients.one.key),
      },
      { headers: {}, tls: clients.one },
    ],
    ['a certificate and a token', { ...inFiles, token: 'abc' }, { headers: bearer, tls: clients.one }],
    [
      'impersonation',
      { token: 'abc', as: 'bob', 'as-uid': '7', 'as-groups': ['x', 'y'], 'as-user-extra': { scopes: ['v'] } },
      {
        headers: {
          ...bearer,
          'impersonate-user': 'bob',
          'impersonate-uid': '7',
          'impersonate-group': ['x', 'y'],
          'impersonate-extra-scopes': ['v'],
        },
      },
    ],
  ] as const) {
    it(`a user of a client configuration file can have ${what}`, async () => {
      assert.deepEqual((await loadOne(simple({ user }), held)).identity, expected);
    });
  }

  it('a context of a client configuration file can be without a user', async () => {
    using folder = files({ config: simple({ context: { user: '' } }) });
    const { credentials } = await load([folder.path('config')]);
    assert.deepEqual(await credentials.current(signal), { headers: {} });
  });
});

describe('names of properties of Object.prototype', () => {
  it('names of properties of Object.prototype are ordinary names in client configuration files', async () => {
    const text = encodeYaml({
      'current-context': 'constructor',
      contexts: [{ name: 'constructor', context: { cluster: 'toString', user: '__proto__' } }],
      clusters: [{ name: 'toString', cluster: { server } }],
      users: [{ name: '__proto__', user: { token: 'abc' } }],
    }).toString();
    assert.deepEqual((await loadOne(text)).identity, { headers: { authorization: 'Bearer abc' } });
  });

  it('names of properties of Object.prototype as fields of a client configuration file have no effect', async () => {
    const text = `${simple({})}__proto__: {current-context: there, token: abc}\n`.replace(
      'user: {}',
      'user: {__proto__: {token: abc, username: x}}',
    );
    assert.match(text, /user: \{__proto__/);
    assert.deepEqual((await loadOne(text)).identity, { headers: {} });
    assert.equal(({} as { token?: string }).token, undefined);
  });
});
