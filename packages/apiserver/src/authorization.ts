import {
  type Authorizer,
  abacAuthorizer,
  alwaysAllow,
  alwaysDeny,
  firstOpinion,
  NodeGraph,
  nodeAuthorizer,
  type ObjectSource,
  PolicyFileError,
  RbacPolicy,
  rbacAuthorizer,
  readPolicyFile,
  webhookAuthorizer,
} from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import type { Tracing } from '@orch/pipeline';
import { readFlagFile, StartError } from '@orch/program';
import type { Access } from '@orch/registry';
import type { ApiServerFlags } from './flags/api-server-flags.ts';
import { remoteService } from './remote-services.ts';

type Flags = Pick<
  ApiServerFlags,
  | 'authorizationModes'
  | 'authorizationPolicyFile'
  | 'authorizationWebhookConfigFile'
  | 'authorizationWebhookVersion'
  | 'authorizationWebhookAuthorizedTtl'
  | 'authorizationWebhookUnauthorizedTtl'
>;

/** Dependencies of authorizers. */
export interface AuthorizationParts {
  readonly source: ObjectSource;
  readonly names: Names;
  readonly env: Env;
  readonly tracing?: Tracing | undefined;
}

/**
 * The authorizers in the order of `--authorization-mode`, and the permissions granted by roles, also without the mode
 * RBAC. Throws `StartError`.
 */
export function authorizationOf(
  flags: Flags,
  parts: AuthorizationParts,
): Pick<Access, 'authorizer' | 'policy'> {
  const { source, names } = parts;
  const policy = new RbacPolicy(source, names);
  const authorizerOf = (mode: Flags['authorizationModes'][number]): Authorizer => {
    switch (mode) {
      case 'AlwaysAllow':
        return alwaysAllow;
      case 'AlwaysDeny':
        return alwaysDeny;
      case 'RBAC':
        return rbacAuthorizer(policy, names);
      case 'Node':
        return nodeAuthorizer(new NodeGraph(source, { ...parts.env, names }), names);
      case 'ABAC':
        return abacOf(flags.authorizationPolicyFile, names);
      case 'Webhook':
        return webhookOf(flags, parts);
    }
  };
  return { authorizer: firstOpinion(flags.authorizationModes.map(authorizerOf)), policy };
}

function abacOf(path: string, names: Names): Authorizer {
  const flag = 'authorization-policy-file';
  const text = readFlagFile(flag, path);
  try {
    return abacAuthorizer(readPolicyFile(text, `${names.groups.abac}/v1beta1`), names);
  } catch (error) {
    if (!(error instanceof PolicyFileError)) throw error;
    throw new StartError(`--${flag} ${path}: ${error.message}`);
  }
}

/** The webhook authorizer; its failures count as no opinion, so that the next authorizer decides. */
const webhookOf = (flags: Flags, { names, env, tracing }: AuthorizationParts): Authorizer =>
  webhookAuthorizer({
    remote: remoteService('authorization-webhook-config-file', flags.authorizationWebhookConfigFile, {
      ...env,
      tracing,
    }),
    group: names.group('authorization'),
    version: flags.authorizationWebhookVersion,
    authorizedTtlMs: flags.authorizationWebhookAuthorizedTtl,
    unauthorizedTtlMs: flags.authorizationWebhookUnauthorizedTtl,
    onFailure: 'noOpinion',
    clock: env.clock,
  });
