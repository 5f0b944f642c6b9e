import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { emptySource } from '@orch/auth';
import { testEnv } from '@orch/machinery/testing';
import { type SigningKey, signingKey } from '@orch/pki/jws';
import { flagValues, StartError, splitCommandLine } from '@orch/program';
import { ModelStore, prefixRange } from '@orch/storage';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { settingsOf } from '../settings/settings.ts';
import { clusterTokens } from './cluster-tokens.ts';

const key = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const { signal } = new AbortController();

function open(
  argv: readonly string[],
  keys: { readonly signing: SigningKey | undefined; readonly isSelfMade: boolean } = {
    signing: key,
    isSelfMade: true,
  },
) {
  const env = testEnv();
  const store = new ModelStore({ clock: env.clock });
  const settings = settingsOf(flagValues(apiServerFlags, splitCommandLine(apiServerFlags, argv).given));
  const tokens = clusterTokens(settings, { ...keys, checking: [key] }, { store, env });
  return { tokens, store, env };
}

const stored = async (store: ModelStore): Promise<readonly string[]> =>
  (await store.list(prefixRange('/'), {}, signal)).items.map((item) => item.key);

describe('tokens that the cluster issues', () => {
  const paths = ['/.well-known/openid-configuration', '/openid/v1/jwks'];
  for (const [argv, expected] of [
    [[], paths],
    [['--emulated-version=1.27'], paths],
    [['--emulated-version=1.20'], paths],
    [['--emulated-version=1.20', '--feature-gates=ServiceAccountIssuerDiscovery=false'], []],
    [['--emulated-version=1.18'], []],
    [['--emulated-version=1.18', '--feature-gates=ServiceAccountIssuerDiscovery=true'], paths],
    [['--emulated-version=1.15'], []],
    [['--service-account-issuer=nowhere'], []],
  ] as const) {
    it(`tokens that the cluster issues have discovery documents at [${expected.join(', ')}] with [${argv.join(' ')}]`, () =>
      assert.deepEqual(
        open(argv).tokens.routes.map(({ path }) => path),
        expected,
      ));
  }

  it('tokens of bootstrap secrets are accepted only when enabled', () => {
    assert.equal(open([]).tokens.methods(emptySource).bootstrapToken, undefined);
    assert.ok(open(['--enable-bootstrap-token-auth']).tokens.methods(emptySource).bootstrapToken);
  });

  it('tokens that the cluster issues have their key published when the server generated it, and not when a flag names it', async () => {
    const own = open([]);
    await own.tokens.start(signal);
    assert.deepEqual(await stored(own.store), [`/registry/~internal/token-keys/${key.id}`]);
    const given = open([], { signing: key, isSelfMade: false });
    await given.tokens.start(signal);
    await given.tokens.run(signal);
    assert.deepEqual(await stored(given.store), []);
  });

  it('tokens that the cluster issues cannot be requested without a signing key', () => {
    const { tokens, env } = open([], { signing: undefined, isSelfMade: false });
    assert.equal(tokens.issuer, undefined);
    assert.match(String(env.entries[0]?.['msg']), /tokens cannot be requested/);
    assert.deepEqual(open([]).tokens.issuer?.audiences, ['https://orch.default.svc']);
  });

  it('tokens that the cluster issues fail the start when the key cannot be published', async () => {
    const { tokens, store } = open([]);
    await store.close();
    await assert.rejects(
      tokens.start(signal),
      (error) => error instanceof StartError && /cannot publish the key /.test(error.message),
    );
  });
});
