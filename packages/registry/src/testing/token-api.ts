import { generateKeyPairSync } from 'node:crypto';
import { defaultServerFeatures } from '@orch/apis';
import {
  type Authentication,
  type Authenticator,
  alwaysAllow,
  fixedKeys,
  readTokenFile,
  serviceAccountAuthenticator,
  signingKey,
  signToken,
  tokenFileAuthenticator,
  tokenIssuer,
  unionAuthenticator,
  withServerAudiences,
} from '@orch/auth';
import { namesFor } from '@orch/machinery';
import { objectSource } from '../internal/object-source.ts';
import type { Answered } from './answers.ts';
import { RegistryFixture, type RegistryFixtureOptions } from './registry-fixture.ts';

export const audience = 'https://orch.default.svc';
const key = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
export const accounts = '/api/v1/namespaces/default/serviceaccounts';
export const tokenPath = `${accounts}/robot/token`;
const group = namesFor('orch').group('authentication');
export const tokenRequestKind = { kind: 'TokenRequest', apiVersion: `${group}/v1` };

interface TokenApiOptions extends RegistryFixtureOptions {
  readonly maxSeconds?: number;
}

/**
 * An API that accepts the tokens that it issues beside that of `alice`; requests without a token are the
 * administrator's.
 */
export async function openTokenApi(options: TokenApiOptions = {}): Promise<RegistryFixture> {
  const features = defaultServerFeatures(options.release ?? '1.24');
  let tokens: Authenticator | undefined;
  const admin: Authentication = { kind: 'user', user: { name: 'admin', uid: '', groups: [], extra: {} } };
  const authenticate: Authenticator['authenticate'] = (credentials) =>
    credentials.headers.authorization === undefined
      ? admin
      : (tokens?.authenticate(credentials) ?? { kind: 'none' });
  const api = await RegistryFixture.open({
    access: { authenticator: { authenticate }, authorizer: alwaysAllow },
    tokenIssuerOf: ({ clock, random }, names) =>
      tokenIssuer({
        names,
        clock,
        sign: (claims) => signToken(claims, key),
        issuer: audience,
        audiences: [audience],
        maxSeconds: options.maxSeconds ?? 0,
        extend: true,
        ids: features.tokenIds ? random : undefined,
      }),
    ...options,
  });
  const { names, env } = api;
  tokens = withServerAudiences(
    unionAuthenticator([
      tokenFileAuthenticator(readTokenFile('letmein,alice,7,"dev"', names.userGroups.authenticated)),
      serviceAccountAuthenticator({
        names,
        clock: env.clock,
        metrics: env.metrics,
        source: objectSource(api.cache),
        keys: fixedKeys([key]),
        issuers: [audience],
        audiences: [audience],
        lookup: true,
        features: {
          ids: features.tokenIds,
          podNodes: features.podNodesInTokens,
          nodeTokens: features.nodeTokenChecks,
        },
      }),
    ]),
    [audience],
  );
  await api.post(accounts, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } });
  return api;
}

/** The answer to a token review. */
export const reviewToken = (
  api: RegistryFixture,
  token: string,
  audiences?: readonly string[],
  version = 'v1',
): Promise<Answered> =>
  api.post(`/apis/${group}/${version}/tokenreviews`, {
    kind: 'TokenReview',
    apiVersion: `${group}/${version}`,
    spec: { token, ...(audiences === undefined ? {} : { audiences }) },
  });
