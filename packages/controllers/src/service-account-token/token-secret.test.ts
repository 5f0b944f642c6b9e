import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { signingKey } from '@orch/pki/jws';
import { generatesTokens } from './accounts-controller.ts';
import { legacyToken, signingKeyIn } from './legacy-token.ts';
import {
  generatedName,
  isGeneratedName,
  referencedSecrets,
  withoutReference,
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
      ['names an account', secretOf(named), { namespace: 'apps', name: 'robot', uid: '' }],
      [
        'names the very account',
        secretOf({ ...named, [serviceAccountUid]: 'u-1' }),
        { namespace: 'apps', name: 'robot', uid: 'u-1' },
      ],
      ['names nobody', secretOf({}), undefined],
      ['is none', secretOf(named, { type: 'Opaque' }), undefined],
    ] as const) {
      it(title, () => assert.deepEqual(accountOf(secret, names), expected));
    }

    for (const [title, found, uid, expected] of [
      ['no uid', account, '', true],
      ['its uid', account, 'u-1', true],
      ['the uid of another', account, 'u-2', false],
      ['an account that is not there', undefined, '', false],
      ['an account elsewhere', { metadata: { ...account.metadata, namespace: 'other' } }, '', false],
    ] as const) {
      it(`is of an account, by ${title}: ${expected}`, () =>
        assert.equal(isNamed(found, { namespace: 'apps', name: 'robot', uid }), expected));
    }

    const material = (rootCa: string | undefined = 'CA'): TokenMaterial => ({
      rootCa,
      sign: ({ metadata }, secretName) => `token of ${metadata.name} in ${secretName}`,
    });
    const complete = {
      'ca.crt': base64('CA'),
      namespace: base64('apps'),
      token: base64('token of robot in s'),
    };
    const full = secretOf({ ...named, [serviceAccountUid]: 'u-1' }, { data: complete });

    it('is filled with everything at once', () => {
      assert.deepEqual(filledSecret(secretOf(named), account, material(), names), full);
    });
    it('that lacks nothing is left alone', () => {
      assert.equal(filledSecret(full, account, material(), names), undefined);
    });
    it('keeps the token that it has, and data of others', () => {
      const own = { ...complete, token: base64('mine'), extra: 'x' };
      assert.equal(filledSecret({ ...full, data: own }, account, material(), names), undefined);
      const changed = filledSecret({ ...full, data: own }, account, material('NEW'), names);
      assert.deepEqual(changed?.['data'], { ...own, 'ca.crt': base64('NEW') });
    });
    it('has no authorities where the cluster does not say them', () => {
      const data = filledSecret(secretOf(named), account, { ...material(), rootCa: undefined }, names)?.[
        'data'
      ];
      assert.deepEqual(Object.keys(data as object).sort(), ['namespace', 'token']);
    });
  });

  describe(`the token of a secret (${naming})`, () => {
    const claimsOf = (token: string): unknown =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

    it('says whose it is and where it is held, and is signed', () => {
      const token = legacyToken(account, 's', {
        key: signingKey(privateKey),
        names,
        random: seededRandom(1),
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

describe('the key for tokens', () => {
  const pem = (): string =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();

  it('is the one that is there now', async () => {
    let text = pem();
    const read = signingKeyIn({ origin: 'sa.key', read: async () => text });
    const first = await read();
    assert.equal(await read(), first);
    text = pem();
    assert.notEqual((await read()).id, first.id);
    text = 'half a key';
    await assert.rejects(read(), /^Error: sa.key: there is no private key in it$/);
  });
});

describe('references of an account', () => {
  const account: ApiObject = {
    metadata: { name: 'a' },
    secrets: [{ name: 'one' }, { name: 'two' }, { name: 'one' }],
    imagePullSecrets: [{ name: 'one' }],
  };
  it('are added and removed, and no others', () => {
    assert.deepEqual(referencedSecrets(account), ['one', 'two', 'one']);
    const without = withoutReference(account, 'one');
    assert.deepEqual(without?.['secrets'], [{ name: 'two' }]);
    assert.deepEqual(without?.['imagePullSecrets'], [{ name: 'one' }]);
    assert.equal(withoutReference(account, 'three'), undefined);
    assert.deepEqual(referencedSecrets(withReference(account, 'three')), ['one', 'two', 'one', 'three']);
    assert.deepEqual(referencedSecrets(withReference({ metadata: {} }, 'x')), ['x']);
  });

  for (const name of ['a', 'x'.repeat(253)]) {
    it(`have names that are recognised: of an account of ${name.length} characters`, () => {
      const made = generatedName(name, seededRandom(3));
      assert.ok(made.length <= 253 && isGeneratedName(made, name));
      assert.ok(!isGeneratedName(`${made}x`, name) && !isGeneratedName(made.slice(1), name));
    });
  }
});

describe('token secrets that nobody asked for', () => {
  for (const [minor, gate, expected] of [
    [15, undefined, true],
    [23, undefined, true],
    [24, undefined, false],
    [27, undefined, false],
    [23, true, false],
    [24, false, true],
  ] as const) {
    it(`are made in 1.${minor}, gate ${gate ?? 'unsaid'}: ${expected}`, () => {
      const featureGate = (name: string) =>
        name === 'LegacyServiceAccountTokenNoAutoGeneration' ? gate : undefined;
      assert.equal(generatesTokens({ release: { major: 1, minor }, featureGate }), expected);
    });
  }
});
