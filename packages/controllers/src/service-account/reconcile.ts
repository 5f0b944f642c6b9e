import { isBeingDeleted } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { membersAt, textAt } from '../api/members.ts';

/** Whether a namespace is in use: neither ending nor gone. */
export const isActive = (namespace: ApiObject | undefined): boolean =>
  namespace !== undefined &&
  !isBeingDeleted(namespace) &&
  textAt(membersAt(namespace, 'status'), 'phase') !== 'Terminating';

/** The account that every active namespace has (spec 5.5). */
export const defaultAccount = 'default';
