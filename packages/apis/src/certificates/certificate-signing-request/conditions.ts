import type { ApiObject } from '@orch/machinery';
import { asObjects, type JsonObject, statusOf } from '../../read.ts';

export type ConditionType = 'Approved' | 'Denied' | 'Failed';

export const conditionsOf = (request: ApiObject): readonly JsonObject[] =>
  asObjects(statusOf(request)['conditions']);

export const conditionsOfType = (request: ApiObject, type: string): readonly JsonObject[] =>
  conditionsOf(request).filter((condition) => condition['type'] === type);
