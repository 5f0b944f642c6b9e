import { choiceFlag, durationFlag, listFlag, switchFlag, textFlag } from '@orch/program';

const minute = 60_000;
const authentication = (name: string, help: string) => ({ name, help, section: 'Authentication' });
const authorization = (name: string, help: string) => ({ name, help, section: 'Authorization' });

/** Flags about credentials that others check or vouch for, and about those who have none. */
export const foreignCredentialFlags = {
  anonymousAuth: switchFlag(
    authentication(
      'anonymous-auth',
      'Take requests without credentials as those of the user system:anonymous in the group system:unauthenticated. Never with the authorization mode AlwaysAllow.',
    ),
    true,
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
      'Header fields in which proxies name the user, such as X-Remote-User; the first with a value counts.',
    ),
  ),
  requestHeaderGroupHeaders: listFlag(
    authentication(
      'requestheader-group-headers',
      'Header fields in which proxies name groups, such as X-Remote-Group; all values of all fields count.',
    ),
  ),
  requestHeaderExtraHeadersPrefix: listFlag(
    authentication(
      'requestheader-extra-headers-prefix',
      'What header fields begin with in which proxies say more about users, such as X-Remote-Extra-.',
    ),
  ),
  oidcIssuerUrl: textFlag(
    authentication(
      'oidc-issuer-url',
      'https URL of the identity provider whose ID tokens are taken, without /.well-known/openid-configuration.',
    ),
  ),
  oidcClientId: textFlag(
    authentication(
      'oidc-client-id',
      'Client that ID tokens must be issued for; needed with --oidc-issuer-url.',
    ),
  ),
  oidcUsernameClaim: textFlag(
    authentication('oidc-username-claim', 'Claim of ID tokens that is the user name.'),
    'sub',
  ),
  oidcUsernamePrefix: textFlag(
    authentication(
      'oidc-username-prefix',
      'What user names of ID tokens get in front. Without it, names that are no e-mail address get the issuer and #; - stands for nothing.',
    ),
  ),
  oidcGroupsClaim: textFlag(
    authentication('oidc-groups-claim', 'Claim of ID tokens with groups, a list of texts.'),
  ),
  oidcGroupsPrefix: textFlag(authentication('oidc-groups-prefix', 'What groups of ID tokens get in front.')),
  oidcRequiredClaims: listFlag(
    authentication(
      'oidc-required-claim',
      'Claim that ID tokens must have, as key=value; may stand several times.',
    ),
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
      'Client configuration file for a service that is asked about bearer tokens.',
    ),
  ),
  tokenWebhookCacheTtl: durationFlag(
    authentication(
      'authentication-token-webhook-cache-ttl',
      'How long what that service said about a token is believed.',
    ),
    2 * minute,
  ),
  tokenWebhookVersion: choiceFlag(
    authentication('authentication-token-webhook-version', 'Version of the TokenReview that it is sent.'),
    ['v1beta1', 'v1'],
    'v1beta1',
  ),
  authorizationPolicyFile: textFlag(
    authorization(
      'authorization-policy-file',
      'File with the policy of the mode ABAC, one JSON object a line.',
    ),
  ),
  authorizationWebhookConfigFile: textFlag(
    authorization(
      'authorization-webhook-config-file',
      'Client configuration file for the service that the mode Webhook asks.',
    ),
  ),
  authorizationWebhookVersion: choiceFlag(
    authorization('authorization-webhook-version', 'Version of the SubjectAccessReview that it is sent.'),
    ['v1beta1', 'v1'],
    'v1beta1',
  ),
  authorizationWebhookAuthorizedTtl: durationFlag(
    authorization(
      'authorization-webhook-cache-authorized-ttl',
      'How long it is believed that somebody may do something.',
    ),
    5 * minute,
  ),
  authorizationWebhookUnauthorizedTtl: durationFlag(
    authorization(
      'authorization-webhook-cache-unauthorized-ttl',
      'How long it is believed that somebody may not do something.',
    ),
    minute / 2,
  ),
} as const;
