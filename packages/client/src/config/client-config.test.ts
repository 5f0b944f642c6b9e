import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { encodeYaml, namesFor } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { clients, serving } from '../transport/testing/certificates.ts';
import { type ContextChoice, loadClientConfig, readClientConfig } from './client-config.ts';
import { type Files, files } from './testing/files.ts';
import type { ConnectionSettings } from './types.ts';

const { signal } = new AbortController();
const server = 'https://one.test:6443';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Entries {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
}

/** A file with one context, `here`, of the cluster `one` and the user `ann`. */
const simple = ({ cluster = {}, user = {}, context = {} }: Entries = {}): string =>
  encodeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'one', user: 'ann', ...context } }],
    clusters: [{ name: 'one', cluster: { server, ...cluster } }],
    users: [{ name: 'ann', user }],
  }).toString();

const load = (paths: readonly string[], choice: ContextChoice = {}): Promise<ConnectionSettings> =>
  loadClientConfig({
    env: { clock: new FakeClock() },
    names: namesFor('orch'),
    files: paths,
    environment: {},
    ...choice,
  });

/** Loads one file that lies in a folder with others. */
async function loadOne(text: string, others: Readonly<Record<string, string>> = {}) {
  using folder = files({ ...others, config: text });
  const settings = await load([folder.path('config')]);
  return { settings, identity: await settings.credentials.current(signal) };
}

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

