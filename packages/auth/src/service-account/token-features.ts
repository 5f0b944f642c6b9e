/** What users of tokens show, and which tokens are accepted, as the feature gates of the release determine it. */
export interface TokenFeatures {
  /** The id of a token is the credential id of its user. */
  readonly ids: boolean;
  /** A user with a token that is bound to a pod has the node of the pod. */
  readonly podNodes: boolean;
  /** Tokens that are bound to a node are accepted while the node exists; otherwise they are refused. */
  readonly nodeTokens: boolean;
}

/** Those of releases without the gates. */
export const basicTokenFeatures: TokenFeatures = { ids: false, podNodes: false, nodeTokens: true };
