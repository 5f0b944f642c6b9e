import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noCredentials } from '../credentials/fixed.ts';
import type { ConnectionSettings } from '../transport/connection-settings.ts';
import { ConfigError } from './config-error.ts';
import { withEnvironmentProxy } from './environment-proxy.ts';

const settings = (server: string): ConnectionSettings => ({
  server,
  insecureSkipTlsVerify: false,
  disableCompression: false,
  credentials: noCredentials(),
});

const proxyOf = (server: string, environment: Readonly<Record<string, string>>): string | undefined =>
  withEnvironmentProxy(settings(server), environment).proxyUrl;

const proxy = 'http://proxy.test:3128';
const secure = 'https://api.example.com:6443';
const plain = 'http://api.example.com:8080';

describe('proxies of the environment', () => {
  for (const [server, environment, expected] of [
    [secure, {}, undefined],
    [secure, { HTTPS_PROXY: proxy }, proxy],
    [secure, { https_proxy: proxy }, proxy],
    [secure, { HTTPS_PROXY: proxy, https_proxy: 'http://lower.test' }, proxy],
    [secure, { HTTPS_PROXY: '', https_proxy: proxy }, proxy],
    [secure, { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, all_proxy: proxy }, undefined],
    [plain, { HTTP_PROXY: proxy }, proxy],
    [plain, { http_proxy: proxy }, proxy],
    [plain, { HTTPS_PROXY: proxy, https_proxy: proxy }, undefined],
    [secure, { HTTPS_PROXY: proxy, REQUEST_METHOD: 'GET' }, proxy],
    [plain, { HTTP_PROXY: proxy, REQUEST_METHOD: '' }, proxy],
    [secure, { HTTPS_PROXY: 'proxy.test:3128' }, proxy],
    [secure, { HTTPS_PROXY: '192.0.2.1' }, 'http://192.0.2.1'],
    [secure, { HTTPS_PROXY: 'ann:pass@proxy.test' }, 'http://ann:pass@proxy.test'],
    [secure, { HTTPS_PROXY: 'https://proxy.test' }, 'https://proxy.test'],
    [secure, { HTTPS_PROXY: 'SOCKS5://proxy.test' }, 'SOCKS5://proxy.test'],
    [secure, { HTTPS_PROXY: proxy, no_proxy: 'example.com' }, undefined],
    [secure, { HTTPS_PROXY: proxy, NO_PROXY: 'other.test', no_proxy: 'example.com' }, proxy],
    [secure, { HTTPS_PROXY: proxy, NO_PROXY: '', no_proxy: 'example.com' }, undefined],
    ['https://localhost:6443', { HTTPS_PROXY: proxy }, undefined],
    ['https://LOCALHOST', { HTTPS_PROXY: proxy }, undefined],
    ['https://127.0.0.1:6443', { HTTPS_PROXY: proxy }, undefined],
    ['https://127.255.0.9', { HTTPS_PROXY: proxy }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: proxy }, undefined],
    ['https://[::ffff:127.0.0.1]', { HTTPS_PROXY: proxy }, undefined],
    ['https://128.0.0.1', { HTTPS_PROXY: proxy }, proxy],
    ['https://[::2]', { HTTPS_PROXY: proxy }, proxy],
    ['https://localhost.example.com', { HTTPS_PROXY: proxy }, proxy],
    ['https://127.0.0.1.example.com', { HTTPS_PROXY: proxy }, proxy],
  ] as const) {
    it(`${server} with ${JSON.stringify(environment)} has the proxy ${expected}`, () => {
      assert.equal(proxyOf(server, environment), expected);
    });
  }

  for (const [list, direct, proxied] of [
    ['*', [secure, 'https://10.0.0.1', 'https://[2001:db8::1]'], []],
    ['other.test, * ', [secure], []],
    [
      'example.com',
      ['https://example.com', secure, 'https://a.b.example.com'],
      ['https://myexample.com', 'https://example.com.test', 'https://com'],
    ],
    ['.example.com', [secure], ['https://example.com', 'https://myexample.com']],
    ['*.example.com', [secure], ['https://example.com']],
    ['API.Example.com', [secure, 'https://API.EXAMPLE.COM'], ['https://example.com']],
    ['example.com:6443', [secure], ['https://api.example.com', 'https://example.com:7443']],
    ['.example.com:443', ['https://api.example.com'], [secure]],
    ['example.com:', [secure], []],
    ['one.test,,  example.com  ,two.test', [secure, 'https://two.test'], ['https://three.test']],
    ['one.test example.com', [], [secure, 'https://one.test']],
    ['bücher.test', ['https://bücher.test', 'https://a.xn--bcher-kva.test'], ['https://bucher.test']],
    ['10.1.2.3', ['https://10.1.2.3:6443', 'https://[::ffff:10.1.2.3]'], ['https://10.1.2.30']],
    ['10.1.2.3:443', ['https://10.1.2.3'], ['https://10.1.2.3:6443']],
    ['10.0.0.0/8', ['https://10.255.0.1'], ['https://11.0.0.1', 'https://10.example.com']],
    ['10.9.9.9/8', ['https://10.255.0.1', 'https://[::ffff:10.1.2.3]'], ['https://11.0.0.1']],
    ['10.0.0.0/8:443', [], ['https://10.0.0.1']],
    ['10.', [], ['https://10.0.0.1']],
    ['0.1', [], ['https://10.0.0.1']],
    ['2001:DB8::1', ['https://[2001:db8:0::1]:6443'], ['https://[2001:db8::2]']],
    ['[2001:db8::1]:6443', ['https://[2001:db8::1]:6443'], ['https://[2001:db8::1]']],
    ['2001:db8::/32', ['https://[2001:db8:ffff::1]'], ['https://[2001:db9::1]', 'https://32.1.13.184']],
    [':443,10.0.0.0/33,[::1,:,/,::/129', [], ['https://10.0.0.1', 'https://example.com']],
  ] as const) {
    it(`NO_PROXY=${list} exempts what it lists and nothing else`, () => {
      const environment = { HTTPS_PROXY: proxy, NO_PROXY: list };
      for (const server of direct) assert.equal(proxyOf(server, environment), undefined, server);
      for (const server of proxied) assert.equal(proxyOf(server, environment), proxy, server);
    });
  }

  it('a proxy of the settings takes precedence, also over the exceptions and invalid variables', () => {
    const given = { ...settings(secure), proxyUrl: 'socks5://other.test' };
    assert.equal(withEnvironmentProxy(given, { HTTPS_PROXY: 'ftp://x', NO_PROXY: '*' }), given);
  });

  for (const [server, environment, message] of [
    [plain, { HTTP_PROXY: proxy, REQUEST_METHOD: 'GET' }, /^HTTP_PROXY: .* REQUEST_METHOD is set/],
    [plain, { http_proxy: proxy, REQUEST_METHOD: 'GET' }, /^http_proxy: .* REQUEST_METHOD is set/],
    [secure, { HTTPS_PROXY: 'ftp://ann:hidden@x' }, /^HTTPS_PROXY: the scheme "ftp:" is not/],
    [secure, { https_proxy: 'http://ann:%hidden@x' }, /^https_proxy: .*percent-encoding/],
    [secure, { HTTPS_PROXY: 'ann:hidden@' }, /^HTTPS_PROXY: not an absolute URL/],
    [secure, { HTTPS_PROXY: 'http://ann:hidden@x:port' }, /^HTTPS_PROXY: not an absolute URL/],
  ] as const) {
    it(`the error of a variable names it and not its value: ${message.source}`, () => {
      assert.throws(
        () => proxyOf(server, environment),
        (error: Error) =>
          error instanceof ConfigError && message.test(error.message) && !error.message.includes('hidden'),
      );
    });
  }

  it('an invalid proxy for other servers than the one in use is not an error', () => {
    assert.equal(proxyOf('https://localhost', { HTTPS_PROXY: 'ftp://x', HTTP_PROXY: 'ftp://x' }), undefined);
  });
});
