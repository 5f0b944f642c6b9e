// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';

/** Policy and webhook of an audit sink. */
export interface AuditSinkSpecV1alpha1 {
  /** The policy of recording. */
  policy: PolicyV1alpha1;
  /** Where it is sent. */
  webhook: WebhookV1alpha1;
}

/** A webhook that receives the audit events of the server. */
export type AuditSinkV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: AuditSinkSpecV1alpha1;
};

/** The recorded parts of a request, and the stages at which they are recorded. */
export interface PolicyV1alpha1 {
  /** How much: None, Metadata, Request or RequestResponse. */
  level: 'None' | 'Metadata' | 'Request' | 'RequestResponse' | (string & {});
  /** When: RequestReceived, ResponseStarted, ResponseComplete or Panic. */
  stages?: ('RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic' | (string & {}))[] | null;
}

/** A service of the cluster that receives requests. */
export interface ServiceReferenceV1alpha1 {
  /** Namespace of the service. */
  namespace: string;
  /** Name of the service. */
  name: string;
  /** URL path of the requests. */
  path?: string;
  /** Port of the service. */
  port?: number;
}

/** How to reach a webhook: by URL or by service. */
export interface WebhookClientConfigV1alpha1 {
  /** Its URL, `scheme://host:port/path`. */
  url?: string;
  /** Its service in the cluster. */
  service?: ServiceReferenceV1alpha1;
  /** Certificates in PEM that verify the certificate of the webhook; those of the system when absent. */
  caBundle?: string;
}

/** Limit of the requests to a webhook. */
export interface WebhookThrottleConfigV1alpha1 {
  /** Maximum number of requests per second. */
  qps?: Int64;
  /** Maximum number of requests at one instant. */
  burst?: Int64;
}

/** Where events are sent. */
export interface WebhookV1alpha1 {
  /** Limit of the requests to the webhook. */
  throttle?: WebhookThrottleConfigV1alpha1;
  /** How to reach it. */
  clientConfig: WebhookClientConfigV1alpha1;
}
