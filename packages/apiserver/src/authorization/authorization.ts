import {
  type Authorizer,
  countedAuthorizer,
  firstOpinion,
  type LocalAuthorizerType,
  webhookAuthorizer,
} from '@orch/auth';
import type { Tracing } from '@orch/pipeline';
import type { Access } from '@orch/registry';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { remoteService } from '../remote-services.ts';
import { configuredAuthorization } from './configured-authorization.ts';
import { LocalAuthorizers, type LocalAuthorizersParts } from './local-authorizers.ts';

type Flags = Pick<
  ApiServerFlags,
  | 'authorizationConfig'
  | 'authorizationModes'
  | 'authorizationPolicyFile'
  | 'authorizationWebhookConfigFile'
  | 'authorizationWebhookVersion'
  | 'authorizationWebhookAuthorizedTtl'
  | 'authorizationWebhookUnauthorizedTtl'
>;

/** Dependencies of authorizers. */
export interface AuthorizationParts extends LocalAuthorizersParts {
  readonly tracing?: Tracing | undefined;
}

/** The authorizer, and the permissions granted by roles, also without the mode RBAC. */
export interface Authorization extends Pick<Access, 'authorizer' | 'policy'> {
  /** Reports whether one of the authorizers allows everything. */
  readonly isUnrestricted: () => boolean;
}

/** The authorizers of `--authorization-config`, or those of `--authorization-mode`. Throws `StartError`. */
export function authorizationOf(flags: Flags, parts: AuthorizationParts): Authorization {
  const local = new LocalAuthorizers(flags, parts);
  const { policy } = local;
  const configured = configuredAuthorization(flags, { ...parts, local });
  if (configured !== undefined) return { ...configured, policy };
  const authorizerOf = (mode: Flags['authorizationModes'][number]): Authorizer | undefined =>
    mode === 'Webhook' ? webhookOf(flags, parts) : localOf(mode, local, parts);
  return {
    authorizer: firstOpinion(flags.authorizationModes.flatMap((mode) => authorizerOf(mode) ?? [])),
    policy,
    isUnrestricted: () => flags.authorizationModes.includes('AlwaysAllow'),
  };
}

function localOf(
  type: LocalAuthorizerType,
  local: LocalAuthorizers,
  { env }: AuthorizationParts,
): Authorizer | undefined {
  const authorizer = local.of(type);
  return authorizer && countedAuthorizer(authorizer, { type, name: type.toLowerCase() }, env.metrics);
}

/** The name of the webhook of flags in metrics. */
const FLAG_WEBHOOK = 'default';

/** The webhook authorizer; its failures count as no opinion, so that the next authorizer decides. */
function webhookOf(flags: Flags, { names, env, tracing, reloads }: AuthorizationParts): Authorizer {
  const authorizer = webhookAuthorizer({
    remote: remoteService('authorization-webhook-config-file', flags.authorizationWebhookConfigFile, {
      ...env,
      tracing,
      reloads,
      decides: 'authz',
    }),
    group: names.group('authorization'),
    version: flags.authorizationWebhookVersion,
    authorizedTtlMs: flags.authorizationWebhookAuthorizedTtl,
    unauthorizedTtlMs: flags.authorizationWebhookUnauthorizedTtl,
    onFailure: 'noOpinion',
    clock: env.clock,
    metrics: env.metrics,
    name: FLAG_WEBHOOK,
  });
  return countedAuthorizer(authorizer, { type: 'Webhook', name: FLAG_WEBHOOK }, env.metrics);
}
