import type { ServerFeatures } from '@orch/apis';
import { isGiven, UsageError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { foreignCredentialFlags } from '../flags/foreign-credential-flags.ts';

/** Checks the flags of credentials against each other. Throws `UsageError`. */
export function checkCredentialFlags(flags: ApiServerFlags): void {
  checkRequestHeaders(flags);
  checkAlternatives(flags);
  if (flags.authorizationConfig === '') checkModes(flags);
  checkOidc(flags);
}

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkRequestHeaders(flags: ApiServerFlags): void {
  const { requestHeaderClientCaFile: file, requestHeaderUsernameHeaders: usernames } = flags;
  const named = {
    'requestheader-username-headers': usernames,
    'requestheader-uid-headers': flags.requestHeaderUidHeaders,
    'requestheader-group-headers': flags.requestHeaderGroupHeaders,
    'requestheader-extra-headers-prefix': flags.requestHeaderExtraHeadersPrefix,
  };
  for (const [flag, values] of Object.entries(named)) {
    const bad = values.find((value) => !fieldName.test(value));
    if (bad !== undefined)
      throw new UsageError(
        `invalid value ${JSON.stringify(bad)} for --${flag}: must be the name of a header field`,
      );
    if (values.length > 0 && file === '')
      throw new UsageError(`--${flag} needs --requestheader-client-ca-file`);
  }
  if (flags.requestHeaderAllowedNames.length > 0 && file === '')
    throw new UsageError('--requestheader-allowed-names needs --requestheader-client-ca-file');
  if (file !== '' && usernames.length === 0)
    throw new UsageError('--requestheader-client-ca-file needs --requestheader-username-headers');
}

/** Extension API servers receive the uid in X-Remote-Uid, whatever other fields are named. Throws `UsageError`. */
export function checkUidHeaders(
  { requestHeaderUidHeaders: fields }: Pick<ApiServerFlags, 'requestHeaderUidHeaders'>,
  { remoteUids }: Pick<ServerFeatures, 'remoteUids'>,
): void {
  if (fields.length === 0) return;
  if (!remoteUids) throw new UsageError(needsGate('--requestheader-uid-headers', 'RemoteRequestHeaderUID'));
  if (!fields.some((name) => name.toLowerCase() === 'x-remote-uid'))
    throw new UsageError('--requestheader-uid-headers must contain X-Remote-Uid');
}

/** Keys of tokens are either in files or with another program. Throws `UsageError`. */
export function checkSigningEndpoint(
  flags: Pick<
    ApiServerFlags,
    'serviceAccountSigningEndpoint' | 'serviceAccountSigningKeyFile' | 'serviceAccountKeyFiles'
  >,
  { externalTokenSigner }: Pick<ServerFeatures, 'externalTokenSigner'>,
): void {
  const { serviceAccountSigningEndpoint: path } = flags;
  if (path === '') return;
  const named = '--service-account-signing-endpoint';
  if (!externalTokenSigner) throw new UsageError(needsGate(named, 'ExternalServiceAccountTokenSigner'));
  if (!/^[/@]./.test(path))
    throw new UsageError(`invalid value ${JSON.stringify(path)} for ${named}: must be an absolute path`);
  if (flags.serviceAccountSigningKeyFile !== '')
    throw new UsageError(`${named} and --service-account-signing-key-file cannot be used together`);
  if (flags.serviceAccountKeyFiles.length > 0)
    throw new UsageError(`${named} and --service-account-key-file cannot be used together`);
}

/** A mode without its file, or a file without its mode, has no effect and is an error. */
function checkModes(flags: ApiServerFlags): void {
  for (const [mode, flag, value] of [
    ['ABAC', 'authorization-policy-file', flags.authorizationPolicyFile],
    ['Webhook', 'authorization-webhook-config-file', flags.authorizationWebhookConfigFile],
  ] as const) {
    if (flags.authorizationModes.includes(mode) && value === '')
      throw new UsageError(`--authorization-mode=${mode} needs --${flag}`);
    if (!flags.authorizationModes.includes(mode) && value !== '')
      throw new UsageError(`--${flag} needs --authorization-mode=${mode}`);
  }
}

/** A configuration file describes the same as some flags, which have no effect with it. */
function checkAlternatives(flags: ApiServerFlags): void {
  for (const [file, flag, others] of [
    [flags.authenticationConfig, 'authentication-config', oidcFlags],
    [flags.authorizationConfig, 'authorization-config', modeFlags],
  ] as const) {
    const other = file === '' ? undefined : others.find((name) => isGiven(flags, name));
    if (other !== undefined) throw new UsageError(`--${flag} and --${other} cannot be used together`);
  }
}

const flagNames = Object.values(foreignCredentialFlags).map(({ name }) => name);
const oidcFlags = flagNames.filter((name) => name.startsWith('oidc-'));
const modeFlags = [
  'authorization-mode',
  ...flagNames.filter((name) => name.startsWith('authorization-webhook-')),
];

/** The required flags of OpenID Connect. */
function checkOidc(flags: ApiServerFlags): void {
  const { oidcIssuerUrl: issuer, oidcClientId: client } = flags;
  if ((issuer === '') !== (client === ''))
    throw new UsageError('--oidc-issuer-url and --oidc-client-id must be given together');
  if (issuer === '') return;
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(
      `invalid value ${JSON.stringify(issuer)} for --oidc-issuer-url: must be an https URL without user, query and fragment`,
    );
  }
  if (flags.oidcUsernameClaim === '') throw new UsageError('--oidc-username-claim must not be empty');
  const claim = flags.oidcRequiredClaims.find((one) => !/^[^=]+=/.test(one));
  if (claim !== undefined)
    throw new UsageError(
      `invalid value ${JSON.stringify(claim)} for --oidc-required-claim: must be key=value`,
    );
  const algorithm = flags.oidcSigningAlgorithms.find((one) => !/^(RS|ES|PS)(256|384|512)$/.test(one));
  if (algorithm !== undefined)
    throw new UsageError(
      `invalid value ${JSON.stringify(algorithm)} for --oidc-signing-algs: must be RS, ES or PS with 256, 384 or 512`,
    );
}

/** Both gates are in 1.32 for the first time. */
const needsGate = (flag: string, gate: string): string =>
  `${flag} needs the feature gate ${gate}, which releases from 1.32 on have; see --emulated-version`;
