import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testCertificate } from '@orch/pki/x509/testing';
import { ApiClient, findKubectls, type LaunchedServer, launchServer, run } from '@orch/testkit';
import { type JWTPayload, SignJWT } from 'jose';
import OidcProvider from 'oidc-provider';

const [kubectl] = (await findKubectls(join(import.meta.dirname, '..', '..'))).slice(-1);
const ca = testCertificate({ commonName: 'provider-ca', use: 'authority' });
const serving = testCertificate({ commonName: 'provider', use: 'server' }, ca);
const key = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe('API server with an OpenID Connect provider', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-oidc-'));
  let provider: Server;
  let issuer = '';
  let server: LaunchedServer;

  before(async () => {
    let handle: ReturnType<OidcProvider['callback']> = () => Promise.resolve();
    provider = createServer(serving, (incoming, outgoing) => void handle(incoming, outgoing));
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    issuer = `https://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    handle = new OidcProvider(issuer, {
      jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] },
      clients: [{ client_id: 'orch', client_secret: 'secret', redirect_uris: ['https://127.0.0.1/cb'] }],
    }).callback();
    writeFileSync(join(work, 'ca.crt'), ca.cert);
    server = await launchServer({
      naming: 'kubernetes',
      release: '1.32',
      args: [
        '--authorization-mode=RBAC',
        `--oidc-issuer-url=${issuer}`,
        '--oidc-client-id=orch',
        '--oidc-username-claim=name',
        '--oidc-username-prefix=oidc:',
        '--oidc-groups-claim=roles',
        '--oidc-groups-prefix=oidc:',
        '--oidc-required-claim=tenant=a',
        '--oidc-signing-algs=RS256',
        `--oidc-ca-file=${join(work, 'ca.crt')}`,
      ],
    });
    const binding = await server.client.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'viewers' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'system:aggregate-to-view',
      },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'oidc:viewers' }],
    });
    assert.equal(binding.status, 201, binding.text);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    provider.closeAllConnections();
    provider.close();
    rmSync(work, { recursive: true, force: true });
  });

  const idToken = (changes: JWTPayload = {}): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: 'orch', sub: 'u1', name: 'ann', roles: ['viewers'], tenant: 'a' };
    return new SignJWT({ ...claims, iat: now, exp: now + 3600, ...changes })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .sign(key.privateKey);
  };

  for (const [what, changes, status] of [
    ['an ID token for its client ID', {}, 200],
    ['an ID token without a permitted group', { roles: [] }, 403],
    ['an ID token with a group of the system', { roles: ['system:masters'] }, 403],
    ['an ID token for another client ID', { aud: 'other' }, 401],
    ['an ID token without the required claim value', { tenant: 'b' }, 401],
    ['an expired ID token', { exp: 1 }, 401],
    ['an ID token of another issuer', { iss: 'https://elsewhere.example' }, 401],
  ] as const) {
    it(`the API server answers ${status} to ${what}`, async () => {
      const token = await idToken(changes as JWTPayload);
      using client = new ApiClient({ ...server.config, cert: undefined, key: undefined, token });
      const answer = await client.get('/api/v1/namespaces/default/pods');
      assert.equal(answer.status, status, answer.text);
      if (status === 403) assert.match(answer.text, /User \\"oidc:ann\\"/);
      assert.ok(!server.output().includes(token.split('.')[2] ?? ''));
    });
  }

  it('a self review with an ID token shows the id of the token as the credential id', async () => {
    for (const [changes, extra] of [
      [{ jti: 'id-1' }, { 'authentication.kubernetes.io/credential-id': ['JTI=id-1'] }],
      [{}, undefined],
    ] as const) {
      const token = await idToken(changes);
      using client = new ApiClient({ ...server.config, cert: undefined, key: undefined, token });
      const kind = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const { status, text, json } = await client.post(
        '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        kind,
      );
      assert.equal(status, 201, text);
      const { userInfo } = (json as { status: { userInfo: { extra?: unknown } } }).status;
      assert.deepEqual(userInfo.extra, extra);
    }
  });

  it('kubectl --token authenticates with an ID token', { skip: kubectl === undefined }, async () => {
    writeFileSync(join(work, 'server.crt'), server.config.ca);
    const { code, stdout, stderr } = await run(
      kubectl?.path ?? '',
      [
        `--server=${server.url}`,
        `--certificate-authority=${join(work, 'server.crt')}`,
        `--token=${await idToken()}`,
        'auth',
        'can-i',
        'list',
        'pods',
      ],
      { env: { HOME: work, KUBECONFIG: '/dev/null' } },
    );
    assert.equal(code, 0, stderr);
    assert.equal(stdout.trim(), 'yes');
  });

  it('metrics count cached ID tokens', async () => {
    const token = await idToken();
    using client = new ApiClient({ ...server.config, cert: undefined, key: undefined, token });
    for (let i = 0; i < 3; i++)
      assert.equal((await client.get('/api/v1/namespaces/default/pods')).status, 200);
    const { text } = await server.client.get('/metrics');
    const value = (name: string, status: string): number =>
      Number(
        new RegExp(`^authentication_token_cache_${name}\\{status="${status}"\\} (\\d+)$`, 'm').exec(
          text,
        )?.[1],
      );
    assert.ok(value('request_total', 'hit') >= 2);
    assert.ok(value('fetch_total', 'ok') >= 1);
    assert.ok(value('fetch_total', 'error') >= 3);
  });
});
