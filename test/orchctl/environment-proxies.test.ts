import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { httpProxy, socksProxy } from '@orch/client/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { temporaryFolder } from '@orch/testkit';
import { type NodeCluster, nodeCluster } from './node-cluster.ts';
import { type BuiltProgram, builtPrograms, foundKubectl, runBuilt } from './programs.ts';
import { type Asking, ask, authority, serveTls, trusting } from './tls-server.ts';

const named = testCertificate({ commonName: 'api', use: 'server', hosts: ['api.test'] }, authority);
const ofProxy = testCertificate({ commonName: 'proxy', use: 'server' }, authority);
const login = 'us%er:p@ss';
const inUrl = 'us%25er:p%40ss@';

const programs = [...builtPrograms, await foundKubectl()];

/** kubectl asks for a password when a user has no credentials. */
const askWithToken = (program: BuiltProgram, asking: Asking) =>
  ask(program, { user: { token: 'abc' }, ...asking });

// The proxies have 127.0.0.1, and servers a name that only they resolve, or 0.0.0.0, which is this machine and no loopback address.
for (const program of programs)
  describe(`proxies of the environment and ${program.name}`, { skip: program.skip, timeout: 60_000 }, () => {
    for (const [variable, scheme, open] of [
      ['HTTPS_PROXY', 'http://', () => httpProxy(login)],
      ['https_proxy', '', () => httpProxy(login)],
      ['HTTPS_PROXY', 'https://', () => httpProxy(login, ofProxy)],
      ['HTTPS_PROXY', 'socks5://', () => socksProxy(login)],
    ] as const)
      it(`${program.name} connects through the proxy of ${variable}=${scheme}…, which resolves the name`, async () => {
        await using server = await serveTls(named);
        await using proxy = await open();
        const target = server.url.replace('127.0.0.1', 'api.test');
        const { code, stdout, stderr } = await askWithToken(program, {
          cluster: { server: target, ...trusting },
          env: { [variable]: `${scheme}${inUrl}127.0.0.1:${proxy.port}` },
        });
        assert.deepEqual([code, stdout, stderr], [0, 'answer for none\n', '']);
        assert.deepEqual(proxy.targets, [new URL(target).host]);
      });

    for (const [host, exceptions, isProxied] of [
      ['0.0.0.0', '', true],
      ['0.0.0.0', '10.0.0.0/8,0.0.0.1,example.com', true],
      ['0.0.0.0', '10.0.0.0/8, 0.0.0.0/8', false],
      ['0.0.0.0', '*', false],
      ['127.0.0.1', '', false],
      ['localhost', '', false],
    ] as const)
      it(`${program.name} with NO_PROXY=${exceptions} ${isProxied ? 'uses' : 'uses no'} proxy for ${host}`, async () => {
        await using server = await serveTls(named);
        await using proxy = await httpProxy();
        const target = server.url.replace('127.0.0.1', host);
        const { code, stdout, stderr } = await askWithToken(program, {
          cluster: { server: target, 'tls-server-name': 'api.test', ...trusting },
          env: { HTTPS_PROXY: `127.0.0.1:${proxy.port}`, NO_PROXY: exceptions },
        });
        assert.deepEqual([code, stdout, stderr], [0, 'answer for none\n', '']);
        assert.deepEqual(proxy.targets, isProxied ? [new URL(target).host] : []);
      });

    it(`${program.name} prefers the proxy of the configuration, without exceptions`, async () => {
      await using server = await serveTls(named);
      await using configured = await httpProxy();
      await using other = await httpProxy();
      const target = server.url.replace('127.0.0.1', 'api.test');
      const { code, stderr } = await askWithToken(program, {
        cluster: { server: target, 'proxy-url': `http://127.0.0.1:${configured.port}`, ...trusting },
        env: { HTTPS_PROXY: `127.0.0.1:${other.port}`, NO_PROXY: '*' },
      });
      assert.equal(code, 0, stderr);
      assert.deepEqual([configured.targets, other.targets], [[new URL(target).host], []]);
    });

    it(`${program.name} does not send its request to the HTTP_PROXY of a CGI program`, async () => {
      await using proxy = await httpProxy();
      const { code, stdout, stderr } = await askWithToken(program, {
        cluster: { server: 'http://api.test:1' },
        env: { HTTP_PROXY: `127.0.0.1:${proxy.port}`, REQUEST_METHOD: 'GET' },
      });
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /HTTP_PROXY/);
      assert.deepEqual(proxy.targets, []);
    });

    it(`${program.name} passes the variables on to a credential plugin`, async () => {
      await using server = await serveTls(named);
      await using proxy = await httpProxy();
      using folder = temporaryFolder();
      const seen = join(folder.path, 'seen');
      const apiVersion = 'client.authentication.k8s.io/v1';
      const answer = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token: 'abc' } });
      const script = `echo "$HTTPS_PROXY $NO_PROXY" >${seen}; echo '${answer}'`;
      const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}`, NO_PROXY: 'other.test' };
      const { code, stderr } = await askWithToken(program, {
        cluster: { server: server.url.replace('127.0.0.1', 'api.test'), ...trusting },
        user: { exec: { apiVersion, command: '/bin/sh', args: ['-c', script], interactiveMode: 'Never' } },
        env,
      });
      assert.equal(code, 0, stderr);
      assert.equal(readFileSync(seen, 'utf8'), `${env.HTTPS_PROXY} ${env.NO_PROXY}\n`);
    });
  });

for (const program of builtPrograms)
  describe(`secrets of proxies and ${program.name}`, { skip: program.skip, timeout: 60_000 }, () => {
    for (const [what, password, status] of [
      ['accepted', 'p%40ss', 0],
      ['rejected', 'hidden', 1],
    ] as const)
      it(`${program.name} never prints the password of a proxy: ${what}`, async () => {
        await using server = await serveTls(named);
        await using proxy = await httpProxy(login);
        const { code, stderr } = await askWithToken(program, {
          cluster: { server: server.url.replace('127.0.0.1', 'api.test'), ...trusting },
          env: { HTTPS_PROXY: `us%25er:${password}@127.0.0.1:${proxy.port}` },
          flags: ['-v=9'],
        });
        assert.equal(code, status, stderr);
        assert.match(stderr, /^GET \/\w+ /m);
        if (status !== 0) assert.match(stderr, new RegExp(`proxy 127\\.0\\.0\\.1:${proxy.port}: .*407`));
        for (const secret of [password, 'p@ss', btoa(login), btoa('us%er:hidden')])
          assert.ok(!stderr.includes(secret), stderr);
      });

    it(`${program.name} names the variable of an invalid proxy and not its value`, async () => {
      const { code, stderr } = await askWithToken(program, {
        cluster: { server: 'https://api.test:1' },
        env: { https_proxy: 'ftp://ann:hidden@proxy.test' },
        flags: ['-v=9'],
      });
      assert.equal(code, 1);
      assert.match(stderr, /https_proxy: the scheme "ftp:" is not/);
      assert.doesNotMatch(stderr, /hidden/);
    });

    it(`${program.name} asks a proxy for a tunnel to an http server, too`, async () => {
      const server = createServer((_, response) => response.end('plain\n')).listen(0, '127.0.0.1');
      await using proxy = await httpProxy();
      try {
        const address = server.address();
        const host = `api.test:${typeof address === 'object' ? address?.port : ''}`;
        const { code, stdout, stderr } = await askWithToken(program, {
          cluster: { server: `http://${host}` },
          env: { HTTP_PROXY: `127.0.0.1:${proxy.port}`, HTTPS_PROXY: '127.0.0.1:1' },
        });
        assert.deepEqual([code, stdout, stderr], [0, 'plain\n', '']);
        assert.deepEqual(proxy.targets, [host]);
      } finally {
        server.close();
      }
    });
  });

describe('streams through proxies of the environment', { timeout: 120_000 }, () => {
  let cluster: NodeCluster;
  before(async () => {
    cluster = await nodeCluster('kubernetes', (port) => port);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const program of programs)
    it(`${program.name} runs a command in a container through the proxy`, {
      skip: program.skip,
    }, async () => {
      await using proxy = await httpProxy(login);
      const host = `api.test:${cluster.server.port}`;
      const argv = [
        ...['exec', 'one', `--kubeconfig=${cluster.server.adminConfig}`],
        ...[`--server=https://${host}`, '--tls-server-name=localhost', '--', 'echo', 'hello'],
      ];
      const { code, stdout, stderr } = await runBuilt(program, argv, {
        folder: cluster.folder,
        env: { HTTPS_PROXY: `${inUrl}127.0.0.1:${proxy.port}` },
      });
      assert.deepEqual([code, stdout], [0, 'hello\n'], stderr);
      // One connection for requests, and one for the streams.
      assert.ok(proxy.targets.length >= 2, String(proxy.targets));
      assert.deepEqual(new Set(proxy.targets), new Set([host]));
    });
});
