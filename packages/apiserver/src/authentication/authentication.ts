import {
  type AnonymousConfiguration,
  type AuthenticationMethods,
  type Authenticator,
  authenticatorOfMethods,
  clientCertificateAuthenticator,
  currentAuthenticator,
  oidcAuthenticator,
  orAnonymous,
  Provider,
  readJsonOverTls,
  readTokenFile,
  requestHeaderAuthenticator,
  TokenFileError,
  tokenFileAuthenticator,
  tokenWebhookAuthenticator,
} from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import type { Tracing } from '@orch/pipeline';
import { readCertificateBundle } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { asStartError } from '../reload/as-start-error.ts';
import { fileMetrics } from '../reload/reload-metrics.ts';
import { type FileFlag, ReloadedFiles } from '../reload/reloaded-files.ts';
import type { Reloads } from '../reload/reloads.ts';
import { remoteService } from '../remote-services.ts';
import type { ClientTrust } from './client-trust.ts';
import type { ConfiguredAuthentication } from './configured-authentication.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const REMAINING_BUCKETS = [
  0,
  HOUR_SECONDS / 2,
  HOUR_SECONDS,
  2 * HOUR_SECONDS,
  6 * HOUR_SECONDS,
  12 * HOUR_SECONDS,
  DAY_SECONDS,
  2 * DAY_SECONDS,
  4 * DAY_SECONDS,
  7 * DAY_SECONDS,
  30 * DAY_SECONDS,
  90 * DAY_SECONDS,
  180 * DAY_SECONDS,
  360 * DAY_SECONDS,
];

/** Dependencies of authenticators. */
export interface AuthenticationParts {
  /** Names of this server, as an audience of tokens. */
  readonly audiences: readonly string[];
  readonly env: Env;
  readonly names: Names;
  /** Key of the credential ids of users with certificates and ID tokens; undefined in releases without them. */
  readonly credentialIdKey?: string | undefined;
  /** Whether users have the uid in the subject of their client certificate. */
  readonly readsCertificateUids?: boolean;
  readonly trust: ClientTrust;
  readonly tracing?: Tracing | undefined;
  /** Collects the files that are reloaded. */
  readonly reloads: Reloads;
  /** Authentication by the configuration file. */
  readonly configured?: ConfiguredAuthentication | undefined;
}

/** The authentication methods of the flags that need no objects of the cluster. Throws `StartError`. */
export function authenticationMethods(
  flags: ApiServerFlags,
  parts: AuthenticationParts,
): AuthenticationMethods {
  const { env, names, trust, audiences, tracing, reloads, configured, credentialIdKey } = parts;
  const now = (): number => env.clock.now();
  const implicitGroup = names.userGroups.authenticated;
  return {
    requestHeader:
      flags.requestHeaderClientCaFile === ''
        ? undefined
        : requestHeaderAuthenticator({
            pool: trust.proxies,
            allowedNames: flags.requestHeaderAllowedNames,
            usernameHeaders: flags.requestHeaderUsernameHeaders,
            uidHeaders: flags.requestHeaderUidHeaders,
            groupHeaders: flags.requestHeaderGroupHeaders,
            extraHeaderPrefixes: flags.requestHeaderExtraHeadersPrefix,
            now,
            implicitGroup,
          }),
    clientCertificate: clientCertificateAuthenticator({
      now,
      implicitGroup,
      pool: trust.clients,
      credentialIdKey,
      readsUids: parts.readsCertificateUids,
      observeRemaining: remainingOf(env),
    }),
    tokenFile: tokenFileOf(flags, implicitGroup, { env, reloads }),
    oidc: configured?.issuers ?? oidcOf(flags, implicitGroup, parts),
    tokenWebhook:
      flags.tokenWebhookConfigFile === ''
        ? undefined
        : tokenWebhookAuthenticator({
            remote: remoteService('authentication-token-webhook-config-file', flags.tokenWebhookConfigFile, {
              ...env,
              tracing,
              reloads,
              decides: 'authn',
            }),
            apiVersion: `${names.group('authentication')}/${flags.tokenWebhookVersion}`,
            audiences,
            ttlMs: flags.tokenWebhookCacheTtl,
            implicitGroup,
            clock: env.clock,
            metrics: env.metrics,
          }),
  };
}