describe('errors of client configuration files', () => {
  const plugin = { apiVersion: 'client.authentication.orch.io/v1', command: 'x', interactiveMode: 'Never' };
  const provider = (config: object) => ({ 'auth-provider': { name: 'oidc', config } });
  const issuer = { 'idp-issuer-url': 'https://idp.test', 'client-id': 'c' };
  for (const [entries, field, problem] of [
    [{ cluster: { server: '' } }, 'clusters[0].cluster.server', 'is missing'],
    [{ cluster: { server: 'one' } }, 'clusters[0].cluster.server', '"one" is not an absolute URL'],
    [{ cluster: { server: 5 } }, 'clusters[0].cluster.server', 'expected a text, not a number'],
    [
      { cluster: { 'certificate-authority-data': '%' } },
      'clusters[0].cluster.certificate-authority-data',
      'is not base64',
    ],
    [
      { cluster: { 'certificate-authority-data': base64('x') } },
      'clusters[0].cluster.certificate-authority-data',
      'holds no certificate in PEM',
    ],
    [
      { cluster: { 'certificate-authority': 'nowhere' } },
      'clusters[0].cluster.certificate-authority',
      /cannot be read: ENOENT/,
    ],
    [
      { cluster: { 'certificate-authority-data': base64(serving.cert), 'insecure-skip-tls-verify': true } },
      'clusters[0].cluster.insecure-skip-tls-verify',
      /contradicts/,
    ],
    [
      { cluster: { 'insecure-skip-tls-verify': 'yes, please' } },
      'clusters[0].cluster.insecure-skip-tls-verify',
      'expected true or false, not a text',
    ],
    [{ cluster: { 'proxy-url': 'ftp://u:secret@x' } }, 'clusters[0].cluster.proxy-url', /scheme "ftp:"/],
    [{ context: { cluster: 'two' } }, 'contexts[0].context.cluster', /none named "two" among the clusters/],
    [{ context: { cluster: '' } }, 'contexts[0].context.cluster', 'is missing'],
    [{ context: { user: '__proto__' } }, 'contexts[0].context.user', /none named "__proto__"/],
    [{ user: { token: 12345 } }, 'users[0].user.token', 'expected a text, not a number'],
    [{ user: { token: 'secret\nx' } }, 'users[0].user.token', /no token can have/],
    [{ user: { tokenFile: 'nowhere' } }, 'users[0].user.tokenFile', /cannot be read: ENOENT/],
    [{ user: { password: 'secret' } }, 'users[0].user.username', /is missing/],
    [{ user: { username: 'a:b' } }, 'users[0].user.username', 'must not have a colon'],
    [{ user: { username: 'a', token: 'secret' } }, 'users[0].user.username', /contradicts the token/],
    [
      { user: { 'client-key-data': base64(clients.one.key) } },
      'users[0].user.client-certificate',
      /is missing/,
    ],
    [
      { user: { 'client-certificate-data': base64(clients.one.cert) } },
      'users[0].user.client-key',
      /is missing/,
    ],
    [
      {
        user: {
          'client-certificate-data': base64(clients.one.cert),
          'client-key-data': base64(clients.two.key),
        },
      },
      'users[0].user.client-key-data',
      'does not belong to the certificate',
    ],
    [{ user: { 'as-groups': ['x'] } }, 'users[0].user.as', /is missing/],
    [{ user: { as: 'a\nb' } }, 'users[0].user.as', /no header can have/],
    [{ user: { as: 'a', 'as-groups': ['x', 5] } }, 'users[0].user.as-groups[1]', /expected a text/],
    [
      { user: { as: 'a', 'as-user-extra': { x: 'y' } } },
      'users[0].user.as-user-extra.x',
      'expected a list, not a text',
    ],
    [{ user: { exec: [] } }, 'users[0].user.exec', 'expected an object, not a list'],
    [{ user: { exec: { ...plugin, command: '' } } }, 'users[0].user.exec.command', 'is missing'],
    [{ user: { exec: { ...plugin, apiVersion: null } } }, 'users[0].user.exec.apiVersion', 'is missing'],
    [
      { user: { exec: { ...plugin, apiVersion: 'client.authentication.k8s.io/v1' } } },
      'users[0].user.exec.apiVersion',
      'must be client.authentication.orch.io/v1 or client.authentication.orch.io/v1beta1',
    ],
    [
      { user: { exec: { ...plugin, interactiveMode: null } } },
      'users[0].user.exec.interactiveMode',
      'is missing',
    ],
    [
      { user: { exec: { ...plugin, interactiveMode: 'Sometimes' } } },
      'users[0].user.exec.interactiveMode',
      'must be one of Never, IfAvailable, Always',
    ],
    [{ user: { exec: { ...plugin, args: [1] } } }, 'users[0].user.exec.args[0]', /expected a text/],
    [{ user: { exec: { ...plugin, env: [{}] } } }, 'users[0].user.exec.env[0].name', 'is missing'],
    [{ user: { exec: { ...plugin, env: [{ name: 'A=B' }] } } }, 'users[0].user.exec.env[0].name', /variable/],
    [{ user: { exec: plugin, ...provider(issuer) } }, 'users[0].user.auth-provider', /contradicts exec/],
    [{ user: { 'auth-provider': { name: 'x' } } }, 'users[0].user.auth-provider.name', /only provider/],
    [{ user: { 'auth-provider': { name: 'oidc' } } }, 'users[0].user.auth-provider.config', 'is missing'],
    [
      { user: provider({ ...issuer, 'client-id': '' }) },
      'users[0].user.auth-provider.config.client-id',
      'is missing',
    ],
    [
      { user: provider({ ...issuer, 'idp-issuer-url': 'http://idp.test' }) },
      'users[0].user.auth-provider.config.idp-issuer-url',
      'must be an https URL',
    ],
    [
      { user: provider({ ...issuer, 'idp-certificate-authority': 'nowhere' }) },
      'users[0].user.auth-provider.config.idp-certificate-authority',
      /cannot be read/,
    ],
  ] as const) {
    it(`an error of a client configuration file names the file and ${field}: ${problem}`, async () => {
      using folder = files({ config: simple(entries) });
      const file = folder.path('config');
      await assert.rejects(load([file]), (error: Error & { file?: string; field?: string }) => {
        assert.deepEqual([error.name, error.file, error.field], ['ConfigError', file, field]);
        const start = `${file}: ${field}: `;
        assert.ok(error.message.startsWith(start), error.message);
        const said = error.message.slice(start.length);
        if (typeof problem === 'string') assert.equal(said, problem);
        else assert.match(said, problem);
        assert.doesNotMatch(error.message, /secret|12345/);
        return true;
      });
    });
  }

  for (const [what, text, problem] of [
    ['is not YAML', 'users:\n- token: "secret', /: is not YAML at line \d+, column \d+$/],
    ['contains binary data', '\u0000secret: [', /: is not YAML at line/],
    ['is nested too deeply', `${'['.repeat(100_000)}`, /: goes beyond a limit of YAML at line/],
    ['is a list', '- secret', /: expected an object, not a list$/],
    ['has another kind', 'kind: Secret', /: kind: must be Config$/],
    ['has another version', 'apiVersion: v2', /: apiVersion: must be v1$/],
    ['has no current context', 'kind: Config', /: current-context: is missing, and no context is chosen$/],
    ['is empty', '', /: current-context: is missing/],
    ['names a missing context', 'current-context: x', /: current-context: there is no context named "x"$/],
    ['has an entry without a name', 'users: [{user: {token: secret}}]', /: users\[0\]\.name: is missing$/],
    [
      'has two entries of a name',
      'users: [{name: a}, {name: b}, {name: a}]',
      /: users\[2\]\.name: "a" is there twice$/,
    ],
    ['has a text instead of a list', 'users: secret', /: users: expected a list, not a text$/],
    ['has null as an entry', 'clusters: [null]', /: clusters\[0\]: expected an object, not nothing$/],
  ] as const) {
    it(`a client configuration file that ${what} is rejected without its content`, async () => {
      using folder = files({ config: text });
      await assert.rejects(load([folder.path('config')]), (error: Error) => {
        assert.equal(error.name, 'ConfigError');
        assert.match(error.message, problem);
        assert.ok(error.message.startsWith(folder.path('config')), error.message);
        assert.doesNotMatch(`${error.message} ${error.cause}`, /secret/);
        return true;
      });
    });
  }

  it('a client configuration file that is too long is rejected', async () => {
    using folder = files({ config: '#'.repeat(10 * 1024 * 1024 + 1) });
    await assert.rejects(load([folder.path('config')]), { message: /longer than 10485760 bytes$/ });
  });

  it('a folder as a client configuration file is rejected', async () => {
    using folder = files();
    await assert.rejects(load([folder.folder]), { name: 'ConfigError', message: /cannot be read: EISDIR/ });
  });
});

