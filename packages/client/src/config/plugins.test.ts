import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import { clients, serving } from '../transport/testing/certificates.ts';
import { type ClientConfigOptions, loadClientConfig } from './client-config.ts';
import { files } from './testing/files.ts';

const { signal } = new AbortController();
const server = 'https://one.test:6443';

/** Prints a token that contains its input: `<arguments> <variable> <server> <region>`. */
const plugin = `#!${process.execPath}
const info = JSON.parse(process.env[process.argv[2]]);
const { server, config } = info.spec.cluster ?? {};
const token = [process.argv.slice(3).join('+'), process.env.COLOUR, server, config?.region].join('_');
console.log(JSON.stringify({ ...info, status: { token } }));
`;

const fileWith = (user: object, cluster: object = {}): string =>
  encodeYaml({
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'one', user: 'ann' } }],
    clusters: [{ name: 'one', cluster: { server, ...cluster } }],
    users: [{ name: 'ann', user }],
  }).toString();

const optionsFor = (path: string): ClientConfigOptions => ({
  env: { clock: new FakeClock(Date.UTC(2026, 0, 1)) },
  names: namesFor('orch'),
  files: [path],
  environment: {},
});

describe('plugins of client configuration files', () => {
  for (const naming of namings) {
    for (const version of ['v1', 'v1beta1']) {
      it(`an exec plugin runs in the folder of the file with its arguments and variables (${naming}, ${version})`, async () => {
        using folder = files({ 'bin/plugin': plugin });
        chmodSync(folder.path('bin/plugin'), 0o755);
        const names = namesFor(naming);
        const exec = {
          apiVersion: names.apiVersion('clientauthentication', version),
          command: 'bin/plugin',
          args: [names.environment.execInfo, 'a', 'b'],
          env: [{ name: 'COLOUR', value: 'red' }],
          provideClusterInfo: true,
          interactiveMode: 'Never',
        };
        const extensions = [
          { name: 'other', extension: { region: 'never' } },
          { name: `${names.group('clientauthentication')}/exec`, extension: { region: 'north' } },
        ];
        const path = folder.write('config', fileWith({ exec }, { extensions }));
        const { credentials } = await loadClientConfig({ ...optionsFor(path), names });
        assert.deepEqual((await credentials.current(signal)).headers, {
          authorization: `Bearer a+b_red_${server}_north`,
        });
      });
    }
  }

  it('an exec plugin without provideClusterInfo gets no cluster information, and its certificate is combined with the file', async () => {
    using folder = files({ plugin });
    chmodSync(folder.path('plugin'), 0o755);
    const names = namesFor('orch');
    const exec = {
      apiVersion: names.apiVersion('clientauthentication', 'v1'),
      command: './plugin',
      args: [names.environment.execInfo],
      interactiveMode: 'IfAvailable',
    };
    const { cert, key } = clients.one;
    const pair = {
      'client-certificate': folder.write('c', cert),
      'client-key': folder.write('k', key),
    };
    const path = folder.write('config', fileWith({ exec, ...pair, as: 'bob' }));
    const { credentials } = await loadClientConfig(optionsFor(path));
    assert.deepEqual(await credentials.current(signal), {
      headers: { authorization: 'Bearer ___', 'impersonate-user': 'bob' },
      tls: { cert, key },
    });
  });

  it('an exec plugin does not run while the file has a token', async () => {
    const names = namesFor('orch');
    const exec = {
      apiVersion: names.apiVersion('clientauthentication', 'v1beta1'),
      command: './nowhere',
    };
    for (const [user, authorization] of [
      [{ exec, token: 'abc' }, 'Bearer abc'],
      [{ exec, username: 'a', password: 'b' }, 'Basic YTpi'],
    ] as const) {
      using folder = files({ config: fileWith(user) });
      const { credentials } = await loadClientConfig(optionsFor(folder.path('config')));
      assert.deepEqual((await credentials.current(signal)).headers, { authorization });
    }
  });
});

describe('OIDC providers of client configuration files', () => {
  it('the id token of the file is used while it is valid', async () => {
    const claims = Buffer.from(JSON.stringify({ exp: Date.UTC(2027, 0, 1) / 1000 })).toString('base64url');
    const idToken = `e30.${claims}.c2ln`;
    const config = {
      'idp-issuer-url': 'https://idp.test',
      'client-id': 'me',
      'id-token': idToken,
      'idp-certificate-authority': 'ca.crt',
    };
    using folder = files({
      'ca.crt': serving.cert,
      config: fileWith({ 'auth-provider': { name: 'oidc', config } }),
    });
    const { credentials } = await loadClientConfig(optionsFor(folder.path('config')));
    assert.deepEqual((await credentials.current(signal)).headers, { authorization: `Bearer ${idToken}` });
  });
});