/** The condition under which requests without credentials are anonymous. */
export interface AnonymousAccess {
  /** Anonymous users by the configuration file; undefined without it. */
  readonly configured: () => AnonymousConfiguration | undefined;
  /** Anonymous requests would be unrestricted. */
  readonly isUnrestricted: () => boolean;
}

/** The authenticator of all enabled methods; requests without credentials are anonymous if that is allowed. */
export function authenticatorOf(
  flags: Pick<ApiServerFlags, 'anonymousAuth'>,
  methods: AuthenticationMethods,
  {
    env,
    names,
    anonymous,
  }: Pick<AuthenticationParts, 'env' | 'names'> & { readonly anonymous: AnonymousAccess },
): Authenticator {
  const ofFlags: AnonymousConfiguration = { isEnabled: flags.anonymousAuth, paths: [] };
  const wanted = (): AnonymousConfiguration => anonymous.configured() ?? ofFlags;
  if (wanted().isEnabled && anonymous.isUnrestricted())
    env.log.warn(
      'requests without credentials are refused: with the authorization mode AlwaysAllow they would be unrestricted',
    );
  return orAnonymous(authenticatorOfMethods(methods, names), names, () =>
    anonymous.isUnrestricted() ? refused : wanted(),
  );
}

const refused: AnonymousConfiguration = { isEnabled: false, paths: [] };

function oidcOf(
  flags: ApiServerFlags,
  implicitGroup: string,
  { env, credentialIdKey }: Pick<AuthenticationParts, 'env' | 'credentialIdKey'>,
): Authenticator | undefined {
  const { oidcIssuerUrl: issuer, oidcCaFile } = flags;
  if (issuer === '') return undefined;
  const ca = oidcCaFile === '' ? undefined : readCertificateBundle('oidc-ca-file', oidcCaFile).join('\n');
  return oidcAuthenticator({
    issuer,
    provider: new Provider({ issuer, read: readJsonOverTls(ca, env.clock), clock: env.clock, log: env.log }),
    clientId: flags.oidcClientId,
    algorithms: flags.oidcSigningAlgorithms,
    usernameClaim: flags.oidcUsernameClaim,
    usernamePrefix: flags.oidcUsernamePrefix,
    groupsClaim: flags.oidcGroupsClaim,
    groupsPrefix: flags.oidcGroupsPrefix,
    requiredClaims: flags.oidcRequiredClaims.map((claim) => {
      const [name = '', ...value] = claim.split('=');
      return [name, value.join('=')] as const;
    }),
    implicitGroup,
    credentialIdKey,
    clock: env.clock,
    metrics: env.metrics,
  });
}

function remainingOf({ metrics }: Env): (seconds: number) => void {
  const remaining = metrics
    .histogram({
      name: 'apiserver_client_certificate_expiration_seconds',
      help: 'Time that client certificates are still valid, at their first use on a connection.',
      buckets: REMAINING_BUCKETS,
      stability: 'ALPHA',
    })
    .series();
  return (seconds) => remaining.observe(seconds);
}

function tokenFileOf(
  { tokenAuthFile }: Pick<ApiServerFlags, 'tokenAuthFile'>,
  implicitGroup: string,
  { env, reloads }: Pick<AuthenticationParts, 'env' | 'reloads'>,
): Authenticator | undefined {
  if (tokenAuthFile === '') return undefined;
  const file: FileFlag = { flag: 'token-auth-file', path: tokenAuthFile };
  const tokens = reloads.add(
    new ReloadedFiles({
      title: 'the token file',
      files: [file],
      read: ([text = '']) =>
        asStartError(file, TokenFileError, () => tokenFileAuthenticator(readTokenFile(text, implicitGroup))),
      metrics: fileMetrics(file.flag, env),
      env,
    }),
  );
  return currentAuthenticator(() => tokens.current);
}
