import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ApiClient, findKubectls, type LaunchedServer, launchServer, run } from '@orch/testkit';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';

const root = join(import.meta.dirname, '..', '..');
/** `create token` came with release 1.24 of the client. */
const kubectl = (await findKubectls(root)).findLast(({ release }) => Number(release.split('.')[1]) >= 24);

const core = '/api/v1/namespaces/default';
const issuer = 'https://kubernetes.default.svc';
const user = 'system:serviceaccount:default:robot';
const work = mkdtempSync(join(tmpdir(), 'orch-tokens-'));
after(() => rmSync(work, { recursive: true, force: true }));

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any form.
type Json = any;

async function withAccount(...args: readonly string[]): Promise<LaunchedServer> {
  const server = await launchServer({ naming: 'kubernetes', args });
  const account = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } };
  assert.equal((await server.client.post(`${core}/serviceaccounts`, account)).status, 201);
  return server;
}

/** The user that the server authenticates by a token; `invalid` when it refuses the token. */
async function ownerOf({ client }: LaunchedServer, token: string): Promise<string> {
  const answer = await client.post('/apis/authentication.k8s.io/v1/tokenreviews', {
    kind: 'TokenReview',
    apiVersion: 'authentication.k8s.io/v1',
    spec: { token },
  });
  assert.equal(answer.status, 201, answer.text);
  return (answer.json as Json).status.user.username ?? 'invalid';
}

/** The status of a request whose only credential is a token. */
async function statusWith({ config }: LaunchedServer, token: string): Promise<number> {
  using client = new ApiClient({ ...config, cert: undefined, key: undefined, token });
  return (await client.get(`${core}/serviceaccounts/robot`)).status;
}

async function requested({ client }: LaunchedServer, spec: object = {}): Promise<string> {
  const body = { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', spec };
  const answer = await client.post(`${core}/serviceaccounts/robot/token`, body);
  assert.equal(answer.status, 201, answer.text);
  return (answer.json as Json).status.token;
}

const file = (name: string, content: string | Buffer): string => {
  const path = join(work, name);
  writeFileSync(path, content);
  return path;
};
const rsa = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('kubectl create token', { skip: kubectl === undefined, timeout: 120_000 }, () => {
  it('kubectl --token accepts tokens of kubectl create token until the service account is deleted', async () => {
    await using server = await withAccount('--v=2');
    const ca = file('ca.crt', server.config.ca);
    const home = { HOME: join(work, 'home') };
    const asAdmin = (...args: readonly string[]) =>
      run(kubectl?.path ?? '', args, { env: { ...home, KUBECONFIG: server.adminConfig } });
    const asRobot = (token: string) =>
      run(
        kubectl?.path ?? '',
        [
          `--server=${server.url}`,
          `--certificate-authority=${ca}`,
          `--token=${token}`,
          'get',
          'sa',
          '-o',
          'name',
        ],
        { env: { ...home, KUBECONFIG: '/dev/null' } },
      );
    const made = await asAdmin('create', 'token', 'robot', '--duration=15m');
    assert.equal(made.code, 0, made.stderr);
    const token = made.stdout.trim();
    assert.equal(await ownerOf(server, token), user);
    const listed = await asRobot(token);
    assert.deepEqual([listed.code, listed.stdout], [0, 'serviceaccount/robot\n'], listed.stderr);

    const elsewhere = await asAdmin('create', 'token', 'robot', '--audience=https://vault.example');
    assert.equal(elsewhere.code, 0, elsewhere.stderr);
    assert.notEqual((await asRobot(elsewhere.stdout.trim())).code, 0);

    const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'bond' } };
    await server.client.post(`${core}/secrets`, secret);
    const bond = ['--bound-object-kind=Secret', '--bound-object-name=bond'];
    const bound = await asAdmin('create', 'token', 'robot', ...bond);
    assert.equal(bound.code, 0, bound.stderr);
    assert.equal((await asRobot(bound.stdout.trim())).code, 0);
    await server.client.delete(`${core}/secrets/bond`);
    assert.notEqual((await asRobot(bound.stdout.trim())).code, 0);

    const short = await asAdmin('create', 'token', 'robot', '--duration=5m');
    assert.notEqual(short.code, 0);
    assert.match(short.stderr, /expirationSeconds/);

    await server.client.delete(`${core}/serviceaccounts/robot`);
    await withoutToken(server, token, () => asRobot(token));
    await server.client.post(`${core}/serviceaccounts`, {
      kind: 'ServiceAccount',
      apiVersion: 'v1',
      metadata: { name: 'robot' },
    });
    await withoutToken(server, token, () => asRobot(token));
  });

  /** The command is refused, and the log contains the refusal, but not the token. */
  async function withoutToken(
    server: LaunchedServer,
    token: string,
    command: () => ReturnType<typeof run>,
  ): Promise<void> {
    const refused = await command();
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, /Unauthorized|logged in/);
    const log = server.output();
    assert.match(log, /credentials rejected/);
    for (const part of token.split('.').slice(1)) assert.ok(!log.includes(part));
  }
});

