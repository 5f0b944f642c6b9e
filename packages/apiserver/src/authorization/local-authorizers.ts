import {
  type Authorizer,
  abacAuthorizer,
  alwaysAllow,
  alwaysDeny,
  currentAuthorizer,
  type LocalAuthorizerType,
  NodeGraph,
  nodeAuthorizer,
  type ObjectSource,
  PolicyFileError,
  RbacPolicy,
  rbacAuthorizer,
  readPolicyFile,
} from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { asStartError } from '../reload/as-start-error.ts';
import { fileMetrics } from '../reload/reload-metrics.ts';
import { type FileFlag, ReloadedFiles } from '../reload/reloaded-files.ts';
import type { Reloads } from '../reload/reloads.ts';

export interface LocalAuthorizersParts {
  readonly source: ObjectSource;
  readonly names: Names;
  readonly env: Env;
  /** Collects the files that are reloaded. */
  readonly reloads: Reloads;
}

/**
 * The authorizers that call no external service. Each is created once, since some follow the objects of the cluster.
 */
export class LocalAuthorizers {
  /** The permissions granted by roles, also when no authorizer uses them. */
  readonly policy: RbacPolicy;
  readonly #parts: LocalAuthorizersParts;
  readonly #abac: Authorizer | undefined;
  readonly #made = new Map<LocalAuthorizerType, Authorizer>();

  /** Throws a `StartError` for an invalid policy file. */
  constructor(flags: Pick<ApiServerFlags, 'authorizationPolicyFile'>, parts: LocalAuthorizersParts) {
    this.#parts = parts;
    this.policy = new RbacPolicy(parts.source, parts.names);
    this.#abac =
      flags.authorizationPolicyFile === '' ? undefined : abacOf(flags.authorizationPolicyFile, parts);
  }

  /** Undefined for `ABAC` without a policy file. */
  of(type: LocalAuthorizerType): Authorizer | undefined {
    const authorizer = this.#made.get(type) ?? this.#make(type);
    if (authorizer !== undefined) this.#made.set(type, authorizer);
    return authorizer;
  }

  #make(type: LocalAuthorizerType): Authorizer | undefined {
    const { source, names, env } = this.#parts;
    switch (type) {
      case 'AlwaysAllow':
        return alwaysAllow;
      case 'AlwaysDeny':
        return alwaysDeny;
      case 'RBAC':
        return rbacAuthorizer(this.policy, names);
      case 'Node':
        return nodeAuthorizer(new NodeGraph(source, { ...env, names }), names);
      case 'ABAC':
        return this.#abac;
    }
  }
}

function abacOf(path: string, { names, env, reloads }: LocalAuthorizersParts): Authorizer {
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
