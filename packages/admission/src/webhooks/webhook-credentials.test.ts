import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WebhookAddress } from '@orch/auth';
import { namesFor } from '@orch/machinery';
import { ConfigFileError, ConfigValue } from '@orch/machinery/yaml';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import { pluginFilesOf } from '../testing/plugin-files.ts';
import { type CredentialsFor, webhookCredentials } from './webhook-credentials.ts';

const names = namesFor('orch');
const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
const [pair, otherPair] = ['a', 'b'].map((commonName) => testCertificate({ commonName, use: 'client' })) as [
  KeyPair,
  KeyPair,
];
const users = `
users:
- {name: a.shop.svc, user: {token: service}}
- {name: 'b.shop.svc:8443', user: {token: port}}
- {name: '*.shop.svc', user: {token: wildcard}}
- {name: '*.svc', user: {token: shorter}}
- {name: hooks.example.com, user: {username: u, password: p}}
- {name: 'hooks.example.com:8443', user: {token: 'host and port'}}
- {name: '*.example.com', user: {client-certificate-data: ${base64(pair.cert)}, client-key-data: ${base64(pair.key)}}}
`;
const withDefault = `${users}- {name: '*', user: {token: default}}\n`;
const withCurrent = `${users}- {name: me, user: {tokenFile: token}}
current-context: c
contexts: [{name: c, context: {user: me, cluster: none}}]
`;

const read = (clients: string, configuration = 'kubeConfigFile: clients.yaml'): CredentialsFor =>
  credentialsOf(
    `apiVersion: apiserver.config.orch.io/v1\nkind: WebhookAdmissionConfiguration\n${configuration}\n`,
    { '/etc/admission/clients.yaml': clients, '/etc/admission/token': 'from a file\n' },
  );

const credentialsOf = (configuration: string, files: Readonly<Record<string, string>>): CredentialsFor =>
  webhookCredentials(ConfigValue.parse(configuration, '/etc/admission/hooks.yaml'), optionsFor(files))
    .current;

const optionsFor = (files: Readonly<Record<string, string>>) => ({
  names,
  plugin: 'ValidatingAdmissionWebhook',
  openFile: pluginFilesOf(files),
});

const service = (name: string, namespace: string, port = 443): WebhookAddress['at'] => ({
  name,
  namespace,
  port,
  path: '/',
});

const table: readonly (readonly [
  what: string,
  clients: string,
  at: WebhookAddress['at'],
  expected: string | undefined,
])[] = [
  ['a service by its name', users, service('a', 'shop'), 'Bearer service'],
  ['a service on another port by its wildcard', users, service('a', 'shop', 8443), undefined],
  ['a service by name and port', users, service('b', 'shop', 8443), 'Bearer port'],
  ['a service by a wildcard for its namespace', users, service('b', 'shop'), 'Bearer wildcard'],
  ['a service by a wildcard for all services', users, service('b', 'bank'), 'Bearer shorter'],
  ['a URL by its host', users, 'https://hooks.example.com/x', 'Basic dTpw'],
  ['a URL with the usual port by its host', users, 'https://hooks.example.com:443/x', 'Basic dTpw'],
  ['a URL by host and port', users, 'https://hooks.example.com:8443/x', 'Bearer host and port'],
  ['a URL by a wildcard', users, 'https://other.example.com', 'certificate'],
  ['a URL on another port without an entry', users, 'https://other.example.com:8443', undefined],
  ['a URL without an entry', users, 'https://example.com', undefined],
  ['a URL by the default', withDefault, 'https://example.com', 'Bearer default'],
  ['a URL by the user of the current context', withCurrent, 'https://example.com', 'Bearer from a file'],
];

describe('credentials for webhooks', () => {
  for (const [what, clients, at, expected] of table)
    it(`credentials of webhooks for ${what} are ${expected ?? 'none'}`, () => {
      const found = read(clients)(at);
      assert.equal(found?.identity === undefined ? found?.authorization : 'certificate', expected);
    });

  it('credentials for webhooks include the certificate and the key', () => {
    assert.deepEqual(read(users)('https://other.example.com')?.identity, {
      cert: pair.cert,
      key: pair.key,
    });
  });

  it('credentials for webhooks are absent without a configuration, or a file in it', () => {
    assert.equal(webhookCredentials(undefined, optionsFor({})).current('https://a'), undefined);
    assert.equal(read('', '')('https://hooks.example.com'), undefined);
  });

  it('credentials for webhooks are read from a configuration of the older version, which has another kind', () => {
    const text = `apiVersion: apiserver.config.orch.io/v1alpha1\nkind: WebhookAdmission\nkubeConfigFile: /c\n`;
    assert.equal(credentialsOf(text, { '/c': users })(service('a', 'shop'))?.authorization, 'Bearer service');
  });

  for (const [what, configuration, clients, message] of [
    ['another field', 'kubeconfigFile: x', users, /unknown field "kubeconfigFile"/],
    ['a missing file', 'kubeConfigFile: none', users, /line 3: kubeConfigFile: no such file/],
    [
      'a broken file',
      undefined,
      'users: [{name: a, user: 7}]',
      /line 3: kubeConfigFile: clients\.yaml: line 1: /,
    ],
    [
      'a certificate without its key',
      undefined,
      `users: [{name: a, user: {client-certificate-data: ${base64(pair.cert)}, client-key-data: ${base64(otherPair.key)}}}]`,
      /clients\.yaml: line 1: user: client-certificate and client-key: .*mismatch/,
    ],
    ['a command', undefined, 'users: [{name: a, user: {exec: {command: x}}}]', /exec: is not supported/],
  ] as const)
    it(`credentials for webhooks are an error of the configuration with ${what}`, () => {
      assert.throws(
        () => read(clients, configuration),
        (error) => error instanceof ConfigFileError && message.test(error.message),
      );
    });
});
