import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { httpProxy, socksProxy } from '@orch/client/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { builtPrograms } from './programs.ts';
import { ask, authority, serveTls, trusting } from './tls-server.ts';

const named = testCertificate({ commonName: 'api', use: 'server', hosts: ['api.test'] }, authority);
const ofProxy = testCertificate({ commonName: 'proxy', use: 'server' }, authority);
const ofOther = testCertificate({ commonName: 'proxy', use: 'server' });
const login = 'us%er:p@ss';
const inUrl = 'us%25er:p%40ss@';

for (const program of builtPrograms)
  describe(`proxies and ${program.name}`, { skip: program.skip, timeout: 60_000 }, () => {
    for (const [scheme, open] of [
      ['http', () => httpProxy(login)],
      ['https', () => httpProxy(login, ofProxy)],
      ['socks5', () => socksProxy(login)],
    ] as const) {
      /** Asks a server by a name that only the proxy resolves. */
      const askFor = async (name: string) => {
        await using server = await serveTls(named);
        await using proxy = await open();
        const target = server.url.replace('127.0.0.1', name);
        const proxyUrl = `${scheme}://${inUrl}127.0.0.1:${proxy.port}`;
        const cluster = { server: target, 'proxy-url': proxyUrl, ...trusting };
        const result = await ask(program, { cluster });
        assert.deepEqual(proxy.targets, [new URL(target).host]);
        return result;
      };

      it(`${program.name} connects through the ${scheme} proxy of the configuration, which resolves the name`, async () => {
        const { code, stdout, stderr } = await askFor('api.test');
        assert.deepEqual([code, stdout, stderr], [0, 'answer for none\n', '']);
      });

      it(`${program.name} refuses a server with another name behind the ${scheme} proxy`, async () => {
        const { code, stdout, stderr } = await askFor('other.test');
        assert.deepEqual([code, stdout], [1, ''], stderr);
        assert.match(stderr, /other\.test/);
      });
    }

    it(`${program.name} refuses a proxy whose certificate is not of a known authority`, async () => {
      await using server = await serveTls(named);
      await using proxy = await httpProxy(undefined, ofOther);
      const cluster = { server: server.url, 'proxy-url': `https://127.0.0.1:${proxy.port}`, ...trusting };
      const { code, stderr } = await ask(program, { cluster });
      assert.equal(code, 1);
      assert.match(stderr, /certificate/);
      assert.deepEqual(proxy.targets, []);
    });
  });
