import { isBeingDeleted } from '@orch/client';
import type { ApiObject } from '@orch/machinery';

/** Reports whether an object is being deleted and its grace period is over, so that it waits for its finalizers only. */
export const isGracePeriodOver = (object: ApiObject): boolean =>
  isBeingDeleted(object) && object.metadata.deletionGracePeriodSeconds === 0;
