import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Env, namesFor } from '@orch/machinery';
import { systemClock } from '@orch/machinery/env';
import { testEnv } from '@orch/machinery/testing';
import { signingKey } from '@orch/pki/jws';
import { StartError, UsageError } from '@orch/program';
import { Reloads } from '../reload/reloads.ts';
import { tokenSettings } from '../settings/token-settings.ts';
import { ownTokenKeys } from './token-keys.ts';

const names = namesFor('orch');
const unset = {
  serviceAccountIssuers: [],
  serviceAccountJwksUri: '',
  apiAudiences: [],
  serviceAccountMaxTokenExpiration: 0,
};

describe('the flags of tokens', () => {
  for (const [what, flags, expected] of [
    [
      'nothing',
      {},
      {
        issuers: ['https://orch.default.svc'],
        audiences: ['https://orch.default.svc'],
        maxSeconds: 0,
        keySetUrl: 'https://orch.default.svc/openid/v1/jwks',
      },
    ],
    [
      'two issuers',
      { serviceAccountIssuers: ['https://a/', 'b'] },
      { issuers: ['https://a/', 'b'], audiences: ['https://a/', 'b'], keySetUrl: 'https://a/openid/v1/jwks' },
    ],
    [
      'an issuer that is not a URL',
      { serviceAccountIssuers: ['me'], apiAudiences: ['x'] },
      { issuers: ['me'], audiences: ['x'], keySetUrl: undefined },
    ],
    [
      'another URL for keys',
      { serviceAccountJwksUri: 'https://cdn/keys' },
      { keySetUrl: 'https://cdn/keys' },
    ],
    ['two hours', { serviceAccountMaxTokenExpiration: 7_200_000 }, { maxSeconds: 7200 }],
  ] as const) {
    it(`flags of tokens with ${what} lead to their settings`, () => {
      const settings = tokenSettings({ ...unset, ...flags }, names);
      assert.deepEqual({ ...settings, ...expected }, settings);
    });
  }

  for (const [what, flags, message] of [
    [
      'half an hour',
      { serviceAccountMaxTokenExpiration: 1_800_000 },
      /--service-account-max-token-expiration: must be between 1 hour/,
    ],
    [
      'two hundred years',
      { serviceAccountMaxTokenExpiration: 2 ** 33 * 1000 },
      /--service-account-max-token-expiration/,
    ],
    [
      'an issuer that looks like a URL',
      { serviceAccountIssuers: [':x'] },
      /--service-account-issuer: must be a URL/,
    ],
    [
      'the issuer of secrets',
      { serviceAccountIssuers: ['orch/serviceaccount'] },
      /--service-account-issuer: it is reserved for tokens in secrets/,
    ],
    [
      'keys over http',
      { serviceAccountJwksUri: 'http://a/keys' },
      /--service-account-jwks-uri: must be an https URL/,
    ],
  ] as const) {
    it(`saying ${what} are refused`, () =>
      assert.throws(
        () => tokenSettings({ ...unset, ...flags }, names),
        (error) => error instanceof UsageError && message.test(error.message),
      ));
  }
});

