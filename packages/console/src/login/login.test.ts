import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Login } from './login.ts';

interface Sent {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

const signal = new AbortController().signal;
const base = new URL('https://server/console/');

/** A login over a server that answers by path, and what was sent to it. */
function loginWith(answers: Readonly<Record<string, () => Response>>, now: () => number = () => 0) {
  const sent: Sent[] = [];
  const login = new Login(
    base,
    async (input, init = {}) => {
      const { pathname } = new URL(String(input), base);
      sent.push({ path: pathname, headers: new Headers(init.headers), body: String(init.body ?? '') });
      return answers[pathname]?.() ?? new Response('{}', { status: 404 });
    },
    now,
  );
  return { login, sent, tokensSent: () => sent.map(({ headers }) => headers.get('authorization')) };
}

const begun = { url: 'https://provider/', state: 's', nonce: 'n', verifier: 'v' };
const tokens = (idToken: string, expiresAt: number) => (): Response =>
  Response.json({ idToken, refreshToken: `refresh ${idToken}`, expiresAt });

describe('the login of a page', () => {
  it('requests have no token before a login and after its end', async () => {
    const { login, tokensSent } = loginWith({ '/api': () => new Response('{}') });
    await login.send('/x');
    await login.useToken('secret', signal);
    await login.send('/x');
    login.logOut();
    await login.send('/x');
    assert.deepEqual(tokensSent(), [null, 'Bearer secret', 'Bearer secret', null]);
  });

  it('a token that the server refuses, or that no header can have, is not used', async () => {
    const { login, sent } = loginWith({ '/api': () => new Response('{}', { status: 401 }) });
    await assert.rejects(login.useToken('wrong', signal), /does not accept this token/);
    await assert.rejects(login.useToken('two words', signal), /no blanks/);
    assert.deepEqual([login.hasToken, sent.length], [false, 1]);
  });

  it('a 401 ends the login with a reason, and listeners learn of it', async () => {
    const { login } = loginWith({
      '/api': () => new Response('{}'),
      '/x': () => new Response('{}', { status: 401 }),
    });
    await login.useToken('secret', signal);
    const seen: boolean[] = [];
    login.onChange(() => seen.push(login.hasToken));
    assert.equal((await login.send('/x')).status, 401);
    assert.deepEqual(seen, [false]);
    assert.match(login.end, /expired, or was revoked/);
  });

  it('the secrets of a login are sent in a body, and never in an address', async () => {
    const { login, sent } = loginWith({ '/console/login/finish': tokens('one', 1e9) });
    await login.finish(begun, 'code=c&state=s', signal);
    assert.deepEqual(JSON.parse(sent[0]?.body ?? ''), {
      ...{ state: 's', nonce: 'n', verifier: 'v' },
      query: 'code=c&state=s',
    });
    assert.equal(login.hasToken, true);
  });

  it('a token is renewed once for all requests before it expires', async () => {
    let nowMs = 0;
    const { login, sent, tokensSent } = loginWith(
      {
        '/console/login/finish': tokens('one', 100_000),
        '/console/login/renew': tokens('two', 200_000),
      },
      () => nowMs,
    );
    await login.finish(begun, '', signal);
    await login.send('/x');
    nowMs = 80_000;
    await Promise.all([login.send('/x'), login.send('/x')]);
    assert.deepEqual(tokensSent(), [null, 'Bearer one', null, 'Bearer two', 'Bearer two']);
    assert.deepEqual(JSON.parse(sent[2]?.body ?? ''), { refreshToken: 'refresh one' });
  });

  it('a token that cannot be renewed is sent as it is, and no second renewal is tried', async () => {
    const { login, sent } = loginWith({
      '/console/login/finish': tokens('one', 0),
      '/console/login/renew': () => Response.json({ message: 'no' }, { status: 400 }),
    });
    await login.finish(begun, '', signal);
    await login.send('/x');
    await login.send('/x');
    assert.equal(sent.filter(({ path }) => path.endsWith('/renew')).length, 1);
  });
});
