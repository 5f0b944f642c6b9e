import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { ConfigFileError } from '@orch/machinery/yaml';
import { type EncryptionRule, readEncryptionConfiguration } from './encryption-configuration.ts';

const names = namesFor('kubernetes');
const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n';

const read = (text: string): readonly EncryptionRule[] =>
  readEncryptionConfiguration({ text, file: 'encryption.yaml', names });

const secretOf = (bytes: number): string => Buffer.alloc(bytes, 'SECRET').toString('base64');
const key = (name = 'a', bytes = 32): string => `{name: ${name}, secret: ${secretOf(bytes)}}`;
const rule = (resources: string, providers = '{identity: {}}'): string =>
  `- resources: [${resources}]\n  providers: [${providers}]\n`;
const one = (...providers: readonly string[]): string => head + rule('secrets', providers.join(', '));
const kms = (fields: string): string => one(`{kms: {${fields}}}`);

describe('encryption configuration file', () => {
  it('all providers are read, in their order', () => {
    const [entry] = read(
      one(
        `{aesgcm: {keys: [${key('one', 16)}, ${key('two', 24)}]}}`,
        `{aescbc: {keys: [${key('three')}]}}`,
        `{secretbox: {keys: [${key('four')}]}}`,
        '{kms: {apiVersion: v2, name: five, endpoint: "unix:///run/kms.sock", timeout: 1s}}',
        '{kms: {name: six, endpoint: "unix:///@abstract", cachesize: -1}}',
        '{identity: {}}',
      ),
    );
    assert.deepEqual(entry?.providers, [
      {
        type: 'aesgcm',
        keys: [
          { name: 'one', secret: Buffer.alloc(16, 'SECRET') },
          { name: 'two', secret: Buffer.alloc(24, 'SECRET') },
        ],
      },
      { type: 'aescbc', keys: [{ name: 'three', secret: Buffer.alloc(32, 'SECRET') }] },
      { type: 'secretbox', keys: [{ name: 'four', secret: Buffer.alloc(32, 'SECRET') }] },
      {
        type: 'kms',
        version: 'v2',
        name: 'five',
        socketPath: '/run/kms.sock',
        timeoutMs: 1000,
        cacheSize: 1000,
      },
      { type: 'kms', version: 'v1', name: 'six', socketPath: '\0abstract', timeoutMs: 3000, cacheSize: 0 },
      { type: 'identity' },
    ]);
  });

  it('resources are read with their groups, and later entries may be wider than earlier ones', () => {
    const rules = read(head + rule("secrets, widgets.example.com, '*.apps'") + rule("'*.'") + rule("'*.*'"));
    assert.deepEqual(
      rules.flatMap(({ patterns }) => patterns.map(({ resource, group }) => [resource, group])),
      [
        ['secrets', ''],
        ['widgets', 'example.com'],
        ['*', 'apps'],
        ['*', ''],
        ['*', '*'],
      ],
    );
  });

  const refused: readonly (readonly [string, string, string])[] = [
    [
      'another kind',
      'apiVersion: v1\nkind: Secret\n',
      'line 2: kind: must be one of EncryptionConfiguration, not "Secret"',
    ],
    [
      'another version',
      'apiVersion: apiserver.config.k8s.io/v2\nkind: EncryptionConfiguration\n',
      'line 1: apiVersion: must be one of apiserver.config.k8s.io/v1, not "apiserver.config.k8s.io/v2"',
    ],
    ['no entries', head, 'line 3: resources: at least one entry is required'],
    [
      'an unknown field',
      `${head}- resource: [a]\n`,
      'line 4: resources[0].resource: unknown field "resource", expected one of resources, providers',
    ],
    [
      'an entry without resources',
      `${head}- providers: [{identity: {}}]\n`,
      'line 4: resources[0].resources: at least one resource is required',
    ],
    [
      'an entry without providers',
      `${head}- resources: [secrets]\n`,
      'line 4: resources[0].providers: at least one provider is required',
    ],
    [
      'a resource in capital letters',
      head + rule('Secrets'),
      'line 4: resources[0].resources[0]: must not contain capital letters',
    ],
    [
      'an asterisk alone',
      head + rule("'*'"),
      "line 4: resources[0].resources[0]: must be '*.' for the resources of the core group, or '*.*' for all resources",
    ],
    [
      'a resource in all groups',
      head + rule("'secrets.*'"),
      'line 4: resources[0].resources[0]: one resource cannot be named in all groups',
    ],
    [
      'a pattern within a name',
      head + rule("'sec*'"),
      "line 4: resources[0].resources[0]: '*' must stand for a whole resource or group",
    ],
    [
      'a group without a resource',
      head + rule("'.apps'"),
      'line 4: resources[0].resources[0]: must have the form resource.group',
    ],
    [
      'records that are not objects',
      head + rule('serviceipallocations'),
      'line 4: resources[0].resources[0]: is not a resource of the API',
    ],
    [
      'the second group of events',
      head + rule('events.events.k8s.io'),
      "line 4: resources[0].resources[0]: events are stored in the core group: must be 'events'",
    ],
    [
      'the removed group of extensions',
      head + rule("'*.extensions'"),
      'line 4: resources[0].resources[0]: objects of the group extensions are stored in the groups that replace it',
    ],
    [
      'a repeated resource',
      head + rule('secrets, secrets'),
      'line 4: resources[0].resources[1]: "secrets" is repeated',
    ],
    [
      'overlapping resources',
      head + rule("secrets, '*.'"),
      'line 4: resources[0].resources[1]: "*." overlaps with "secrets" of the same list',
    ],
    [
      'resources below a wildcard',
      head + rule("'*.*', '*.apps'"),
      'line 4: resources[0].resources[1]: "*.apps" overlaps with "*.*" of the same list',
    ],
    [
      'a resource that an earlier entry includes',
      head + rule("'*.apps'") + rule('pods, deployments.apps'),
      'line 6: resources[1].resources[1]: "deployments.apps" has no effect, since the earlier entry "*.apps" includes it',
    ],
    [
      'a resource of an earlier entry',
      head + rule('secrets') + rule('secrets'),
      'line 6: resources[1].resources[0]: "secrets" has no effect, since the earlier entry "secrets" includes it',
    ],
    [
      'the same name of a key in two providers of a type',
      one(`{aescbc: {keys: [${key()}]}}`, `{aescbc: {keys: [${key()}]}}`),
      'line 5: resources[0].providers[1]: another provider of the list has the same type and name, aescbc:v1:a:',
    ],
    [
      'a provider without a type',
      one('{}'),
      'line 5: resources[0].providers[0]: one of aesgcm, aescbc, secretbox, identity, kms is required',
    ],
    [
      'two providers in one entry',
      one(`{identity: {}, aescbc: {keys: [${key()}]}}`),
      'line 5: resources[0].providers[0]: has the providers aescbc and identity; each needs a separate entry',
    ],
    [
      'a provider without keys',
      one('{aescbc: {keys: []}}'),
      'line 5: resources[0].providers[0].aescbc.keys: at least one key is required',
    ],
    [
      'a key without a name',
      one(`{aescbc: {keys: [{secret: ${secretOf(32)}}]}}`),
      'line 5: resources[0].providers[0].aescbc.keys[0].name: a name is required',
    ],
    [
      'a name with a colon',
      one(`{aescbc: {keys: [${key('"a:b"')}]}}`),
      "line 5: resources[0].providers[0].aescbc.keys[0].name: must not contain ':'",
    ],
    [
      'a repeated name',
      one(`{aescbc: {keys: [${key()}, ${key()}]}}`),
      'line 5: resources[0].providers[0].aescbc.keys[1].name: the key "a" is repeated',
    ],
    [
      'a key without a secret',
      one('{aescbc: {keys: [{name: a}]}}'),
      'line 5: resources[0].providers[0].aescbc.keys[0].secret: a secret is required',
    ],
    [
      'a secret that is not in base64',
      one('{aescbc: {keys: [{name: a, secret: "SECRET!"}]}}'),
      'line 5: resources[0].providers[0].aescbc.keys[0].secret: must be encoded in base64',
    ],
    [
      'a secret that is a number',
      one('{aescbc: {keys: [{name: a, secret: 77}]}}'),
      'line 5: resources[0].providers[0].aescbc.keys[0].secret: must be a string',
    ],
    [
      'a secret of 15 bytes',
      one(`{aesgcm: {keys: [${key('a', 15)}]}}`),
      'line 5: resources[0].providers[0].aesgcm.keys[0].secret: must have 16, 24 or 32 bytes, not 15',
    ],
    [
      'a secretbox of 16 bytes',
      one(`{secretbox: {keys: [${key('a', 16)}]}}`),
      'line 5: resources[0].providers[0].secretbox.keys[0].secret: must have 32 bytes, not 16',
    ],
    [
      'an unknown version of a key service',
      kms('apiVersion: v3'),
      'line 5: resources[0].providers[0].kms.apiVersion: must be one of v1, v2, not "v3"',
    ],
    [
      'a key service without a name',
      kms('endpoint: "unix:///a"'),
      'line 5: resources[0].providers[0].kms.name: a name is required',
    ],
    [
      'a key service without an endpoint',
      kms('name: a'),
      'line 5: resources[0].providers[0].kms.endpoint: an endpoint is required',
    ],
    [
      'a key service over the network',
      kms('name: a, endpoint: "tcp://localhost"'),
      "line 5: resources[0].providers[0].kms.endpoint: must be the address of a Unix socket with an absolute path, such as 'unix:///run/kms.sock'",
    ],
    [
      'a timeout of zero',
      kms('name: a, endpoint: "unix:///a", timeout: 0s'),
      'line 5: resources[0].providers[0].kms.timeout: must be a positive duration, such as 3s',
    ],
    [
      'a cache without space',
      kms('name: a, endpoint: "unix:///a", cachesize: 0'),
      'line 5: resources[0].providers[0].kms.cachesize: must not be 0; a negative number disables the cache',
    ],
    [
      'a cache size of version v2',
      kms('apiVersion: v2, name: a, endpoint: "unix:///a", cachesize: 1'),
      'line 5: resources[0].providers[0].kms.cachesize: version v2 has no cachesize',
    ],
    [
      'a repeated name of a key service',
      one(
        '{kms: {apiVersion: v2, name: a, endpoint: "unix:///a"}}',
        '{kms: {name: a, endpoint: "unix:///b"}}',
      ),
      'line 5: resources[0].providers[1].kms.name: the KMS provider "a" is repeated',
    ],
    [
      'a repeated field',
      `${head}- resources: [a]\n  resources: [b]\n`,
      'line 4: resources[0].resources: the field is repeated',
    ],
  ];

  for (const [title, text, problem] of refused) {
    it(`an encryption configuration with ${title} is refused, with its place`, () => {
      assert.throws(
        () => read(text),
        (error) => {
          assert.ok(error instanceof ConfigFileError);
          assert.equal(error.message, problem);
          return true;
        },
      );
    });
  }

  it('no error shows a secret, also not one of the YAML syntax', () => {
    const secret = secretOf(32);
    for (const text of [
      one(`{aescbc: {keys: [{name: a, secret: ${secret}x}]}}`),
      one(`{aescbc: {keys: [{name: a, secret: [${secret}]}]}}`),
      one(`{aescbc: {keys: [{name: a, secret: ${secret}, other: 1}]}}`),
      `${head}- resources: [secrets]\n  providers: [{aescbc: {keys: [{name: a, secret: ${secret}\n`,
      `${head}  secret: ${secret}: ${secret}\n\t- ${secret}`,
    ]) {
      assert.throws(
        () => read(text),
        (error) => error instanceof ConfigFileError && !String(error).includes(secret.slice(0, 8)),
      );
    }
  });
});