describe('the keys of tokens', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'orch-keys-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const { signal } = new AbortController();
  const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicPem = (key: KeyObject): string =>
    signingKey(key).publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const idOf = (key: KeyObject): string => signingKey(key).id;
  const file = (name: string, content: string): string => {
    writeFileSync(join(dir, name), content);
    return join(dir, name);
  };
  const serving = newKey();
  const systemParts = () => ({ ...testEnv(), clock: systemClock });
  const read = async (
    [checking, signing]: readonly [checking?: readonly string[], signing?: string] = [],
    { servingKey = pem(serving), env = systemParts() }: { servingKey?: string; env?: Env } = {},
  ) => {
    const reloads = new Reloads();
    const keys = await ownTokenKeys(
      {
        certDir: join(dir, 'certs'),
        serviceAccountKeyFiles: checking ?? [],
        serviceAccountSigningKeyFile: signing ?? '',
      },
      { servingKey, env, reloads },
      signal,
    );
    return { ...keys, keys, reloads, ids: keys.checking.map(({ id }) => id) };
  };

  it('the keys of tokens are generated once, readable by their owner only, besides that of the serving certificate', async () => {
    const [first, second] = await Promise.all([read(), read()]);
    assert.ok(first.isSelfMade && first.signing !== undefined);
    assert.equal(second.signing?.id, first.signing.id);
    assert.deepEqual(first.ids, [first.signing.id, idOf(serving)]);
    const path = join(dir, 'certs', 'service-account.key');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(signingKey(first.signing.privateKey).id, first.signing.id);
    assert.match(readFileSync(path, 'utf8'), /PRIVATE KEY/);
  });

  it('the keys of tokens that cannot be read fail the start', async () => {
    await read();
    writeFileSync(join(dir, 'certs', 'service-account.key'), 'rubbish');
    await assert.rejects(read(), /^StartError: .*service-account.key: it contains no private key/);
  });

  it('the keys of tokens exclude a serving key of an unsupported type', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const keys = await read([], { servingKey: pem(privateKey) });
    assert.deepEqual(keys.ids, [keys.signing?.id]);
  });

  it('token keys in several files and the signing key verify tokens', async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const keys = await read([[file('a', publicPem(a) + publicPem(b))], file('c', pem(c))]);
    assert.deepEqual(keys.ids, [idOf(c), idOf(a), idOf(b)]);
    assert.deepEqual([keys.signing?.id, keys.isSelfMade], [idOf(c), false]);
  });

  it('token keys in changed files are used, and those of before while the files are invalid', async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const paths = { verifying: file('a', publicPem(a)), signing: file('b', pem(a)) };
    const env = testEnv();
    const { keys, reloads } = await read([[paths.verifying], paths.signing], { env });
    const stop = new AbortController();
    const running = reloads.run(stop.signal);
    const inUse = () => [keys.signing?.id, ...new Set(keys.checking.map(({ id }) => id))];
    const steps = [
      { verifying: publicPem(a) + publicPem(b), signing: pem(a), expected: [a, a, b] },
      { verifying: publicPem(a) + publicPem(b), signing: pem(b), expected: [b, b, a] },
      { verifying: publicPem(b), signing: 'rubbish', expected: [b, b, a] },
      { verifying: publicPem(b), signing: pem(c), expected: [c, c, b] },
    ];
    for (const { verifying, signing, expected } of steps) {
      file('a', verifying);
      file('b', signing);
      await env.clock.advanceAsync(1_000);
      assert.deepEqual(inUse(), expected.map(idOf));
    }
    stop.abort();
    await running;
  });

  it('the token keys of a server that issues tokens must remain able to sign', async () => {
    const [a, b] = [newKey(), newKey()];
    const path = file('a', pem(a));
    const env = testEnv();
    const { keys, reloads } = await read([[path]], { env });
    const stop = new AbortController();
    const running = reloads.run(stop.signal);
    file('a', publicPem(b));
    await env.clock.advanceAsync(1_000);
    assert.equal(keys.signing?.id, idOf(a));
    assert.match(String(env.entries.at(-1)?.['error']), /^none of the keys is a private key/);
    stop.abort();
    await running;
  });

  it('the keys of tokens only verify tokens when all of them are public', async () => {
    const keys = await read([[file('a', publicPem(newKey()))]]);
    assert.deepEqual([keys.signing, keys.isSelfMade], [undefined, false]);
  });

  it('the keys of tokens also sign tokens when one of them is private', async () => {
    const [a, b] = [newKey(), newKey()];
    const keys = await read([[file('a', publicPem(a)), file('b', pem(b))]]);
    assert.equal(keys.signing?.id, idOf(b));
  });

  for (const [what, checking, signing, message] of [
    ['a file that does not exist', ['none'], '', /--service-account-key-file: ENOENT/],
    ['a file without keys', ['empty'], '', /--service-account-key-file .*empty: it contains no key/],
    ['a signing key file that does not exist', [], 'none', /--service-account-signing-key-file: ENOENT/],
    [
      'a signing key that is public',
      [],
      'public',
      /--service-account-signing-key-file .*public: it contains no private key/,
    ],
    ['a key of another kind', ['odd'], '', /--service-account-key-file .*odd: a key of type ed25519 cannot/],
  ] as const) {
    it(`the keys of tokens fail the start with the reason: ${what}`, async () => {
      file('empty', 'nothing');
      file('public', publicPem(newKey()));
      file('odd', pem(generateKeyPairSync('ed25519').privateKey));
      const at = (name: string): string => (name === '' ? '' : join(dir, name));
      await assert.rejects(
        read([checking.map(at), at(signing)]),
        (error) => error instanceof StartError && message.test(error.message),
      );
    });
  }
});
