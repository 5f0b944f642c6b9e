import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { KeyPair } from '@orch/apiserver';
import { testCertificate } from '@orch/pki/x509/testing';
import { freePort, type LaunchedServer, launchServer, type RunningProcess, start } from '@orch/testkit';

const issue = (commonName: string, use: 'authority' | 'server' | 'client', issuer?: KeyPair): KeyPair =>
  testCertificate({ commonName, use }, issuer);

/** Users have certificates of an authority that only the front proxy trusts; the proxy has a certificate of another authority. */
const peopleCa = issue('people-ca', 'authority');
const frontCa = issue('front-ca', 'authority');
const proxyCa = issue('proxy-ca', 'authority');
const alice = issue('alice', 'client', peopleCa);
const proxy = issue('front', 'client', proxyCa);
const front = issue('front', 'server', frontCa);

const configOf = (folder: string, port: number, server: number): string => `global
  maxconn 100
defaults
  mode http
  timeout connect 2s
  timeout client 1m
  timeout server 1m
frontend people
  bind 127.0.0.1:${port} ssl crt ${folder}/front.pem ca-file ${folder}/people.crt verify required
  http-request del-header X-Remote- -m beg
  http-request set-header X-Remote-User %[ssl_c_s_dn(CN)]
  http-request set-header X-Remote-Uid u-7
  http-request add-header X-Remote-Group dev
  http-request add-header X-Remote-Group "ops, eu"
  http-request set-header X-Remote-Extra-Acme.com%2Fteam one
  default_backend api
backend api
  server api 127.0.0.1:${server} ssl crt ${folder}/proxy.pem ca-file ${folder}/api.crt verify required
`;

describe('authenticating front proxy', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-front-'));
  let server: LaunchedServer;
  let haproxy: RunningProcess | undefined;
  let port = 0;
  const file = (name: string, ...parts: readonly string[]): string => {
    writeFileSync(join(folder, name), parts.join('\n'));
    return join(folder, name);
  };

  before(async () => {
    server = await launchServer({
      args: [
        `--requestheader-client-ca-file=${file('proxies.crt', proxyCa.cert)}`,
        '--requestheader-allowed-names=front',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-uid-headers=X-Remote-Uid',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        '--emulated-version=1.33',
      ],
    });
    port = await freePort();
    file('front.pem', front.cert, front.key);
    file('proxy.pem', proxy.cert, proxy.key);
    file('people.crt', peopleCa.cert);
    file('api.crt', server.config.ca.toString());
    haproxy = start('haproxy', ['-db', '-f', file('haproxy.cfg', configOf(folder, port, server.port))]);
  });
  after(async () => {
    await haproxy?.[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The user that the server has authenticated, or the status when it has refused. */
  function whoami(at: number, identity: Partial<KeyPair>, ca: string, headers: Record<string, string> = {}) {
    const body = JSON.stringify({ apiVersion: 'authentication.orch.io/v1', kind: 'SelfSubjectReview' });
    return new Promise<unknown>((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: at,
          method: 'POST',
          path: '/apis/authentication.orch.io/v1/selfsubjectreviews',
          agent: false,
          ca,
          ...identity,
          headers: { 'content-type': 'application/json', ...headers },
        },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          incoming.on('end', () => {
            if (incoming.statusCode !== 201) return resolve(incoming.statusCode);
            resolve((JSON.parse(text) as { status: { userInfo: unknown } }).status.userInfo);
          });
        },
      );
      outgoing.on('error', reject).end(body);
    });
  }

  /** The proxy takes a moment until it listens. */
  async function throughFront(headers: Record<string, string> = {}): Promise<unknown> {
    const deadline = AbortSignal.timeout(10_000);
    for (;;) {
      try {
        return await whoami(port, alice, frontCa.cert, headers);
      } catch (error) {
        if (deadline.aborted || (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  const seen = {
    username: 'alice',
    uid: 'u-7',
    groups: ['dev', 'ops, eu', 'system:authenticated'],
    extra: { 'acme.com/team': ['one'] },
  };

  it('an authenticating proxy passes the user, groups and extra fields of its clients to the server', async () => {
    assert.deepEqual(await throughFront(), seen);
  });

  it('identity headers that clients send through an authenticating proxy are ignored', async () => {
    for (const name of [
      'X-Remote-User',
      'x-remote-user',
      'X-REMOTE-GROUP',
      'x-remote-uid',
      'X-Remote-Extra-Scope',
    ])
      assert.deepEqual(await throughFront({ [name]: 'system:masters' }), seen);
  });

  it('identity headers are ignored on connections that do not come from the authenticating proxy', async () => {
    const ca = server.config.ca.toString();
    const headers = { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters', 'X-Remote-Uid': 'u-7' };
    assert.equal(await whoami(server.port, {}, ca, headers), 401);
    assert.equal(await whoami(server.port, alice, ca, headers), 401);
    assert.equal(await whoami(server.port, issue('back', 'client', proxyCa), ca, headers), 401);
    const admin = { cert: String(server.config.cert), key: String(server.config.key) };
    const user = (await whoami(server.port, admin, ca, headers)) as { username: string; uid?: string };
    assert.equal(user.username, 'system:admin');
    assert.equal(user.uid, undefined);
    const path = '/api/v1/namespaces/orch-system/configmaps/extension-apiserver-authentication';
    const published = await server.client.get(path);
    assert.match(published.text, /"requestheader-uid-headers":"\[\\"X-Remote-Uid\\"\]"/);
  });
});
