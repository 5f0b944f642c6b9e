/** Names a stored object; `namespace` is empty for objects without one. */
export interface ObjectPlace {
  /** API group as served; empty for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A remedy for a cause. */
export interface Resolution {
  /** Completes "by": `removing the finalizer`. */
  readonly action: string;
  /** `User ann`, `Group ops`; `a cluster administrator` where the client may not read who has permissions. */
  readonly subjects: readonly string[];
}

/** One part of an explanation. Causes are sorted by importance. */
export interface Cause {
  readonly type: CauseType;
  readonly message: string;
  readonly where?: ObjectPlace;
  readonly resolvedBy?: Resolution;
}

export type CauseType =
  // Causes why an object exists.
  | 'NotDeleted'
  | 'Finalizer'
  | 'GracePeriod'
  | 'Owner'
  | 'AbsentOwner'
  | 'Dependent'
  | 'NamespaceFinalizer'
  | 'NamespaceCondition'
  | 'NamespaceContent'
  | 'Webhook'
  | 'RefusedRequest'
  // Causes of the value of a field.
  | 'Manager'
  | 'PartsOfManagers'
  | 'NoManager'
  | 'ValueLeftOut'
  | 'Write'
  | 'HistoryUnread'
  // Causes why an operation is allowed or refused.
  | 'Allowed'
  | 'Denied'
  | 'NoOpinion'
  | 'Rule'
  | 'OtherRules'
  | 'MissingRole'
  | 'MissingPermission'
  // Causes why a request was refused or slow, or needs another version.
  | 'DeprecatedVersion'
  | 'Authorization'
  | 'FlowControl'
  | 'AdmissionPlugin'
  | 'AdmissionPolicy'
  | 'Quota'
  | 'LimitRange'
  | 'Validation'
  | 'Conflict'
  | 'Failure'
  | 'QueueWait'
  | 'Authentication'
  | 'Store'
  | 'Handling';
