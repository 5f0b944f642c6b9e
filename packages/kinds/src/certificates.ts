// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

export type CertificateSigningRequest = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CertificateSigningRequestSpec;
  readonly status?: CertificateSigningRequestStatus;
};

export type CertificateSigningRequestCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
};

export type CertificateSigningRequestConditionV1beta1 = {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
};

export type CertificateSigningRequestSpec = {
  readonly request?: string;
  readonly signerName?: string;
  readonly expirationSeconds?: number;
  readonly usages?: readonly string[];
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[] | null>>;
};

export type CertificateSigningRequestSpecV1beta1 = {
  readonly request?: string;
  readonly signerName?: string;
  readonly expirationSeconds?: number;
  readonly usages?: readonly string[];
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[] | null>>;
};

export type CertificateSigningRequestStatus = {
  readonly conditions?: readonly CertificateSigningRequestCondition[];
  readonly certificate?: string;
};

export type CertificateSigningRequestStatusV1beta1 = {
  readonly conditions?: readonly CertificateSigningRequestConditionV1beta1[];
  readonly certificate?: string;
};

export type CertificateSigningRequestV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CertificateSigningRequestSpecV1beta1;
  readonly status?: CertificateSigningRequestStatusV1beta1;
};

export type ClusterTrustBundle = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ClusterTrustBundleSpec;
};

export type ClusterTrustBundleSpec = {
  readonly signerName?: string;
  readonly trustBundle?: string;
};

export type PodCertificateRequest = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodCertificateRequestSpec;
  readonly status?: PodCertificateRequestStatus;
};

export type PodCertificateRequestSpec = {
  readonly signerName?: string;
  readonly podName?: string;
  readonly podUID?: string;
  readonly serviceAccountName?: string;
  readonly serviceAccountUID?: string;
  readonly nodeName?: string;
  readonly nodeUID?: string;
  readonly maxExpirationSeconds?: number;
  readonly pkixPublicKey?: string;
  readonly proofOfPossession?: string;
  readonly stubPKCS10Request?: string;
  readonly unverifiedUserAnnotations?: Readonly<Record<string, string>>;
};

export type PodCertificateRequestStatus = {
  readonly conditions?: readonly meta.Condition[];
  readonly certificateChain?: string;
  readonly notBefore?: string;
  readonly beginRefreshAt?: string;
  readonly notAfter?: string;
};
