import { choiceFlag, durationFlag, listFlag, switchFlag, textFlag } from '@orch/program';

const MINUTE_MS = 60_000;
const authentication = (name: string, help: string) => ({ name, help, section: 'Authentication' });
const authorization = (name: string, help: string) => ({ name, help, section: 'Authorization' });

/** Flags of external credentials and of anonymous requests. */
export const foreignCredentialFlags = {
  anonymousAuth: switchFlag(
    authentication(
      'anonymous-auth',
      'Treat requests without credentials as those of the user system:anonymous in the group system:unauthenticated. Not with the authorization mode AlwaysAllow.',
    ),
    true,
  ),
  authenticationConfig: textFlag(
    authentication(
      'authentication-config',
      'AuthenticationConfiguration file: issuers of ID tokens, how their claims become users, and the paths of anonymous requests. Reloaded when it changes. Not with the --oidc flags.',
    ),
  ),
  requestHeaderClientCaFile: textFlag(
    authentication(
      'requestheader-client-ca-file',
      'PEM file with the authorities that sign the certificates of authenticating proxies, and nothing else.',
    ),
  ),
  requestHeaderAllowedNames: listFlag(
    authentication(
      'requestheader-allowed-names',
      'Common names that the certificates of authenticating proxies may have; any when empty.',
    ),
  ),
  requestHeaderUsernameHeaders: listFlag(
    authentication(
      'requestheader-username-headers',
      'Header fields in which proxies name the user, such as X-Remote-User; the first with a value is used.',
    ),
  ),
  requestHeaderUidHeaders: listFlag(
    authentication(
      'requestheader-uid-headers',
      'Header fields in which proxies send the uid of the user; X-Remote-Uid must be among them. The first with a value is used. Needs the feature gate RemoteRequestHeaderUID.',
    ),
  ),
  requestHeaderGroupHeaders: listFlag(
    authentication(
      'requestheader-group-headers',
      'Header fields in which proxies name groups, such as X-Remote-Group; all values of all fields are used.',
    ),
  ),
  requestHeaderExtraHeadersPrefix: listFlag(
    authentication(
      'requestheader-extra-headers-prefix',
      'Prefixes of header fields in which proxies send extra values of users, such as X-Remote-Extra-.',
    ),
  ),
  proxyClientCertFile: textFlag(
    authentication(
      'proxy-client-cert-file',
      'PEM file with the client certificate that identifies this server as a proxy to extension API servers. Reloaded when it changes.',
    ),
  ),
  proxyClientKeyFile: textFlag(
    authentication('proxy-client-key-file', 'PEM file with the key of --proxy-client-cert-file.'),
  ),
  oidcIssuerUrl: textFlag(
    authentication(
      'oidc-issuer-url',
      'https URL of the identity provider whose ID tokens are accepted, without /.well-known/openid-configuration.',
    ),
  ),
  oidcClientId: textFlag(
    authentication(
      'oidc-client-id',
      'Client that ID tokens must be issued for; required with --oidc-issuer-url.',
    ),
  ),
  oidcUsernameClaim: textFlag(
    authentication('oidc-username-claim', 'Claim of ID tokens that is the user name.'),
    'sub',
  ),
  oidcUsernamePrefix: textFlag(
    authentication(
      'oidc-username-prefix',
      'Prefix of user names from ID tokens. When empty, names that are not e-mail addresses get the issuer and #; - for no prefix.',
    ),
  ),
  oidcGroupsClaim: textFlag(
    authentication('oidc-groups-claim', 'Claim of ID tokens with groups, a list of strings.'),
  ),
  oidcGroupsPrefix: textFlag(authentication('oidc-groups-prefix', 'Prefix of groups from ID tokens.')),
  oidcRequiredClaims: listFlag(
    authentication('oidc-required-claim', 'Claim that ID tokens must have, as key=value; may be repeated.'),
  ),
  oidcSigningAlgorithms: listFlag(
    authentication(
      'oidc-signing-algs',
      'Algorithms that ID tokens may be signed with: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.',
    ),
    ['RS256'],
  ),
  oidcCaFile: textFlag(
    authentication(
      'oidc-ca-file',
      'PEM file with the authorities of the identity provider; those of the machine when empty.',
    ),
  ),
  tokenWebhookConfigFile: textFlag(
    authentication(
      'authentication-token-webhook-config-file',
      'Client configuration file for the webhook that authenticates bearer tokens.',
    ),
  ),
  tokenWebhookCacheTtl: durationFlag(
    authentication(
      'authentication-token-webhook-cache-ttl',
      'How long answers of the token webhook are cached.',
    ),
    2 * MINUTE_MS,
  ),
  tokenWebhookVersion: choiceFlag(
    authentication(
      'authentication-token-webhook-version',
      'API version of the TokenReview that is sent to the webhook.',
    ),
    ['v1beta1', 'v1'],
    'v1beta1',
  ),
  authorizationConfig: textFlag(
    authorization(
      'authorization-config',
      'AuthorizationConfiguration file: authorizers in their order, with any number of webhooks. Reloaded when it changes. Not with --authorization-mode and the flags of the webhook.',
    ),
  ),
  authorizationPolicyFile: textFlag(
    authorization(
      'authorization-policy-file',
      'File with the policy of the mode ABAC, one JSON object a line. Reloaded when it changes.',
    ),
  ),
  authorizationWebhookConfigFile: textFlag(
    authorization(
      'authorization-webhook-config-file',
      'Client configuration file for the webhook of the mode Webhook.',
    ),
  ),
  authorizationWebhookVersion: choiceFlag(
    authorization(
      'authorization-webhook-version',
      'API version of the SubjectAccessReview that is sent to the webhook.',
    ),
    ['v1beta1', 'v1'],
    'v1beta1',
  ),
  authorizationWebhookAuthorizedTtl: durationFlag(
    authorization(
      'authorization-webhook-cache-authorized-ttl',
      'How long permissions granted by the webhook are cached.',
    ),
    5 * MINUTE_MS,
  ),
  authorizationWebhookUnauthorizedTtl: durationFlag(
    authorization(
      'authorization-webhook-cache-unauthorized-ttl',
      'How long denials of the webhook are cached.',
    ),
    MINUTE_MS / 2,
  ),
} as const;
