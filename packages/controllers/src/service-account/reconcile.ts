import { isBeingDeleted, type kinds } from '@orch/client';

/** Reports whether a namespace exists and is not being deleted. */
export const isActive = (namespace: kinds.core.Namespace | undefined): boolean =>
  namespace !== undefined && !isBeingDeleted(namespace) && namespace.status?.phase !== 'Terminating';

/** The service account of every active namespace (spec 5.5). */
export const defaultAccount = 'default';
