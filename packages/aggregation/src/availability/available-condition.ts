import { type DefinitionCondition, withConditions } from '@orch/custom-resources';
import type { APIService, APIServiceCondition } from '@orch/kinds/apiregistration';
import type { Draft } from '@orch/kinds/draft';
import type { Availability } from '../api-services/availability.ts';

export const locallyAvailable: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

/** The condition of an API service that names a service for a group version that this server serves itself. */
export const notDiverted: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'this group version is served by the API server itself; the service is not used',
};

export const passed: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' };

const none: readonly APIServiceCondition[] = [];

/** Puts the condition into the status of an API service; does nothing when it is there. `now` is RFC 3339 UTC. */
export function setAvailable(object: Draft<APIService>, availability: Availability, now: string): void {
  const before = object.status?.conditions ?? none;
  const condition: DefinitionCondition = { type: 'Available', ...availability };
  const conditions = withConditions(before, [condition], now);
  if (conditions !== before) object.status = { ...object.status, conditions };
}
