import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseProxy } from './proxy.ts';
import { fetchText, get, http1Peer, http2Peer, settingsFor, soon, transportTo } from './testing/peers.ts';
import { httpProxy, socksProxy } from './testing/proxies.ts';

describe('proxies of connections', () => {
  for (const [what, open, url] of [
    ['http', httpProxy, (port: number) => `http://127.0.0.1:${port}`],
    ['socks5', socksProxy, (port: number) => `socks5://127.0.0.1:${port}`],
  ] as const) {
    it(`requests use the proxy, which resolves names: ${what}`, async () => {
      await using peer = await http2Peer((stream, headers) => stream.end(headers[':authority']));
      await using plain = await http1Peer((request, response) => response.end(request.headers.host));
      await using proxy = await open();
      const proxyUrl = url(proxy.port);
      for (const server of [`https://api.test:${peer.port}`, `http://127.0.0.1:${plain.port}`]) {
        await using transport = transportTo(settingsFor(server, { proxyUrl }));
        assert.equal(await fetchText(transport, get('/')), new URL(server).host);
        assert.equal(proxy.targets.at(-1), new URL(server).host);
      }
    });

    it(`the proxy gets user name and password of its URL: ${what}`, async () => {
      await using peer = await http2Peer((stream) => stream.end('ok'));
      await using proxy = await open('us%er:p@ss');
      const settings = (login: string) =>
        settingsFor(`https://api.test:${peer.port}`, {
          proxyUrl: url(proxy.port).replace('//', `//${login}`),
        });
      await using right = transportTo(settings('us%25er:p%40ss@'));
      assert.equal(await fetchText(right, get('/')), 'ok');
      for (const login of ['', 'us%25er:hidden@']) {
        await using wrong = transportTo(settings(login));
        await assert.rejects(wrong.send(get('/'), soon()), (error: Error & { outcome?: string }) => {
          assert.equal(error.outcome, 'notSent');
          assert.match(
            error.message,
            /the proxy (?:responded 407|closed|rejected the credentials|does not|requires)/,
          );
          assert.doesNotMatch(error.message, /hidden|p@ss/);
          return true;
        });
      }
    });
  }

  it('the error of a rejecting proxy has its reason', async () => {
    await using proxy = await socksProxy();
    await using transport = transportTo(
      settingsFor('https://forbidden.test:1', { proxyUrl: `socks5://127.0.0.1:${proxy.port}` }),
    );
    await assert.rejects(transport.send(get('/'), soon()), {
      outcome: 'notSent',
      message: /the proxy responded: not allowed by its rules/,
    });
  });

  for (const [text, proxy] of [
    ['http://h', { kind: 'http', host: 'h', port: 80 }],
    ['https://h', { kind: 'https', host: 'h', port: 443 }],
    ['socks5://h', { kind: 'socks5', host: 'h', port: 1080 }],
    ['socks5h://[::1]:9', { kind: 'socks5', host: '::1', port: 9 }],
    ['http://a:b@h:8', { kind: 'http', host: 'h', port: 8, user: { name: 'a', password: 'b' } }],
  ] as const) {
    it(`a proxy URL is parsed: ${text}`, () => {
      assert.deepEqual(parseProxy(text), proxy);
    });
  }

  for (const text of ['h:8', 'ftp://h', 'http://', '', 'no-url:secret@x', 'http://u:%secret@x']) {
    it(`an invalid proxy URL is rejected: ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parseProxy(text),
        (error: Error) =>
          error instanceof TypeError &&
          error.message.startsWith('proxy-url: ') &&
          !error.message.includes('secret'),
      );
    });
  }
});
