import type { Release } from '../release.ts';
import { type FeatureGates, gateAt, isGraduated } from './feature-gates.ts';

/** Optional behaviour of a server, as the feature gates of the release determine it (spec 3.3). */
export interface ServerFeatures {
  /** Lists support `limit` and `continue`. */
  readonly listChunking: boolean;
  /** Flow schemas share the concurrency limit; otherwise the two limits of requests in flight apply. */
  readonly priorityAndFairness: boolean;
  /** A page of a list contains the number of remaining objects. */
  readonly remainingItemCount: boolean;
  /** Large answers are compressed for clients that accept it. */
  readonly responseCompression: boolean;
  /** Writes support `fieldValidation`, and warn about unknown fields when it is not set. */
  readonly fieldValidation: boolean;
  /** OpenAPI documents list the values of fields. */
  readonly listedValues: boolean;
  /** Discovery in one document is not served in its beta version. */
  readonly removedBetaDiscovery: boolean;
  /** Requests and replies can be in CBOR. */
  readonly cbor: boolean;
  /** Tokens of service accounts have an id, which is the credential id of their users. */
  readonly tokenIds: boolean;
  /** Tokens that are bound to a pod name the node of the pod. */
  readonly podNodesInTokens: boolean;
  /** Tokens can be bound to a node. */
  readonly nodeTokens: boolean;
  /** Tokens that are bound to a node are accepted while the node exists. */
  readonly nodeTokenChecks: boolean;
  /** A request for a token that has the UID of another account is refused. */
  readonly tokenRequestUidChecks: boolean;
  /** Front proxies can send the uid of the user. */
  readonly remoteUids: boolean;
  /** Another program can hold the keys of service account tokens. */
  readonly externalTokenSigner: boolean;
  /** The subject of a client certificate can have the uid of the user. */
  readonly certificateUids: boolean;
}

/** The feature gate of each. */
const serverGates: Readonly<Record<keyof ServerFeatures, string>> = {
  listChunking: 'APIListChunking',
  priorityAndFairness: 'APIPriorityAndFairness',
  remainingItemCount: 'RemainingItemCount',
  responseCompression: 'APIResponseCompression',
  fieldValidation: 'ServerSideFieldValidation',
  listedValues: 'OpenAPIEnums',
  removedBetaDiscovery: 'AggregatedDiscoveryRemoveBetaType',
  cbor: 'CBORServingAndStorage',
  tokenIds: 'ServiceAccountTokenJTI',
  podNodesInTokens: 'ServiceAccountTokenPodNodeInfo',
  nodeTokens: 'ServiceAccountTokenNodeBinding',
  nodeTokenChecks: 'ServiceAccountTokenNodeBindingValidation',
  remoteUids: 'RemoteRequestHeaderUID',
  externalTokenSigner: 'ExternalServiceAccountTokenSigner',
  certificateUids: 'AllowParsingUserUIDFromCertAuth',
  tokenRequestUidChecks: 'TokenRequestServiceAccountUIDValidation',
};

export const serverFeatures = ({ open }: Pick<FeatureGates, 'open'>): ServerFeatures =>
  featuresBy((gate) => open.has(gate));

/** The features of a release with the default gates. */
export const defaultServerFeatures = (release: Release): ServerFeatures =>
  featuresBy((gate) => gateAt(gate, release)?.openByDefault ?? isGraduated(gate, release));

const featuresBy = (isOpen: (gate: string) => boolean): ServerFeatures => ({
  listChunking: isOpen(serverGates.listChunking),
  priorityAndFairness: isOpen(serverGates.priorityAndFairness),
  remainingItemCount: isOpen(serverGates.remainingItemCount),
  responseCompression: isOpen(serverGates.responseCompression),
  fieldValidation: isOpen(serverGates.fieldValidation),
  listedValues: isOpen(serverGates.listedValues),
  removedBetaDiscovery: isOpen(serverGates.removedBetaDiscovery),
  cbor: isOpen(serverGates.cbor),
  tokenIds: isOpen(serverGates.tokenIds),
  podNodesInTokens: isOpen(serverGates.podNodesInTokens),
  nodeTokens: isOpen(serverGates.nodeTokens),
  nodeTokenChecks: isOpen(serverGates.nodeTokenChecks),
  remoteUids: isOpen(serverGates.remoteUids),
  externalTokenSigner: isOpen(serverGates.externalTokenSigner),
  certificateUids: isOpen(serverGates.certificateUids),
  tokenRequestUidChecks: isOpen(serverGates.tokenRequestUidChecks),
});
