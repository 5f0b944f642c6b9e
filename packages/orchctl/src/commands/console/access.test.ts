import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { systemEnv } from '@orch/machinery/env';
import { PageAccess } from './access.ts';

const host = '127.0.0.1:8080';
const asRequest = (headers: Readonly<Record<string, string>>): IncomingMessage =>
  ({ headers: { host, ...headers } }) as unknown as IncomingMessage;

function signedIn() {
  const access = new PageAccess(systemEnv().random);
  const token = new URL(access.firstTarget, 'http://localhost').searchParams.get('token') ?? '';
  const header = access.signIn(token) ?? '';
  return { access, token, header, cookie: header.split(';', 1)[0] ?? '' };
}

describe('access to the page of the console', () => {
  it('the token signs in once', () => {
    const { access, token } = signedIn();
    assert.equal(access.signIn(token), undefined);
  });

  it('a wrong token signs nobody in and does not use up the right one', () => {
    const access = new PageAccess(systemEnv().random);
    const token = new URL(access.firstTarget, 'http://localhost').searchParams.get('token') ?? '';
    for (const wrong of ['', 'x', token.slice(1), `${token}x`]) assert.equal(access.signIn(wrong), undefined);
    assert.notEqual(access.signIn(token), undefined);
  });

  it('the cookie is for the path of the page, not for scripts and not for other sites', () => {
    const { access, header } = signedIn();
    assert.match(header, /^console=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/[0-9a-f]{32}\/$/);
    assert.ok(header.endsWith(`Path=${access.path}`));
  });

  for (const [title, headers, status] of [
    ['a request of the page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, undefined],
    ['a write of the page', { 'sec-fetch-site': 'same-origin', origin: `http://${host}` }, undefined],
    ['an address that the user typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, undefined],
    ['a program with the cookie', {}, undefined],
    ['a name of another host that leads here', { host: 'evil.example:8080' }, 421],
    ['another port', { host: '127.0.0.1:81' }, 421],
    ['another name of this machine', { host: 'localhost:8080' }, 421],
    ['a script of another site', { 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' }, 403],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }, 403],
    ['a form of another site', { origin: 'http://evil.example' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['an image of an extension', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'no-cors' }, 403],
    ['a browser without the cookie', { cookie: '' }, 401],
    ['a browser with a wrong cookie', { cookie: 'console=x' }, 401],
  ] as const)
    it(`${title} is ${status === undefined ? 'answered' : `refused with ${status}`}`, () => {
      const { access, cookie } = signedIn();
      assert.equal(access.refusal(asRequest({ cookie, ...headers }), host)?.status, status);
    });
});
