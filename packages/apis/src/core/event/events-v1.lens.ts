import { chain, type Lens, move } from '@orch/schema';

/**
 * Converts events of the group `events` to those of the older core group: the same fields under other names (spec 9.4).
 * Fields that only the older version has are `deprecated…` in the newer one.
 */
export const eventLens: Lens = chain(
  move('regarding', 'involvedObject'),
  move('note', 'message'),
  move('reportingController', 'reportingComponent'),
  move('deprecatedSource', 'source'),
  move('deprecatedFirstTimestamp', 'firstTimestamp'),
  move('deprecatedLastTimestamp', 'lastTimestamp'),
  move('deprecatedCount', 'count'),
);

const reference = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** Selectable fields of the group, each with the label that it has in the core group. */
export const eventFields: Readonly<Record<string, string>> = {
  type: 'type',
  reason: 'reason',
  reportingController: 'reportingComponent',
  ...Object.fromEntries(reference.map((field) => [`regarding.${field}`, `involvedObject.${field}`])),
};
