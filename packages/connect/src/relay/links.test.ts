import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ProxiedTarget, rewriteCookie, rewriteReference } from './links.ts';

const prefix = '/api/v1/namespaces/default/services/web/proxy';
const target: ProxiedTarget = {
  prefix,
  scheme: 'http',
  host: '10.0.0.5:8080',
  clientHost: 'api.example.com:6443',
  path: '/app/page',
};

describe('references of proxied programs', () => {
  for (const [reference, expected] of [
    ['/login', `${prefix}/login`],
    ['/login/?next=%2Fa#top', `${prefix}/login/?next=%2Fa#top`],
    ['/', `${prefix}/`],
    ['other', `${prefix}/app/other`],
    ['../other', `${prefix}/other`],
    ['../../../../../../../../secrets', `${prefix}/secrets`],
    ['/../../../../../v1/secrets', `${prefix}/v1/secrets`],
    ['/%2e%2e/%2e%2e/secrets', `${prefix}/secrets`],
    ['/..\\..\\secrets', `${prefix}/secrets`],
    ['?page=2', `${prefix}/app/page?page=2`],
    ['http://10.0.0.5:8080/x', `${prefix}/x`],
    ['http://10.0.0.5:8080', `${prefix}/`],
    ['https://api.example.com:6443/x?y', `${prefix}/x?y`],
    ['//10.0.0.5:8080/x', `${prefix}/x`],
    ['http://10.0.0.5:9090/x', 'http://10.0.0.5:9090/x'],
    ['https://elsewhere.example/x', 'https://elsewhere.example/x'],
    ['//elsewhere.example/x', '//elsewhere.example/x'],
    ['mailto:a@b', 'mailto:a@b'],
    [`${prefix}/known`, `${prefix}/known`],
    [prefix, prefix],
    [`${prefix}ish/x`, `${prefix}${prefix}ish/x`],
    [`${prefix}/../../../secrets`, `${prefix}/api/v1/namespaces/default/secrets`],
  ] as const) {
    it(`the reference ${reference} is rewritten to ${expected}`, () =>
      assert.equal(rewriteReference(reference, target), expected));
  }

  it('no reference leads to another path of this server', () => {
    const piece = fc.constantFrom(
      '/',
      '..',
      '.',
      '%2e',
      '\\',
      '//',
      'a',
      '?',
      '#',
      ':',
      '@',
      prefix,
      target.host,
      'http:',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const out = rewriteReference(pieces.join(''), target);
        const seen = URL.parse(out, `https://api.example.com:6443${prefix}/app/page`);
        if (seen === null || seen.host !== 'api.example.com:6443') return;
        assert.ok(
          seen.pathname === prefix || seen.pathname.startsWith(`${prefix}/`),
          `${pieces.join('')} → ${out}`,
        );
      }),
    );
  });
});

describe('cookies of proxied programs', () => {
  for (const [cookie, expected] of [
    ['a=b', 'a=b'],
    ['a=b; Path=/', `a=b; Path=${prefix}/`],
    ['a=b; path=/app; HttpOnly; Secure', `a=b; Path=${prefix}/app; HttpOnly; Secure`],
    ['a=b; Domain=example.com; Path=/', `a=b; Path=${prefix}/`],
    [`a=b; Path=${prefix}/app`, `a=b; Path=${prefix}/app`],
    ['a=b; Path=x; Max-Age=1', 'a=b; Max-Age=1'],
    ['a="x; Path=/"', `a="x; Path=${prefix}/"`],
  ] as const) {
    it(`the cookie ${cookie} is rewritten to ${expected}`, () =>
      assert.equal(rewriteCookie(cookie, target), expected));
  }
});
