// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** Asks a signer for a certificate, which it issues once somebody has approved the request. */
export type CertificateSigningRequest = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: CertificateSigningRequestSpec;
  /** What was decided, and the certificate. */
  status?: CertificateSigningRequestStatus;
};

/** What was decided about a request, and what came of it. */
export interface CertificateSigningRequestCondition {
  /** Approved, Denied or Failed, or a type of the signer with a domain prefix. */
  type: string;
  /** True, False or Unknown; True for the well-known types. */
  status: string;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
  /** When the condition was last written. */
  lastUpdateTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
}

/** What was decided about a request, and what came of it. */
export interface CertificateSigningRequestConditionV1beta1 {
  /** Approved, Denied or Failed, or a type of the signer with a domain prefix. */
  type: string;
  /** True, False or Unknown; True for the well-known types. */
  status?: string;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
  /** When the condition was last written. */
  lastUpdateTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
}

/** Which certificate is wanted, and who wants it. It cannot change later. */
export interface CertificateSigningRequestSpec {
  /** The PKCS#10 request, in PEM. */
  request: string;
  /** Who is to sign it, as `example.com/signer`. */
  signerName: string;
  /** How long the certificate should be valid, 600 at least; signers may decide otherwise. */
  expirationSeconds?: number;
  /** What the key will be used for, such as `client auth` or `digital signature`. */
  usages?: string[];
  /** Name of the user who made the request. Set by the server. */
  username?: string;
  /** Identity of the user who made the request. Set by the server. */
  uid?: string;
  /** Groups of the user who made the request. Set by the server. */
  groups?: string[];
  /** What else is known of the user who made the request. Set by the server. */
  extra?: Record<string, string[]>;
}

/** Which certificate is wanted, and who wants it. It cannot change later. */
export interface CertificateSigningRequestSpecV1beta1 {
  /** The PKCS#10 request, in PEM. */
  request: string;
  /** Who is to sign it, as `example.com/signer`. */
  signerName?: string;
  /** How long the certificate should be valid, 600 at least; signers may decide otherwise. */
  expirationSeconds?: number;
  /** What the key will be used for, such as `client auth` or `digital signature`. */
  usages?: string[];
  /** Name of the user who made the request. Set by the server. */
  username?: string;
  /** Identity of the user who made the request. Set by the server. */
  uid?: string;
  /** Groups of the user who made the request. Set by the server. */
  groups?: string[];
  /** What else is known of the user who made the request. Set by the server. */
  extra?: Record<string, string[]>;
}

/** What became of a request. */
export interface CertificateSigningRequestStatus {
  /** Approval, denial and failure. */
  conditions?: CertificateSigningRequestCondition[];
  /** The certificate in PEM, with others that belong to it; there once it was issued. */
  certificate?: string;
}

/** What became of a request. */
export interface CertificateSigningRequestStatusV1beta1 {
  /** Approval, denial and failure. */
  conditions?: CertificateSigningRequestConditionV1beta1[];
  /** The certificate in PEM, with others that belong to it; there once it was issued. */
  certificate?: string;
}

/** Asks a signer for a certificate, which it issues once somebody has approved the request. */
export type CertificateSigningRequestV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: CertificateSigningRequestSpecV1beta1;
  /** What was decided, and the certificate. */
  status?: CertificateSigningRequestStatusV1beta1;
};

/** Certificates that are trusted, and for what. */
export interface ClusterTrustBundleSpecV1alpha1 {
  /** Signer whose certificates they vouch for; the name of the object then starts with it. It cannot change later. */
  signerName?: string;
  /** The certificates, in PEM, each once. Their order says nothing. */
  trustBundle: string;
}

/** Certificates that workloads in the whole cluster may trust. */
export type ClusterTrustBundleV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: ClusterTrustBundleSpecV1alpha1;
};