describe('tokens of service accounts', { timeout: 120_000 }, () => {
  it('service account tokens can be verified with the OpenID configuration and key set of the server', async () => {
    await using server = await withAccount();
    const { client } = server;
    const said = (await client.get('/.well-known/openid-configuration')).json as Json;
    assert.deepEqual(said, {
      issuer,
      jwks_uri: `${issuer}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
    const keys = await client.get('/openid/v1/jwks');
    assert.match(String(keys.headers['content-type']), /^application\/jwk-set\+json/);
    assert.doesNotMatch(keys.text, /"(d|p|q|k)":/);
    const token = await requested(server, { audiences: ['https://vault.example'] });
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys.json as JSONWebKeySet), {
      issuer,
      audience: 'https://vault.example',
      subject: user,
    });
    assert.ok(payload.exp !== undefined && payload.exp - (payload.iat ?? 0) === 3600);
  });

  it('service account tokens remain valid after a change of the signing key while the old key is configured', async () => {
    const [oldKey, newKey] = [file('old.key', pem(rsa())), file('new.key', pem(rsa()))];
    const dataDir = join(work, 'rotation');
    const launch = (...args: readonly string[]) => launchServer({ naming: 'kubernetes', dataDir, args });
    const account = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } };
    let token: string;
    {
      await using server = await launch(`--service-account-signing-key-file=${oldKey}`);
      await server.client.post(`${core}/serviceaccounts`, account);
      token = await requested(server);
      assert.equal(await statusWith(server, token), 200);
    }
    {
      await using server = await launch(
        `--service-account-signing-key-file=${newKey}`,
        `--service-account-key-file=${oldKey}`,
      );
      assert.equal(await statusWith(server, token), 200);
      assert.equal(await statusWith(server, await requested(server)), 200);
    }
    await using server = await launch(`--service-account-signing-key-file=${newKey}`);
    assert.equal(await statusWith(server, token), 401);
  });

  it('token secrets of service accounts are valid while the secret contains the token', async () => {
    const key = rsa();
    await using server = await withAccount(`--service-account-key-file=${file('controller.key', pem(key))}`);
    const account = (await server.client.get(`${core}/serviceaccounts/robot`)).json as Json;
    const prefix = 'kubernetes.io/serviceaccount';
    const claims = {
      iss: prefix.replace('.io', ''),
      [`${prefix}/namespace`]: 'default',
      [`${prefix}/secret.name`]: 'robot-token',
      [`${prefix}/service-account.name`]: 'robot',
      [`${prefix}/service-account.uid`]: account.metadata.uid,
      sub: user,
    };
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'RS256', kid: '' })}.${part({ ...claims, iss: 'kubernetes/serviceaccount' })}`;
    const token = `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
    assert.equal(await ownerOf(server, token), 'invalid');
    await server.client.post(`${core}/secrets`, {
      kind: 'Secret',
      apiVersion: 'v1',
      type: 'kubernetes.io/service-account-token',
      metadata: { name: 'robot-token', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
      stringData: { token },
    });
    // The earlier refusal is not cached.
    assert.equal(await ownerOf(server, token), user);
    assert.equal(await statusWith(server, token), 200);
    await server.client.delete(`${core}/secrets/robot-token`);
    assert.equal(await statusWith(server, token), 401);
  });
});

describe('bootstrap tokens', { timeout: 120_000 }, () => {
  const secret = {
    kind: 'Secret',
    apiVersion: 'v1',
    type: 'bootstrap.kubernetes.io/token',
    metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
    stringData: {
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:workers',
    },
  };
  for (const [flags, owner] of [
    [['--enable-bootstrap-token-auth'], 'system:bootstrap:abcdef'],
    [[], 'invalid'],
  ] as const) {
    it(`bootstrap tokens are ${owner === 'invalid' ? 'invalid' : 'valid'} with [${flags.join(' ')}]`, async () => {
      await using server = await launchServer({ naming: 'kubernetes', args: flags });
      assert.equal((await server.client.post('/api/v1/namespaces/kube-system/secrets', secret)).status, 201);
      assert.equal(await ownerOf(server, 'abcdef.0123456789abcdef'), owner);
      assert.equal(await ownerOf(server, 'abcdef.0123456789abcdeg'), 'invalid');
    });
  }
});
