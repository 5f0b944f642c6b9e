import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { readSigningKey, readTokenKeys, type SigningKey } from '@orch/pki/jws';
import {
  credentials,
  ecKey,
  handMade,
  hmac,
  part,
  publicForms,
  resultOf,
  rsaKey,
  signedBy,
  TokenFixture,
  tokenOf,
} from '../testing/token-fixture.ts';
import { MAX_TOKEN_CHARACTERS } from './compact-token.ts';
import { fixedKeys } from './signature.ts';

const rsa = rsaKey();
const ec = ecKey();
const accepted = 'system:serviceaccount:apps:robot';

for (const [kind, key] of [
  ['RSA', rsa],
  ['ECDSA', ec],
] as const) {
  const fixture = new TokenFixture(key);
  const claims = await fixture.claims();
  describe(`forged tokens against an ${kind} key`, () => {
    const authenticator = fixture.authenticator({}, fixedKeys([key, kind === 'RSA' ? ec : rsa]));
    const { alg, kid } = { alg: key.algorithm, kid: key.id };
    const right = signedBy(key);
    const other = kind === 'RSA' ? rsaKey() : ecKey();
    const text = JSON.stringify(claims);

    it('the genuine token that the forgeries are derived from is accepted', async () => {
      const token = handMade({ alg, kid, typ: 'JWT' }, claims, right);
      assert.equal(resultOf(await authenticator.authenticate(credentials(token))), accepted);
    });

    const attacks: readonly (readonly [string, string])[] = [
      ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((name): [string, string][] => [
        [`alg ${JSON.stringify(name)} without a signature`, handMade({ alg: name, kid }, claims, () => '')],
        [
          `alg ${JSON.stringify(name)} with the genuine signature`,
          handMade({ alg: name, kid }, claims, right),
        ],
      ]),
      ...publicForms(key.publicKey).flatMap((secret, index): [string, string][] => [
        [
          `HS256 with the public key as the secret (${index})`,
          handMade({ alg: 'HS256', kid }, claims, hmac(secret)),
        ],
        [`an HMAC under the algorithm of the key (${index})`, handMade({ alg, kid }, claims, hmac(secret))],
        [`HS256 without a key id (${index})`, handMade({ alg: 'HS256' }, claims, hmac(secret))],
      ]),
      ['no alg', handMade({ kid }, claims, right)],
      ['an alg that is not a string', handMade({ alg: [alg], kid }, claims, right)],
      [
        'the alg of another key type',
        handMade({ alg: kind === 'RSA' ? 'ES256' : 'RS256', kid }, claims, right),
      ],
      [
        'an alg with another hash or curve',
        handMade({ alg: kind === 'RSA' ? 'RS512' : 'ES384', kid }, claims, right),
      ],
      ['a property of the object prototype as alg', handMade({ alg: 'constructor', kid }, claims, right)],
      ['the signature of an unrelated key', tokenOf(claims, other)],
      ['the signature of an unrelated key under a known key id', tokenOf(claims, { ...other, id: kid })],
      [
        'an embedded key',
        handMade({ alg, jwk: other.publicKey.export({ format: 'jwk' }) }, claims, signedBy(other)),
      ],
      [
        'an embedded key under a known key id',
        handMade({ alg, kid, jwk: other.publicKey.export({ format: 'jwk' }) }, claims, signedBy(other)),
      ],
      ['a key URL', handMade({ alg, jku: 'https://evil.example/keys' }, claims, signedBy(other))],
      ['the id of another known key', handMade({ alg, kid: (kind === 'RSA' ? ec : rsa).id }, claims, right)],
      ['a key id that is a path', handMade({ alg, kid: '../../dev/null' }, claims, hmac(''))],
      ['a key id that is not a string', handMade({ alg, kid: [kid] }, claims, right)],
      ['a critical extension', handMade({ alg, kid, crit: ['exp'] }, claims, right)],
      ['an empty list of critical extensions', handMade({ alg, kid, crit: [] }, claims, right)],
      ['an unencoded payload', handMade({ alg, kid, b64: false, crit: ['b64'] }, claims, right)],
      [
        'an unencoded payload that is not declared critical',
        handMade({ alg, kid, b64: false }, claims, right),
      ],
      [
        'duplicate names in the header',
        handMade(`{"alg":"none","alg":"${alg}","kid":"${kid}"}`, claims, right),
      ],
      [
        'duplicate names in the claims',
        handMade({ alg, kid }, `${text.slice(0, -1)},"sub":"system:serviceaccount:apps:robot"}`, right),
      ],
      [
        'duplicate names, one of them escaped',
        handMade({ alg, kid }, `${text.slice(0, -1)},"s\\u0075b":"x"}`, right),
      ],
      ['claims that are an array', handMade({ alg, kid }, [claims], right)],
      ['claims that are not JSON', handMade({ alg, kid }, `${text}x`, right)],
      [
        'claims that are not UTF-8',
        `${part({ alg, kid })}.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}.AAAA`,
      ],
      [
        'deeply nested claims',
        handMade({ alg, kid }, `{"iss":${'['.repeat(5000)}${']'.repeat(5000)}}`, right),
      ],
      [
        'more characters than the limit',
        handMade({ alg, kid }, { ...claims, x: 'x'.repeat(MAX_TOKEN_CHARACTERS) }, right),
      ],
      ['an empty signature', handMade({ alg, kid }, claims, () => '')],
      ['a signature of zeros', handMade({ alg, kid }, claims, () => Buffer.alloc(kind === 'RSA' ? 256 : 64))],
      ['a truncated signature', handMade({ alg, kid }, claims, (signed) => right(signed).subarray(0, 32))],
    ];
    for (const [what, token] of attacks) {
      it(`a token with ${what} is refused`, async () => {
        for (let turn = 0; turn < 2; turn++) {
          const answer = await authenticator.authenticate(credentials(token));
          assert.notEqual(answer.kind, 'user');
          if (answer.kind === 'rejected') assert.ok(!answer.reason.includes(token.slice(-20)));
        }
      });
    }

    const [head = '', body = '', tail = ''] = handMade({ alg, kid }, claims, right).split('.');
    const flipped = (text: string): string => {
      const bytes = Buffer.from(text, 'base64url');
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      return bytes.toString('base64url');
    };
    for (const [what, token] of [
      ['a changed signature', `${head}.${body}.${flipped(tail)}`],
      ['a changed payload', `${head}.${flipped(body)}.${tail}`],
      ['padding', `${head}.${body}.${tail}==`],
      ['the standard base64 alphabet', `${head}.${body}.${tail.replaceAll('-', '+').replaceAll('_', '/')}+`],
      ['stray bits at the end', `${head}.${body}.${withStrayBits(tail)}`],
      ['a space inside', `${head}.${body}. ${tail}`],
      ['a fourth part', `${head}.${body}.${tail}.${tail}`],
      ['two parts only', `${head}.${body}`],
      ['an empty part', `${head}..${tail}`],
      ['the five parts of an encrypted token', `${head}.${body}.${tail}.${tail}.${tail}`],
    ] as const) {
      it(`a token with ${what} is refused`, async () => {
        assert.notEqual((await authenticator.authenticate(credentials(token))).kind, 'user');
      });
    }
  });
}

