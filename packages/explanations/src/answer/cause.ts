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

/** One part of an explanation. Causes come in the order of their importance. */
export interface Cause {
  readonly type: CauseType;
  readonly message: string;
  readonly where?: ObjectPlace;
  readonly resolvedBy?: Resolution;
}

export type CauseType =
  // Why an object is there.
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
  // Why a field has its value.
  | 'Manager'
  | 'PartsOfManagers'
  | 'NoManager'
  | 'ValueLeftOut'
  | 'Write'
  | 'HistoryUnread'
  // Why an operation is allowed or refused.
  | 'Allowed'
  | 'Denied'
  | 'NoOpinion'
  | 'Rule'
  | 'OtherRules'
  | 'MissingRole'
  | 'MissingPermission'
  // Why a request was refused or slow.
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
