import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Authentication,
  type Credentials,
  oidcAuthenticator,
  Provider,
  readJsonOverTls,
} from '@orch/auth';
import { createMetrics, silentLogger } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import {
  ca,
  curve,
  first,
  otherCa,
  rsaKey,
  second,
  signToken,
  startProvider,
} from '../testing/identity-provider.ts';

let provider: Awaited<ReturnType<typeof startProvider>>;
before(async () => {
  provider = await startProvider();
});
after(() => provider.close());

const epoch = Math.floor(Date.now() / 1000);
const claims = (changes: object = {}): JWTPayload => ({
  iss: provider.issuer,
  aud: 'orch',
  sub: 'u1',
  iat: epoch,
  exp: epoch + 3600,
  ...changes,
});

const sign = signToken;

const credentials = (token: string): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
  clientCertificate: undefined,
  connection: {},
  signal: new AbortController().signal,
});

type Options = Partial<Parameters<typeof oidcAuthenticator>[0]> & { readonly trusted?: string };

function verifier({ trusted = ca.cert, ...options }: Options = {}) {
  const clock = new FakeClock(epoch * 1000);
  const { issuer } = provider;
  const authenticator = oidcAuthenticator({
    issuer,
    provider: new Provider({ issuer, read: readJsonOverTls(trusted, clock), clock, log: silentLogger }),
    clientId: 'orch',
    algorithms: ['RS256'],
    usernameClaim: 'sub',
    usernamePrefix: '',
    groupsClaim: '',
    groupsPrefix: '',
    requiredClaims: [],
    implicitGroup: 'everybody',
    clock,
    metrics: createMetrics(),
    ...options,
  });
  const authenticate = async (token: string): Promise<Authentication> =>
    authenticator.authenticate(credentials(token));
  return { authenticate, clock, authenticator };
}

const shown = (outcome: Authentication): string =>
  outcome.kind === 'user' ? [outcome.user.name, ...outcome.user.groups].join(' ') : outcome.kind;

