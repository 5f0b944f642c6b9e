import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ProxiedTarget } from '../relay/links.ts';
import { htmlLinks, isPage } from './html-links.ts';

const target: ProxiedTarget = {
  prefix: '/P',
  scheme: 'http',
  host: '10.0.0.5:80',
  clientHost: undefined,
  path: '/x/y',
};

async function changed(...pieces: readonly string[]): Promise<string> {
  const parts: Buffer[] = [];
  const body = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  })();
  for await (const part of htmlLinks(body, target)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('links in proxied pages', () => {
  for (const [page, expected] of [
    ['<a href="/b">x</a>', '<a href="/P/b">x</a>'],
    ["<A class=q HREF='/b' >", "<A class=q HREF='/P/b' >"],
    ['<img src=/b.png>', '<img src=/P/b.png>'],
    ['<img src = "/b.png"/>', '<img src = "/P/b.png"/>'],
    [
      '<form action="/go" method=post><input formaction="/stop">',
      '<form action="/P/go" method=post><input formaction="/P/stop">',
    ],
    ['<a href="http://10.0.0.5:80/b">', '<a href="/P/b">'],
    ['<a href="b"> <a href="#b"> <a href="?b">', '<a href="b"> <a href="#b"> <a href="?b">'],
    [
      '<a href="https://elsewhere.example/b"> <a href="//cdn.example/b">',
      '<a href="https://elsewhere.example/b"> <a href="//cdn.example/b">',
    ],
    ['<a href="/a?b=1&amp;c=2">', '<a href="/P/a?b=1&amp;c=2">'],
    ['<a title=\'<a href="/b">\' href="/c">', '<a title=\'<a href="/b">\' href="/P/c">'],
    ['<p>1 < 2 and href="/b"</p>', '<p>1 < 2 and href="/b"</p>'],
    ['<!-- <a href="/b"> --><a href="/c">', '<!-- <a href="/b"> --><a href="/P/c">'],
    [
      '<script>x = \'<a href="/b">\'</script><a href="/c">',
      '<script>x = \'<a href="/b">\'</script><a href="/P/c">',
    ],
    ['<script src="/s.js"></script>', '<script src="/P/s.js"></script>'],
    ['<link href="/s.css"><p>ä€😀</p>', '<link href="/P/s.css"><p>ä€😀</p>'],
    ['<a data-href="/b" href=""><a href>', '<a data-href="/b" href=""><a href>'],
    ['<a href="/never ends', '<a href="/never ends'],
    ['<a href="/../../api/v1/secrets">', '<a href="/P/api/v1/secrets">'],
  ] as const) {
    it(`the page ${page} becomes ${expected}`, async () => assert.equal(await changed(page), expected));
  }

  it('links are rewritten the same however the page is split', async () => {
    const piece = fc.constantFrom(
      '<a href="/b">',
      '<',
      '>',
      '"',
      "'",
      '<!--',
      '-->',
      '<script>',
      '</script>',
      'text',
      ' ',
      '<img src=/c ',
      '=',
      '/',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 25 }),
        fc.array(fc.nat(300), { maxLength: 8 }),
        async (pieces, cuts) => {
          const page = pieces.join('');
          const ends = [...new Set(cuts.filter((cut) => cut < page.length))].sort((a, b) => a - b);
          const parts = [...ends, page.length].map((end, at) => page.slice(at === 0 ? 0 : ends[at - 1], end));
          assert.equal(await changed(...parts), await changed(page));
        },
      ),
    );
  });

  it('rewriting has linear cost, and buffers one tag at most', async () => {
    const started = process.cpuUsage();
    const bytes = (async function* () {
      yield Buffer.from('<a ');
      for (let n = 0; n < 100_000; n++) yield Buffer.from('="');
    })();
    let length = 0;
    for await (const part of htmlLinks(bytes, target)) length += part.length;
    assert.equal(length, 200_003);
    assert.ok(process.cpuUsage(started).user < 5_000_000, 'five seconds of CPU');
  });

  for (const [status, fields, expected] of [
    [200, { 'content-type': 'text/html' }, true],
    [404, { 'content-type': 'Text/HTML; charset=utf-8' }, true],
    [200, { 'content-type': 'text/html', 'content-encoding': 'identity' }, true],
    [200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }, false],
    [206, { 'content-type': 'text/html' }, false],
    [200, { 'content-type': 'text/plain' }, false],
    [200, {}, false],
  ] as const) {
    it(`links are rewritten for ${status} ${JSON.stringify(fields)}: ${expected}`, () =>
      assert.equal(isPage(status, fields), expected));
  }
});
