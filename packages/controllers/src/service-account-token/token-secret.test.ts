import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { signingKey, signToken } from '@orch/pki/jws';
import { generatesTokens } from './accounts-controller.ts';
import { legacyToken, signingKeyIn } from './legacy-token.ts';
import {
  generatedName,
  isGeneratedName,
  referencedSecrets,
  withoutReferences,
  withReference,
} from './references.ts';
import { accountOf, filledSecret, isNamed, type TokenMaterial } from './token-secret.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

for (const naming of ['orch', 'kubernetes'] as const) {
  const names = namesFor(naming);
  const { serviceAccountName, serviceAccountUid } = names.annotations;

  const secretOf = (annotations: Readonly<Record<string, string>>, more: object = {}): ApiObject => ({
    metadata: { name: 's', namespace: 'apps', annotations: { ...annotations } },
    type: names.secretTypes.serviceAccountToken,
    ...more,
  });
  const account: ApiObject = { metadata: { name: 'robot', namespace: 'apps', uid: 'u-1' } };
  const named = { [serviceAccountName]: 'robot' };

  describe(`a token secret (${naming})`, () => {
    for (const [title, secret, expected] of [
      ['without a uid names an account', secretOf(named), { namespace: 'apps', name: 'robot', uid: '' }],
      [
        'with a uid names that account',
        secretOf({ ...named, [serviceAccountUid]: 'u-1' }),
        { namespace: 'apps', name: 'robot', uid: 'u-1' },
      ],
      ['without an annotation names no account', secretOf({}), undefined],
      ['of another type names no account', secretOf(named, { type: 'Opaque' }), undefined],
    ] as const) {
      it(`a token secret ${title}`, () => assert.deepEqual(accountOf(secret, names), expected));
    }

    for (const [title, found, uid, expected] of [
      ['no uid', account, '', true],
      ['the same uid', account, 'u-1', true],
      ['another uid', account, 'u-2', false],
      ['a missing account', undefined, '', false],
      [
        'an account of another namespace',
        { metadata: { ...account.metadata, namespace: 'other' } },
        '',
        false,
      ],
    ] as const) {
      it(`a token secret with ${title} belongs to the account: ${expected}`, () =>
        assert.equal(isNamed(found, { namespace: 'apps', name: 'robot', uid }), expected));
    }

    const material = (rootCa: string | undefined = 'CA'): TokenMaterial => ({
      rootCa,
      sign: async ({ metadata }, secretName) => `token of ${metadata.name} in ${secretName}`,
    });
    const complete = {
      'ca.crt': base64('CA'),
      namespace: base64('apps'),
      token: base64('token of robot in s'),
    };
    const full = secretOf({ ...named, [serviceAccountUid]: 'u-1' }, { data: complete });

    it('a new token secret gets certificate authority, namespace, token and uid at once', async () => {
      assert.deepEqual(await filledSecret(secretOf(named), account, { material: material(), names }), full);
    });
    it('a complete token secret is not written', async () => {
      assert.equal(await filledSecret(full, account, { material: material(), names }), undefined);
    });
    it('a token secret keeps its token and other data', async () => {
      const own = { ...complete, token: base64('mine'), extra: 'x' };
      assert.equal(
        await filledSecret({ ...full, data: own }, account, { material: material(), names }),
        undefined,
      );
      const changed = await filledSecret({ ...full, data: own }, account, {
        material: material('NEW'),
        names,
      });
      assert.deepEqual(changed?.data, { ...own, 'ca.crt': base64('NEW') });
    });
    it('a token secret has no certificate authority when none is configured', async () => {
      const filled = await filledSecret(secretOf(named), account, {
        material: { ...material(), rootCa: undefined },
        names,
      });
      assert.deepEqual(Object.keys(filled?.data as object).sort(), ['namespace', 'token']);
    });
  });

  describe(`legacyToken (${naming})`, () => {
    const claimsOf = (token: string): unknown =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

    it('a legacy token names its account and secret, and is signed', async () => {
      const token = await legacyToken(account, 's', {
        key: signingKey(privateKey),
        names,
        random: seededRandom(1),
        sign: signToken,
      });
      const own = naming === 'orch' ? 'orch' : 'kubernetes';
      const { jti, ...claims } = claimsOf(token) as Record<string, unknown>;
      assert.match(String(jti), /^[0-9a-f-]{36}$/);
      assert.deepEqual(claims, {
        iss: `${own}/serviceaccount`,
        [`${own}.io/serviceaccount/namespace`]: 'apps',
        [`${own}.io/serviceaccount/secret.name`]: 's',
        [`${own}.io/serviceaccount/service-account.name`]: 'robot',
        [`${own}.io/serviceaccount/service-account.uid`]: 'u-1',
        sub: 'system:serviceaccount:apps:robot',
      });
      const [head, body, signature = ''] = token.split('.');
      const signed = Buffer.from(`${head}.${body}`);
      assert.ok(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url')));
    });
  });
}

describe('the key that signs tokens', () => {
  const pem = (): string =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();

  it('the signing key is the current one of its file', async () => {
    let text = pem();
    const read = signingKeyIn({ origin: 'sa.key', read: async () => text });
    const first = await read();
    assert.equal(await read(), first);
    text = pem();
    assert.notEqual((await read()).id, first.id);
    text = 'half a key';
    await assert.rejects(read(), /^Error: sa.key: it contains no private key$/);
  });
});

describe('references of an account', () => {
  const account: ApiObject = {
    metadata: { name: 'a' },
    secrets: [{ name: 'one' }, { name: 'two' }, { name: 'one' }],
    imagePullSecrets: [{ name: 'one' }],
  };
  it('secret references are added and removed without changes to other references', () => {
    assert.deepEqual(referencedSecrets(account), ['one', 'two', 'one']);
    const without = withoutReferences(account, ['one']);
    assert.deepEqual(without.secrets, [{ name: 'two' }]);
    assert.deepEqual(without.imagePullSecrets, [{ name: 'one' }]);
    assert.equal(withoutReferences(account, ['three']), account);
    assert.deepEqual(referencedSecrets(withReference(account, 'three')), ['one', 'two', 'one', 'three']);
    assert.deepEqual(referencedSecrets(withReference({ metadata: {} }, 'x')), ['x']);
  });

  for (const name of ['a', 'x'.repeat(253)]) {
    it(`generated secret names are recognised for an account name of ${name.length} characters`, () => {
      const made = generatedName(name, seededRandom(3));
      assert.ok(made.length <= 253 && isGeneratedName(made, name));
      assert.ok(!isGeneratedName(`${made}x`, name) && !isGeneratedName(made.slice(1), name));
    });
  }
});

describe('generation of token secrets', () => {
  for (const [minor, gate, expected] of [
    [15, undefined, true],
    [23, undefined, true],
    [24, undefined, false],
    [27, undefined, false],
    [23, true, false],
    [24, false, true],
  ] as const) {
    it(`accounts get token secrets in 1.${minor} with the gate ${gate ?? 'unset'}: ${expected}`, () => {
      const featureGate = (name: string) =>
        name === 'LegacyServiceAccountTokenNoAutoGeneration' ? gate : undefined;
      assert.equal(generatesTokens({ release: { major: 1, minor }, featureGate }), expected);
    });
  }
});