describe('ID tokens', { timeout: 60_000 }, () => {
  for (const [what, options, changes, expected] of [
    ['the subject behind the issuer', {}, {}, '<issuer>#u1 everybody'],
    ['the subject behind a prefix', { usernamePrefix: 'x:' }, {}, 'x:u1 everybody'],
    ['the subject alone', { usernamePrefix: '-' }, {}, 'u1 everybody'],
    ['another claim', { usernameClaim: 'nick' }, { nick: 'al' }, '<issuer>#al everybody'],
    ['a claim that is missing', { usernameClaim: 'nick' }, {}, 'rejected'],
    ['a claim that is not a string', { usernameClaim: 'nick' }, { nick: 1 }, 'rejected'],
    ['a claim with the name of an inherited property', { usernameClaim: 'constructor' }, {}, 'rejected'],
    ['an e-mail address', { usernameClaim: 'email' }, { email: 'a@b.c' }, 'a@b.c everybody'],
    [
      'a verified e-mail address',
      { usernameClaim: 'email' },
      { email: 'a@b.c', email_verified: true },
      'a@b.c everybody',
    ],
    [
      'an e-mail address behind a prefix',
      { usernameClaim: 'email', usernamePrefix: 'x:' },
      { email: 'a@b.c' },
      'x:a@b.c everybody',
    ],
    [
      'an e-mail address that is not verified',
      { usernameClaim: 'email' },
      { email: 'a@b.c', email_verified: false },
      'rejected',
    ],
    [
      'an e-mail address that is verified with a string',
      { usernameClaim: 'email' },
      { email: 'a@b.c', email_verified: 'true' },
      'rejected',
    ],
    ['groups', { usernamePrefix: '-', groupsClaim: 'g' }, { g: ['a', 'b'] }, 'u1 a b everybody'],
    [
      'groups behind a prefix',
      { usernamePrefix: '-', groupsClaim: 'g', groupsPrefix: 'o:' },
      { g: ['a', 'system:masters'] },
      'u1 o:a o:system:masters everybody',
    ],
    ['no groups claim', { usernamePrefix: '-', groupsClaim: 'g' }, {}, 'u1 everybody'],
    ['groups that are a string', { groupsClaim: 'g' }, { g: 'a' }, 'rejected'],
    ['groups that are not strings', { groupsClaim: 'g' }, { g: ['a', 1] }, 'rejected'],
    ['a required claim', { usernamePrefix: '-', requiredClaims: [['hd', 'x']] }, { hd: 'x' }, 'u1 everybody'],
    ['another value of a required claim', { requiredClaims: [['hd', 'x']] }, { hd: 'y' }, 'rejected'],
    [
      'one of two required claims',
      {
        requiredClaims: [
          ['hd', 'x'],
          ['b', 'y'],
        ],
      },
      { hd: 'x' },
      'rejected',
    ],
    ['several audiences', { usernamePrefix: '-' }, { aud: ['z', 'orch'], azp: 'z' }, 'u1 everybody'],
    ['another audience', {}, { aud: 'z' }, 'rejected'],
    ['no audience', {}, { aud: undefined }, 'rejected'],
    ['another issuer', {}, { iss: 'https://elsewhere' }, 'none'],
    ['its issuer with a slash', {}, { iss: `slash` }, 'none'],
    ['an expiry in the past', {}, { exp: epoch - 1 }, 'rejected'],
    ['no expiry', {}, { exp: undefined }, 'rejected'],
    ['a start in the future', {}, { nbf: epoch + 60 }, 'rejected'],
  ] as const) {
    it(`a token with ${what} is answered with ${expected}`, async () => {
      const outcome = await verifier(options as Options).authenticate(await sign(claims(changes)));
      assert.equal(shown(outcome).replace(provider.issuer, '<issuer>'), expected);
    });
  }

  const publicPem = first.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  for (const [what, make] of [
    ['no signature (alg none)', async () => new UnsecuredJWT(claims()).encode()],
    [
      'a signature made with the public key (HS256)',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: 'first' })
          .sign(Buffer.from(publicPem.padEnd(32))),
    ],
    ['another key with a known key id', () => sign(claims(), { ...rsaKey('first') })],
    ['a key that the provider does not have', () => sign(claims(), rsaKey('nobody'))],
    ['an algorithm that is not among those of the flag', () => sign(claims(), curve)],
    [
      'other content with the signature',
      async () => {
        const [head, , signature] = (await sign(claims())).split('.');
        const content = Buffer.from(JSON.stringify(claims({ sub: 'root' }))).toString('base64url');
        return `${head}.${content}.${signature}`;
      },
    ],
  ] as const) {
    it(`ID tokens are refused with ${what}`, async () => {
      const { authenticate } = verifier();
      assert.equal(shown(await authenticate(await make())), 'rejected');
      // The provider was used: a valid token is accepted.
      assert.equal(shown(await authenticate(await sign(claims()))), `${provider.issuer}#u1 everybody`);
    });
  }

  it('ID tokens may be signed with every algorithm of the flag', async () => {
    const { authenticate } = verifier({ algorithms: ['RS256', 'ES256'], usernamePrefix: '-' });
    assert.equal(shown(await authenticate(await sign(claims(), curve))), 'u1 everybody');
  });

  it('ID tokens of another format are left to other authenticators', async () => {
    for (const token of ['x', 'a.b.c', `${'a'.repeat(20_000)}.b.c`])
      assert.equal(shown(await verifier().authenticate(token)), 'none');
  });

  it('ID tokens of a provider whose certificate another authority has signed are refused', async () => {
    assert.equal(
      shown(await verifier({ trusted: otherCa.cert }).authenticate(await sign(claims()))),
      'rejected',
    );
  });

  it('ID tokens are cached for ten seconds, and not beyond their expiry', async () => {
    const { authenticate, clock, authenticator } = verifier();
    const token = await sign(claims({ exp: epoch + 5 }));
    const known = await authenticate(token);
    assert.equal(authenticator.authenticate(credentials(token)), known);
    clock.advance(5_000);
    assert.equal(shown(await authenticate(token)), 'rejected');
  });

  for (const [title, next] of [
    ['tokens with a new key cause a reload of the keys, which is limited for unknown keys', second],
    [
      'a key that replaces another under its key id is used from the next token on',
      { ...second, kid: first.kid },
    ],
  ] as const)
    it(title, async () => {
      const { authenticate, clock } = verifier({ usernamePrefix: '-' });
      assert.equal(shown(await authenticate(await sign(claims()))), 'u1 everybody');
      provider.rotate([next]);
      clock.advance(5_000);
      assert.equal(shown(await authenticate(await sign(claims(), next))), 'u1 everybody');
      assert.equal(shown(await authenticate(await sign(claims({ sub: 'u2' }), first))), 'rejected');
      provider.requests.length = 0;
      for (let count = 0; count < 20; count++)
        await authenticate(await sign(claims({ jti: String(count) }), first));
      assert.deepEqual(provider.requests, []);
      provider.rotate([first, curve]);
    });

  it('a token that names no key is accepted if any key of the provider has signed it', async () => {
    const { authenticate } = verifier({ usernamePrefix: '-' });
    provider.rotate([first, second]);
    for (const { privateKey } of [first, second]) {
      const token = await new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
      assert.equal(shown(await authenticate(token)), 'u1 everybody');
    }
    const forged = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256' })
      .sign(rsaKey('x').privateKey);
    assert.equal(shown(await authenticate(forged)), 'rejected');
    provider.rotate([first, curve]);
  });

  it('tokens do not wait for a provider that stopped answering after its keys were read', async () => {
    provider.rotate([first, curve]);
    const clock = new FakeClock(epoch * 1000);
    const { issuer } = provider;
    const readNow = readJsonOverTls(ca.cert, clock);
    let hangs = false;
    const read: typeof readNow = (url, signal) => (hangs ? untilAborted(signal) : readNow(url, signal));
    const { authenticate } = verifier({
      usernamePrefix: '-',
      clock,
      provider: new Provider({ issuer, read, clock, log: silentLogger }),
    });
    const accepted = async (jti: string): Promise<string> =>
      shown(await authenticate(await sign(claims({ jti }))));
    assert.equal(await accepted('read'), 'u1 everybody');
    hangs = true;
    clock.advance(6 * 60_000);
    assert.equal(await accepted('background'), 'u1 everybody');
    clock.advance(11_000);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(20 * 60_000);
    assert.equal(await accepted('later'), 'u1 everybody');
  });

  it('the log names an issuer whose keys cannot be read, once, and its recovery', async () => {
    provider.rotate([first, curve]);
    const clock = new FakeClock(epoch * 1000);
    const { issuer } = provider;
    const readNow = readJsonOverTls(ca.cert, clock);
    let isDown = true;
    const read: typeof readNow = async (url, signal) => {
      if (isDown) throw new Error('nothing listens there');
      return readNow(url, signal);
    };
    const lines: string[] = [];
    const line = (message: string, fields?: object): void =>
      void lines.push(`${message} ${JSON.stringify(fields)}`);
    const options = { issuer, read, clock, log: { warn: line, info: line } };
    const { authenticate } = verifier({ usernamePrefix: '-', clock, provider: new Provider(options) });
    const token = await sign(claims());
    for (let i = 0; i < 2; i++) {
      assert.equal(shown(await authenticate(token)), 'rejected');
      clock.advance(6000);
    }
    isDown = false;
    assert.equal(shown(await authenticate(token)), 'u1 everybody');
    const reason = '"reason":"nothing listens there","effect":"its tokens are refused"';
    assert.deepEqual(lines, [
      `cannot read the keys of a token issuer {"issuer":"${issuer}",${reason}}`,
      `the keys of a token issuer can be read again {"issuer":"${issuer}"}`,
    ]);
  });
});

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