describe('names of properties of Object.prototype', () => {
  it('are ordinary names in client configuration files', async () => {
    const text = encodeYaml({
      'current-context': 'constructor',
      contexts: [{ name: 'constructor', context: { cluster: 'toString', user: '__proto__' } }],
      clusters: [{ name: 'toString', cluster: { server } }],
      users: [{ name: '__proto__', user: { token: 'abc' } }],
    }).toString();
    assert.deepEqual((await loadOne(text)).identity, { headers: { authorization: 'Bearer abc' } });
  });

  it('as fields of a client configuration file have no effect', async () => {
    const text = `${simple({})}__proto__: {current-context: there, token: abc}\n`.replace(
      'user: {}',
      'user: {__proto__: {token: abc, username: x}}',
    );
    assert.match(text, /user: \{__proto__/);
    assert.deepEqual((await loadOne(text)).identity, { headers: {} });
    assert.equal(({} as { token?: string }).token, undefined);
  });
});

describe('several client configuration files', () => {
  const first = encodeYaml({
    contexts: [{ name: 'here', context: { cluster: 'one', user: 'ann' } }],
    users: [{ name: 'ann', user: { tokenFile: 'token' } }],
  }).toString();
  const second = encodeYaml({
    'current-context': 'here',
    contexts: [
      { name: 'here', context: { cluster: 'nowhere', user: 'nobody', namespace: 'never' } },
      { name: 'there', context: { cluster: 'one', user: 'bob', namespace: 'team-b' } },
    ],
    clusters: [{ name: 'one', cluster: { server } }],
    users: [
      { name: 'ann', user: { token: 'never', username: 'never' } },
      { name: 'bob', user: { tokenFile: 'token' } },
    ],
  }).toString();
  const third = encodeYaml({ 'current-context': 'never' }).toString();
  const setup = (): { folder: Files; paths: readonly string[] } => {
    const folder = files({
      'a/config': first,
      'a/token': 'of-a',
      'b/config': second,
      'b/token': 'of-b',
      'c/config': third,
    });
    return { folder, paths: ['a/config', 'missing', 'b/config', 'c/config'].map(folder.path) };
  };

  for (const [what, choice, authorization, namespace] of [
    ['the first entry of a name takes precedence, and entries are not merged', {}, 'Bearer of-a', undefined],
    ['paths are relative to their file', { context: 'there' }, 'Bearer of-b', 'team-b'],
    ['the caller can override the user', { user: 'bob' }, 'Bearer of-b', undefined],
    ['the caller can override the namespace', { context: 'there', namespace: 'x' }, 'Bearer of-b', 'x'],
    [
      'empty overrides have no effect',
      { context: '', user: '', namespace: '', cluster: '' },
      'Bearer of-a',
      undefined,
    ],
  ] as const) {
    it(`client configuration files are merged: ${what}`, async () => {
      const { folder, paths } = setup();
      using _ = folder;
      const settings = await load([...paths, ''], choice);
      assert.deepEqual(
        [settings.server, settings.namespace, (await settings.credentials.current(signal)).headers],
        [server, namespace, { authorization }],
      );
    });
  }

  it('the contexts of client configuration files can be listed', async () => {
    const { folder, paths } = setup();
    using _ = folder;
    const config = await readClientConfig({
      env: { clock: new FakeClock() },
      names: namesFor('orch'),
      files: paths,
      environment: {},
    });
    assert.equal(config.currentContext, 'here');
    assert.deepEqual(config.contexts, [
      { name: 'here', cluster: 'one', user: 'ann', namespace: undefined },
      { name: 'there', cluster: 'one', user: 'bob', namespace: 'team-b' },
    ]);
  });

  it('no context is required when the caller has chosen a cluster', async () => {
    using folder = files({
      config: encodeYaml({ clusters: [{ name: 'one', cluster: { server } }] }).toString(),
    });
    assert.equal((await load([folder.path('config')], { cluster: 'one' })).server, server);
  });

  for (const [choice, problem] of [
    [{ context: 'x' }, /: contexts: there is none named "x"$/],
    [{ cluster: 'x' }, /: clusters: there is none named "x"$/],
    [{ user: 'x' }, /: users: there is none named "x"$/],
  ] as const) {
    it(`the error for a missing choice names all files: ${JSON.stringify(choice)}`, async () => {
      const { folder, paths } = setup();
      using _ = folder;
      await assert.rejects(load(paths, choice), (error: Error) => {
        assert.match(error.message, problem);
        assert.ok(
          error.message.includes(folder.path('a/config')) && error.message.includes(folder.path('c/config')),
        );
        return true;
      });
    });
  }

  it('at least one client configuration file must exist', async () => {
    using folder = files();
    const missing = join(folder.folder, 'missing');
    await assert.rejects(load([missing]), { message: `${missing}: there is no such file` });
    await assert.rejects(load(['', '']), { message: 'no client configuration file is given' });
  });
});
