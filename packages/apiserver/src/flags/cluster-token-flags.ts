import { durationFlag, listFlag, switchFlag, textFlag } from '@orch/program';

const authentication = (name: string, help: string) => ({ name, help, section: 'Authentication' });

/** Flags of tokens that the cluster issues. */
export const clusterTokenFlags = {
  enableBootstrapTokenAuth: switchFlag(
    authentication(
      'enable-bootstrap-token-auth',
      'Enable authentication with the bootstrap tokens in secrets of the system namespace.',
    ),
  ),
  serviceAccountKeyFiles: listFlag(
    authentication(
      'service-account-key-file',
      'PEM files with keys, public or private, that verify service account tokens; may be repeated. When empty, the key of the serving certificate and the keys that the servers of the cluster generate.',
    ),
  ),
  serviceAccountSigningKeyFile: textFlag(
    authentication(
      'service-account-signing-key-file',
      'PEM file with the private key that signs service account tokens. Without it, and without --service-account-key-file, the server generates one in --cert-dir.',
    ),
  ),
  serviceAccountSigningEndpoint: textFlag(
    authentication(
      'service-account-signing-endpoint',
      'Unix socket of a program that holds the keys of service account tokens and signs them, as an absolute path, or @name for an abstract socket; instead of key files. Needs the feature gate ExternalServiceAccountTokenSigner.',
    ),
  ),
  serviceAccountIssuers: listFlag(
    authentication(
      'service-account-issuer',
      'Issuer of service account tokens, usually an https URL; new tokens have the first, tokens of the others are accepted. The default service when empty.',
    ),
  ),
  serviceAccountJwksUri: textFlag(
    authentication(
      'service-account-jwks-uri',
      'https URL of the public keys of service account tokens (JWKS) in the discovery document; below the first issuer when empty.',
    ),
  ),
  apiAudiences: listFlag(
    authentication(
      'api-audiences',
      'Audiences of this server: a service account token must be for one of them. The issuers when empty.',
    ),
  ),
  serviceAccountLookup: switchFlag(
    authentication(
      'service-account-lookup',
      'Reject the token of a secret after the secret or the service account was deleted.',
    ),
    true,
  ),
  serviceAccountExtendTokenExpiration: switchFlag(
    authentication(
      'service-account-extend-token-expiration',
      'Extend the lifetime of injected pod tokens to one year, and report tokens in use that should have been renewed, for programs that do not renew them yet.',
    ),
    true,
  ),
  serviceAccountMaxTokenExpiration: durationFlag(
    authentication(
      'service-account-max-token-expiration',
      'Maximum lifetime of a requested service account token, from 1h to 2^32 s; 0 for no limit.',
    ),
    0,
  ),
} as const;
