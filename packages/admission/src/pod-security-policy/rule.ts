import type { PodSecurityContext, PodSpec, SecurityContext } from '@orch/kinds/core';
import type { PodSecurityPolicySpecV1beta1 } from '@orch/kinds/policy';
import type { FieldError, Names } from '@orch/machinery';
import type { AnyContainer } from '../shared/pods.ts';

/** A pod in the form that rules read. */
export interface ReviewedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** A container of any kind in its pod. */
export interface ReviewedContainer {
  readonly pod: ReviewedPod;
  readonly container: AnyContainer;
  /** `spec.initContainers[0]` */
  readonly path: string;
  /** The security context of the container including the values inherited from the pod. */
  readonly context: SecurityContext;
}

/** The values that a policy sets where a pod sets none. */
export interface PodDefaults {
  readonly securityContext?: Partial<PodSecurityContext>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly runtimeClassName?: string;
}

/** The rule of a policy about one aspect of a pod. Errors are determined when they are read: only the first ones are needed. */
export interface PodRule {
  /** Undefined when the policy sets nothing. */
  defaults?(pod: ReviewedPod): PodDefaults | undefined;
  /** Receives the pod with its defaults. */
  check?(pod: ReviewedPod): Iterable<FieldError>;
}

/** The rule of a policy about one aspect of each container. */
export interface ContainerRule {
  /** Undefined when the policy sets nothing. */
  defaults?(container: ReviewedContainer): Partial<SecurityContext> | undefined;
  /** Receives the container with its defaults. */
  check(container: ReviewedContainer): Iterable<FieldError>;
}

/** The rules for one part of a policy. */
export interface Rules {
  readonly pod?: PodRule;
  readonly container?: ContainerRule;
}

export type PolicySpec = PodSecurityPolicySpecV1beta1;

/** The inputs of rules. */
export interface RuleParts {
  readonly spec: PolicySpec;
  /** Annotations of the policy. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly names: Names;
  /** Whether pods have fields for seccomp profiles, in addition to annotations. */
  readonly hasSeccompFields: boolean;
  /** Kernel parameters that are safe in the release. */
  readonly safeSysctls: ReadonlySet<string>;
}

export const SECURITY_CONTEXT = 'spec.securityContext';

/** A rule that every pod violates, because the policy itself is incomplete. */
export const never = (error: FieldError): Rules => ({ pod: { check: () => [error] } });