/** Sets an unused bit of the last character of base64: another string for the same bytes. */
function withStrayBits(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(text.at(-1) ?? 'A');
  return `${text.slice(0, -1)}${alphabet[last | 1]}`;
}

describe('changes to a valid token', () => {
  const seed = 20240101;
  it(`no token is accepted after characters are changed, removed or inserted (seed ${seed})`, async () => {
    const fixture = new TokenFixture(ec);
    const random = seededRandom(seed);
    const authenticator = fixture.authenticator();
    const token = await fixture.token();
    const letters = 'ABCXYZabcxyz0189-_.=+/ %\u00e9';
    for (let turn = 0; turn < 3000; turn++) {
      const at = random.int(token.length + 1);
      const cut = random.int(3);
      const put = Array.from({ length: random.int(3) }, () => letters[random.int(letters.length)]).join('');
      const changed = token.slice(0, at) + put + token.slice(at + cut);
      // Spaces around a token belong to the header field.
      if (changed.trim() === token) continue;
      const answer = await authenticator.authenticate(credentials(changed));
      assert.notEqual(answer.kind, 'user', changed);
    }
    assert.equal(resultOf(await authenticator.authenticate(credentials(token))), accepted);
  });
});

describe('ECDSA signatures of tokens', () => {
  it('a signature in DER is refused, since it has several encodings', async () => {
    const fixture = new TokenFixture(ec);
    const token = handMade({ alg: 'ES256', kid: ec.id }, await fixture.claims(), (signed) =>
      sign('sha256', Buffer.from(signed), ec.privateKey),
    );
    assert.notEqual((await fixture.authenticator().authenticate(credentials(token))).kind, 'user');
  });
});

describe('key files for tokens', () => {
  const pem = (key: SigningKey, kind: 'public' | 'private'): string =>
    kind === 'public'
      ? key.publicKey.export({ type: 'spki', format: 'pem' }).toString()
      : key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  it('a file may contain several public and private keys with comments between them', () => {
    const text = `# first\n${pem(rsa, 'public')}\n# second\n${pem(ec, 'private')}`;
    assert.deepEqual(
      readTokenKeys(text).map(({ id }) => id),
      [rsa.id, ec.id],
    );
    assert.equal(readSigningKey(text)?.id, ec.id);
    assert.equal(readSigningKey(pem(rsa, 'public')), undefined);
    const old = ec.privateKey.export({ type: 'sec1', format: 'pem' }).toString();
    assert.equal(readSigningKey(old)?.id, ec.id);
  });

  for (const [what, text, message] of [
    ['no PEM block', 'hello', /it contains no key/],
    [
      'an undecodable block',
      '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
      /block 1 \(PUBLIC KEY\) is not a readable key/,
    ],
    [
      'an Ed25519 key',
      generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      /of type ed25519 cannot sign tokens/,
    ],
    [
      'a key on an unsupported curve',
      generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
        .publicKey.export({ type: 'spki', format: 'pem' })
        .toString(),
      /of type ec cannot/,
    ],
    [
      'a short RSA key',
      generateKeyPairSync('rsa', { modulusLength: 1024 })
        .publicKey.export({ type: 'spki', format: 'pem' })
        .toString(),
      /1024 bits is too short/,
    ],
  ] as const) {
    it(`a file with ${what} is refused`, () => assert.throws(() => readTokenKeys(text), message));
  }

  it('the id of a key depends on its public part only', () => {
    const again = createPrivateKey(pem(ec, 'private'));
    assert.equal(readTokenKeys(again.export({ type: 'sec1', format: 'pem' }).toString())[0]?.id, ec.id);
    assert.match(ec.id, /^[\w-]{43}$/);
  });
});
