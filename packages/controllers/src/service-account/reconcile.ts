import { isBeingDeleted } from '@orch/client';
import { type ApiObject, asObject, asText } from '@orch/machinery';

/** Whether a namespace is in use: neither ending nor gone. */
export const isActive = (namespace: ApiObject | undefined): boolean =>
  namespace !== undefined &&
  !isBeingDeleted(namespace) &&
  asText(asObject(namespace['status'])['phase']) !== 'Terminating';

/** The account that every active namespace has (spec 5.5). */
export const defaultAccount = 'default';
