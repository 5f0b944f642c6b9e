import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clients, serving } from '../transport/testing/certificates.ts';
import { files } from './testing/files.ts';
import { base64, load, simple } from './testing/load.ts';

describe('errors of client configuration files', () => {
  const plugin = { apiVersion: 'client.authentication.orch.io/v1', command: 'x', interactiveMode: 'Never' };
  const provider = (config: object) => ({ 'auth-provider': { name: 'oidc', config } });
  const issuer = { 'idp-issuer-url': 'https://idp.test', 'client-id': 'c' };
  for (const [entries, field, problem] of [
    [{ cluster: { server: '' } }, 'clusters[0].cluster.server', 'is missing'],
    [{ cluster: { server: 'one' } }, 'clusters[0].cluster.server', '"one" is not an absolute URL'],
    [{ cluster: { server: 5 } }, 'clusters[0].cluster.server', 'expected a string, not a number'],
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
      'expected true or false, not a string',
    ],
    [{ cluster: { 'proxy-url': 'ftp://u:secret@x' } }, 'clusters[0].cluster.proxy-url', /scheme "ftp:"/],
    [{ context: { cluster: 'two' } }, 'contexts[0].context.cluster', /none named "two" among the clusters/],
    [{ context: { cluster: '' } }, 'contexts[0].context.cluster', 'is missing'],
    [{ context: { user: '__proto__' } }, 'contexts[0].context.user', /none named "__proto__"/],
    [{ user: { token: 12345 } }, 'users[0].user.token', 'expected a string, not a number'],
    [{ user: { token: 'secret\nx' } }, 'users[0].user.token', /a token cannot have/],
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
    [{ user: { as: 'a', 'as-groups': ['x', 5] } }, 'users[0].user.as-groups[1]', /expected a string/],
    [
      { user: { as: 'a', 'as-user-extra': { x: 'y' } } },
      'users[0].user.as-user-extra.x',
      'expected a list, not a string',
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
    [{ user: { exec: { ...plugin, args: [1] } } }, 'users[0].user.exec.args[0]', /expected a string/],
    [{ user: { exec: { ...plugin, env: [{}] } } }, 'users[0].user.exec.env[0].name', 'is missing'],
    [{ user: { exec: { ...plugin, env: [{ name: 'A=B' }] } } }, 'users[0].user.exec.env[0].name', /variable/],
    [{ user: { exec: plugin, ...provider(issuer) } }, 'users[0].user.auth-provider', /contradicts exec/],
    [
      { user: { 'auth-provider': { name: 'x' } } },
      'users[0].user.auth-provider.name',
      /only supported provider/,
    ],
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
        const message = error.message.slice(start.length);
        if (typeof problem === 'string') assert.equal(message, problem);
        else assert.match(message, problem);
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
      /: users\[2\]\.name: "a" is duplicated$/,
    ],
    ['has a string instead of a list', 'users: secret', /: users: expected a list, not a string$/],
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
