import { durationFlag, listFlag, switchFlag, textFlag } from '@orch/program';

const authentication = (name: string, help: string) => ({ name, help, section: 'Authentication' });

/** Flags about tokens that the cluster itself gives out. */
export const clusterTokenFlags = {
  enableBootstrapTokenAuth: switchFlag(
    authentication(
      'enable-bootstrap-token-auth',
      'Accept the tokens that secrets for bootstrap tokens in the system namespace hold.',
    ),
  ),
  serviceAccountKeyFiles: listFlag(
    authentication(
      'service-account-key-file',
      'PEM files with keys, public or private, that service account tokens are checked with; may stand several times. Without one that is the key of the serving certificate, and the keys that the servers of the cluster make themselves.',
    ),
  ),
  serviceAccountSigningKeyFile: textFlag(
    authentication(
      'service-account-signing-key-file',
      'PEM file with the private key that service account tokens are signed with. Without one, and without --service-account-key-file, the server makes its own in --cert-dir.',
    ),
  ),
  serviceAccountIssuers: listFlag(
    authentication(
      'service-account-issuer',
      'Who service account tokens are from, mostly an https URL; the first is that of new tokens, tokens of the others are accepted. The default service when empty.',
    ),
  ),
  serviceAccountJwksUri: textFlag(
    authentication(
      'service-account-jwks-uri',
      'Where others find the keys of service account tokens, an https URL; below the first issuer when empty.',
    ),
  ),
  apiAudiences: listFlag(
    authentication(
      'api-audiences',
      'Names that this server goes under in tokens: a service account token must be for one of them. The issuers when empty.',
    ),
  ),
  serviceAccountLookup: switchFlag(
    authentication(
      'service-account-lookup',
      'Refuse the token of a secret when the secret, or the service account, is gone.',
    ),
    true,
  ),
  serviceAccountExtendTokenExpiration: switchFlag(
    authentication(
      'service-account-extend-token-expiration',
      'Let the tokens that pods get by themselves be good for a year, and tell of those that should have been replaced, for programs that do not replace them yet.',
    ),
    true,
  ),
  serviceAccountMaxTokenExpiration: durationFlag(
    authentication(
      'service-account-max-token-expiration',
      'How long a service account token is good at most, from 1h to 2^32 s; 0 for no limit.',
    ),
    0,
  ),
} as const;
