import type { Program } from '@orch/cel';
import type { ConfigValue } from '@orch/machinery/yaml';

export const authorizerTypes = ['Node', 'RBAC', 'ABAC', 'Webhook', 'AlwaysAllow', 'AlwaysDeny'] as const;

export type LocalAuthorizerType = Exclude<(typeof authorizerTypes)[number], 'Webhook'>;

/** An authorizer of a configuration file. They decide in the order of the file. */
export type AuthorizerConfiguration =
  | { readonly type: LocalAuthorizerType; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: WebhookConfiguration };

export interface WebhookConfiguration {
  /** 0 for no cache. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  /** Timeout of one decision with all attempts. */
  readonly timeoutMs: number;
  readonly version: 'v1' | 'v1beta1';
  /** The verdict when the service is unavailable, or when a condition has an error. */
  readonly onFailure: 'noOpinion' | 'deny';
  /** The path of a client configuration file; problems of that file are reported at this value. */
  readonly connection: ConfigValue;
  readonly conditions: readonly ReviewCondition[];
}

/** An expression over the request; the webhook decides about requests for which all of them are true. */
export interface ReviewCondition {
  readonly program: Program;
  readonly source: string;
}
