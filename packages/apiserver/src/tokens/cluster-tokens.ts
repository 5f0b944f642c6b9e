import { atLeast } from '@orch/apis';
import {
  type AuthenticationMethods,
  bootstrapTokenAuthenticator,
  type ObjectSource,
  replaceableKeys,
  serviceAccountAuthenticator,
  signToken,
  type TokenIssuer,
  tokenIssuer,
} from '@orch/auth';
import { type Env, errors, messageOf } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { StartError } from '@orch/program';
import { internalKey } from '@orch/registry';
import type { Route } from '@orch/request';
import type { Store } from '@orch/storage';
import type { Settings } from '../settings/settings.ts';
import { issuerRoutes } from './issuer-routes.ts';
import { PublishedKeys } from './published-keys.ts';
import type { OwnTokenKeys } from './token-keys.ts';

/** Everything about tokens that the cluster issues. */
export interface ClusterTokens {
  /** Undefined when this server has no signing key. */
  readonly issuer: TokenIssuer | undefined;
  readonly routes: readonly Route[];
  /** The authentication methods that need objects of the cluster. */
  methods(source: ObjectSource): AuthenticationMethods;
  /** Must be awaited before the first token can be requested. Rejects with a `StartError`. */
  start(signal: AbortSignal): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

/** Joins keys, flags and the store. Nothing runs yet. */
export function clusterTokens(
  { flags, names, release, tokens, gates, features, storePrefix }: Settings,
  keysOfServer: OwnTokenKeys,
  { store, env }: { readonly store: Store; readonly env: Env },
): ClusterTokens {
  const { signing, checking, isSelfMade, external } = keysOfServer;
  const published =
    signing === undefined || !isSelfMade
      ? undefined
      : new PublishedKeys({
          store,
          prefix: internalKey(storePrefix, 'token-keys/'),
          own: signing,
          known: checking,
          env,
        });
  const keys = external ?? published ?? replaceableKeys(() => keysOfServer.checking);
  const sign =
    external === undefined
      ? signerOf(keysOfServer, published)
      : (claims: JsonObject) => external.sign(claims);
  if (sign === undefined) {
    env.log.warn('service account tokens cannot be requested: none of the given keys is private');
  }
  const { issuers, audiences } = tokens;
  const maxSeconds = tokens.maxSeconds === 0 ? (external?.maxSeconds ?? 0) : tokens.maxSeconds;
  const extend = flags.serviceAccountExtendTokenExpiration;
  const common = { names, clock: env.clock };
  return {
    issuer:
      sign === undefined
        ? undefined
        : tokenIssuer({
            ...common,
            sign,
            issuer: issuers[0],
            audiences,
            maxSeconds,
            extend,
            ids: features.tokenIds ? env.random : undefined,
          }),
    routes:
      // The gate was removed when the feature became stable.
      atLeast(release, '1.21') || gates.open.has('ServiceAccountIssuerDiscovery')
        ? issuerRoutes(tokens, keys, external && (() => external.maxAgeSeconds))
        : [],
    methods: (source) => ({
      bootstrapToken: flags.enableBootstrapTokenAuth
        ? bootstrapTokenAuthenticator({ ...common, source })
        : undefined,
      serviceAccount: serviceAccountAuthenticator({
        ...common,
        metrics: env.metrics,
        source,
        keys,
        issuers,
        audiences,
        lookup: flags.serviceAccountLookup,
        features: {
          ids: features.tokenIds,
          podNodes: features.podNodesInTokens,
          // Releases before the gate issue no such tokens; those of a later release stay valid there.
          nodeTokens: features.nodeTokenChecks || !atLeast(release, '1.29'),
        },
      }),
    }),
    async start(signal) {
      try {
        await published?.start(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        throw new StartError(`cannot publish the key of service account tokens: ${messageOf(error)}`);
      }
    },
    run: async (signal) => (external ?? published)?.run(signal),
  };
}

/** Signs with the key of this server; undefined when it has none. */
function signerOf(
  keys: OwnTokenKeys,
  published: PublishedKeys | undefined,
): ((claims: JsonObject) => Promise<string>) | undefined {
  const { signing } = keys;
  if (signing === undefined) return undefined;
  return async (claims) => {
    if (published?.isPublished === false)
      throw errors.serviceUnavailable(
        'tokens cannot be issued yet: the store does not accept writes, and does not have the key of this server',
      );
    return await signToken(claims, keys.signing ?? signing);
  };
}
