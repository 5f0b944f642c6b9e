import {
  type Authorizer,
  abacAuthorizer,
  alwaysAllow,
  alwaysDeny,
  currentAuthorizer,
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
import type { Access } from '@orch/registry';
import type { ApiServerFlags } from './flags/api-server-flags.ts';
import { asStartError } from './reload/as-start-error.ts';
import { fileMetrics } from './reload/reload-metrics.ts';
import { type FileFlag, ReloadedFiles } from './reload/reloaded-files.ts';
import type { Reloads } from './reload/reloads.ts';
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
  /** Collects the files that are reloaded. */
  readonly reloads: Reloads;
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
        return abacOf(flags.authorizationPolicyFile, parts);
      case 'Webhook':
        return webhookOf(flags, parts);
    }
  };
  return { authorizer: firstOpinion(flags.authorizationModes.map(authorizerOf)), policy };
}

function abacOf(path: string, { names, env, reloads }: AuthorizationParts): Authorizer {
  const file: FileFlag = { flag: 'authorization-policy-file', path };
  const apiVersion = `${names.groups.abac}/v1beta1`;
  const policy = reloads.add(
    new ReloadedFiles({
      title: 'the authorization policy',
      files: [file],
      read: ([text = '']) =>
        asStartError(file, PolicyFileError, () => abacAuthorizer(readPolicyFile(text, apiVersion), names)),
      metrics: fileMetrics(file.flag, env),
      env,
    }),
  );
  return currentAuthorizer(() => policy.current);
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
