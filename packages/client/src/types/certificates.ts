// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as meta from './meta.ts';

/** A request to a signer for a certificate, which is issued after the request was approved. */
export type CertificateSigningRequest = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: CertificateSigningRequestSpec;
  /** Decisions about the request, and the certificate. */
  status?: CertificateSigningRequestStatus;
};

/** A decision about a request, or its result. */
export interface CertificateSigningRequestCondition {
  /** Approved, Denied or Failed, or a type of the signer with a domain prefix. */
  type: string;
  /** True, False or Unknown; True for the well-known types. */
  status: string;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
  /** When the condition was last written. */
  lastUpdateTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
}

/** A decision about a request, or its result. */
export interface CertificateSigningRequestConditionV1beta1 {
  /** Approved, Denied or Failed, or a type of the signer with a domain prefix. */
  type: string;
  /** True, False or Unknown; True for the well-known types. */
  status?: string;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
  /** When the condition was last written. */
  lastUpdateTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
}

/** The requested certificate, and the requester. It cannot change later. */
export interface CertificateSigningRequestSpec {
  /** The PKCS#10 request, in PEM. */
  request: string;
  /** Name of the signer, such as `example.com/signer`. */
  signerName: string;
  /** Requested validity of the certificate, 600 at least; the signer may issue another one. */
  expirationSeconds?: number;
  /** Intended usages of the key, such as `client auth` or `digital signature`. */
  usages?: string[];
  /** Name of the user who made the request. Set by the server. */
  username?: string;
  /** Identity of the user who made the request. Set by the server. */
  uid?: string;
  /** Groups of the user who made the request. Set by the server. */
  groups?: string[];
  /** Additional attributes of the user who made the request. Set by the server. */
  extra?: Record<string, string[]>;
}

/** The requested certificate, and the requester. It cannot change later. */
export interface CertificateSigningRequestSpecV1beta1 {
  /** The PKCS#10 request, in PEM. */
  request: string;
  /** Name of the signer, such as `example.com/signer`. */
  signerName?: string;
  /** Requested validity of the certificate, 600 at least; the signer may issue another one. */
  expirationSeconds?: number;
  /** Intended usages of the key, such as `client auth` or `digital signature`. */
  usages?: string[];
  /** Name of the user who made the request. Set by the server. */
  username?: string;
  /** Identity of the user who made the request. Set by the server. */
  uid?: string;
  /** Groups of the user who made the request. Set by the server. */
  groups?: string[];
  /** Additional attributes of the user who made the request. Set by the server. */
  extra?: Record<string, string[]>;
}

/** Result of a request. */
export interface CertificateSigningRequestStatus {
  /** Approval, denial and failure. */
  conditions?: KeyedList<CertificateSigningRequestCondition, 'type'>;
  /** The certificate in PEM, with its chain; present after it was issued. */
  certificate?: string;
}

/** Result of a request. */
export interface CertificateSigningRequestStatusV1beta1 {
  /** Approval, denial and failure. */
  conditions?: KeyedList<CertificateSigningRequestConditionV1beta1, 'type'>;
  /** The certificate in PEM, with its chain; present after it was issued. */
  certificate?: string;
}

/** A request to a signer for a certificate, which is issued after the request was approved. */
export type CertificateSigningRequestV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: CertificateSigningRequestSpecV1beta1;
  /** Decisions about the request, and the certificate. */
  status?: CertificateSigningRequestStatusV1beta1;
};

/** Certificates that workloads in the whole cluster may trust. */
export type ClusterTrustBundle = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: ClusterTrustBundleSpec;
};

/** Certificates that are trusted, and for what. */
export interface ClusterTrustBundleSpec {
  /** Signer whose certificates they verify; the name of the object then starts with it. It cannot change later. */
  signerName?: string;
  /** The certificates, in PEM, each once. Their order has no meaning. */
  trustBundle: string;
}

/** A request of a node for a certificate of a pod. */
export type PodCertificateRequest = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: PodCertificateRequestSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: PodCertificateRequestStatus;
};

/** The pod that needs a certificate, its key, and the signer. It cannot change later. */
export interface PodCertificateRequestSpec {
  /** Signer that is to issue the certificate. */
  signerName: string;
  /** Name of the pod. */
  podName: string;
  /** Identity of the pod. */
  podUID: string;
  /** Service account of the pod. */
  serviceAccountName: string;
  /** Identity of the service account. */
  serviceAccountUID: string;
  /** Node on which the pod runs. */
  nodeName: string;
  /** Identity of the node. */
  nodeUID: string;
  /** Longest validity of the certificate; the signer may shorten it. */
  maxExpirationSeconds?: number;
  /** Public key, as a SubjectPublicKeyInfo in DER. */
  pkixPublicKey: string;
  /** Signature of the identity of the pod by the private key. */
  proofOfPossession: string;
  /** PKCS#10 request in DER with the public key, signed by the private key; signers read nothing else of it. */
  stubPKCS10Request: string;
  /** Information of the author of the pod for the signer, by keys with a domain. Nobody has verified it. */
  unverifiedUserAnnotations?: Record<string, string>;
}

/** The certificate, or why there is none. It is final once it has a condition. */
export interface PodCertificateRequestStatus {
  /** Issued, Denied or Failed, whose status is True; at most one of them. */
  conditions?: KeyedList<meta.Condition, 'type'>;
  /** The certificate and those between it and the root, in PEM, in this order. */
  certificateChain?: string;
  /** When the certificate becomes valid. */
  notBefore?: string;
  /** When the node begins to renew it. */
  beginRefreshAt?: string;
  /** When the certificate expires. */
  notAfter?: string;
}
