import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { readSigningKey, readTokenKeys, type SigningKey, signToken } from '@orch/pki/jws';
import {
  credentials,
  ecKey,
  handMade,
  hmac,
  part,
  publicForms,
  rsaKey,
  TokenWorld,
  told,
} from '../testing/token-world.ts';
import { MAX_TOKEN_CHARACTERS } from './compact-token.ts';
import { fixedKeys } from './signature.ts';

const rsa = rsaKey();
const ec = ecKey();
const good = 'system:serviceaccount:apps:robot';

/** Signed by the right key, whatever the header says. */
const signedBy =
  (key: SigningKey) =>
  (signed: string): Buffer =>
    key.publicKey.asymmetricKeyType === 'rsa'
      ? sign('sha256', Buffer.from(signed), key.privateKey)
      : sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });

for (const [kind, key] of [
  ['RSA', rsa],
  ['ECDSA', ec],
] as const) {
  describe(`tokens made by an attacker, against an ${kind} key`, () => {
    const world = new TokenWorld(key);
    const authenticator = world.authenticator({}, fixedKeys([key, kind === 'RSA' ? ec : rsa]));
    const { alg, kid } = { alg: key.algorithm, kid: key.id };
    const claims = world.claims();
    const right = signedBy(key);
    const other = kind === 'RSA' ? rsaKey() : ecKey();
    const text = JSON.stringify(claims);

    it('are compared with one that is good', async () => {
      const token = handMade({ alg, kid, typ: 'JWT' }, claims, right);
      assert.equal(told(await authenticator.authenticate(credentials(token))), good);
    });

    const attacks: readonly (readonly [string, string])[] = [
      ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((name): [string, string][] => [
        [`alg ${JSON.stringify(name)} without a signature`, handMade({ alg: name, kid }, claims, () => '')],
        [`alg ${JSON.stringify(name)} with the right one`, handMade({ alg: name, kid }, claims, right)],
      ]),
      ...publicForms(key.publicKey).flatMap((secret, index): [string, string][] => [
        [
          `HS256 with the public key as its secret (${index})`,
          handMade({ alg: 'HS256', kid }, claims, hmac(secret)),
        ],
        [`its own alg, signed so (${index})`, handMade({ alg, kid }, claims, hmac(secret))],
        [`HS256 without a key id (${index})`, handMade({ alg: 'HS256' }, claims, hmac(secret))],
      ]),
      ['no alg', handMade({ kid }, claims, right)],
      ['an alg that is no text', handMade({ alg: [alg], kid }, claims, right)],
      [
        'the alg of another kind of key',
        handMade({ alg: kind === 'RSA' ? 'ES256' : 'RS256', kid }, claims, right),
      ],
      ['an alg of another length', handMade({ alg: kind === 'RSA' ? 'RS512' : 'ES384', kid }, claims, right)],
      ['a member of every object as its alg', handMade({ alg: 'constructor', kid }, claims, right)],
      ['a key of somebody else', signToken(claims, other)],
      ['a key of somebody else under our id', signToken(claims, { ...other, id: kid })],
      [
        'the key in its header',
        handMade({ alg, jwk: other.publicKey.export({ format: 'jwk' }) }, claims, signedBy(other)),
      ],
      [
        'the key in its header under our id',
        handMade({ alg, kid, jwk: other.publicKey.export({ format: 'jwk' }) }, claims, signedBy(other)),
      ],
      ['the address of a key', handMade({ alg, jku: 'https://evil.example/keys' }, claims, signedBy(other))],
      [
        'the id of another of our keys',
        handMade({ alg, kid: (kind === 'RSA' ? ec : rsa).id }, claims, right),
      ],
      ['a key id that is a path', handMade({ alg, kid: '../../dev/null' }, claims, hmac(''))],
      ['a key id that is no text', handMade({ alg, kid: [kid] }, claims, right)],
      ['an extension that must be understood', handMade({ alg, kid, crit: ['exp'] }, claims, right)],
      ['an empty list of such', handMade({ alg, kid, crit: [] }, claims, right)],
      ['an unencoded body', handMade({ alg, kid, b64: false, crit: ['b64'] }, claims, right)],
      ['a body as it is not encoded', handMade({ alg, kid, b64: false }, claims, right)],
      [
        'members twice in the header',
        handMade(`{"alg":"none","alg":"${alg}","kid":"${kid}"}`, claims, right),
      ],
      [
        'members twice in the claims',
        handMade({ alg, kid }, `${text.slice(0, -1)},"sub":"system:serviceaccount:apps:robot"}`, right),
      ],
      ['members twice, once escaped', handMade({ alg, kid }, `${text.slice(0, -1)},"s\\u0075b":"x"}`, right)],
      ['claims that are a list', handMade({ alg, kid }, [claims], right)],
      ['claims that are no JSON', handMade({ alg, kid }, `${text}x`, right)],
      [
        'claims that are not UTF-8',
        `${part({ alg, kid })}.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}.AAAA`,
      ],
      [
        'claims nested without end',
        handMade({ alg, kid }, `{"iss":${'['.repeat(5000)}${']'.repeat(5000)}}`, right),
      ],
      [
        'more than anybody needs',
        handMade({ alg, kid }, { ...claims, x: 'x'.repeat(MAX_TOKEN_CHARACTERS) }, right),
      ],
      ['no signature', handMade({ alg, kid }, claims, () => '')],
      ['a signature of zeros', handMade({ alg, kid }, claims, () => Buffer.alloc(kind === 'RSA' ? 256 : 64))],
      ['half a signature', handMade({ alg, kid }, claims, (signed) => right(signed).subarray(0, 32))],
    ];
    for (const [what, token] of attacks) {
      it(`are refused: ${what}`, async () => {
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
      ['a changed body', `${head}.${flipped(body)}.${tail}`],
      ['padding', `${head}.${body}.${tail}==`],
      ['the other alphabet', `${head}.${body}.${tail.replaceAll('-', '+').replaceAll('_', '/')}+`],
      ['stray bits at the end', `${head}.${body}.${withStrayBits(tail)}`],
      ['blanks inside', `${head}.${body}. ${tail}`],
      ['a fourth part', `${head}.${body}.${tail}.${tail}`],
      ['two parts', `${head}.${body}`],
      ['a part that is not there', `${head}..${tail}`],
      ['five parts, as if encrypted', `${head}.${body}.${tail}.${tail}.${tail}`],
    ] as const) {
      it(`are refused: ${what}`, async () => {
        assert.notEqual((await authenticator.authenticate(credentials(token))).kind, 'user');
      });
    }
  });
}

/** The last character of base64 has bits that mean nothing: another one with the same bytes. */
function withStrayBits(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(text.at(-1) ?? 'A');
  return `${text.slice(0, -1)}${alphabet[last | 1]}`;
}

describe('a good token', () => {
  const seed = 20240101;
  it(`is good in its own letters only, whichever are changed, taken out or put in (seed ${seed})`, async () => {
    const world = new TokenWorld(ec);
    const random = seededRandom(seed);
    const authenticator = world.authenticator();
    const token = world.token();
    const letters = 'ABCXYZabcxyz0189-_.=+/ %\u00e9';
    for (let turn = 0; turn < 3000; turn++) {
      const at = random.int(token.length + 1);
      const cut = random.int(3);
      const put = Array.from({ length: random.int(3) }, () => letters[random.int(letters.length)]).join('');
      const spoiled = token.slice(0, at) + put + token.slice(at + cut);
      // Blanks around a token are those of the header.
      if (spoiled.trim() === token) continue;
      const answer = await authenticator.authenticate(credentials(spoiled));
      assert.notEqual(answer.kind, 'user', spoiled);
    }
    assert.equal(told(await authenticator.authenticate(credentials(token))), good);
  });
});

describe('an ECDSA signature', () => {
  it('is refused in DER, which could be written in many ways', async () => {
    const world = new TokenWorld(ec);
    const token = handMade({ alg: 'ES256', kid: ec.id }, world.claims(), (signed) =>
      sign('sha256', Buffer.from(signed), ec.privateKey),
    );
    assert.notEqual((await world.authenticator().authenticate(credentials(token))).kind, 'user');
  });
});

describe('keys of tokens', () => {
  const pem = (key: SigningKey, kind: 'public' | 'private'): string =>
    kind === 'public'
      ? key.publicKey.export({ type: 'spki', format: 'pem' }).toString()
      : key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  it('are read from files with several, public and private, and with words around them', () => {
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
    ['nothing', 'hello', /there is no key/],
    [
      'rubbish',
      '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
      /block 1 \(PUBLIC KEY\) is no key/,
    ],
    [
      'Ed25519',
      generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      /of type ed25519 cannot sign tokens/,
    ],
    [
      'another curve',
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
    it(`are refused: ${what}`, () => assert.throws(() => readTokenKeys(text), message));
  }

  it('have an id that comes of the public half alone', () => {
    const again = createPrivateKey(pem(ec, 'private'));
    assert.equal(readTokenKeys(again.export({ type: 'sec1', format: 'pem' }).toString())[0]?.id, ec.id);
    assert.match(ec.id, /^[\w-]{43}$/);
  });
});
