// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';

export type AuditSinkSpecV1alpha1 = {
  readonly policy?: PolicyV1alpha1;
  readonly webhook?: WebhookV1alpha1;
};

export type AuditSinkV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: AuditSinkSpecV1alpha1;
};

export type PolicyV1alpha1 = {
  readonly level?: string;
  readonly stages?: readonly string[] | null;
};

export type ServiceReferenceV1alpha1 = {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
};

export type WebhookClientConfigV1alpha1 = {
  readonly url?: string;
  readonly service?: ServiceReferenceV1alpha1;
  readonly caBundle?: string;
};

export type WebhookThrottleConfigV1alpha1 = {
  readonly qps?: number | ExactNumber;
  readonly burst?: number | ExactNumber;
};

export type WebhookV1alpha1 = {
  readonly throttle?: WebhookThrottleConfigV1alpha1;
  readonly clientConfig?: WebhookClientConfigV1alpha1;
};
