import { chain, type Lens, move } from '@orch/schema';

/**
 * Joins events of their own group with those of the core group, which came first: the same members under other names
 * (spec 9.4). What the older form says by itself is `deprecated` in the newer one.
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
  ...Object.fromEntries(reference.map((member) => [`regarding.${member}`, `involvedObject.${member}`])),
};
