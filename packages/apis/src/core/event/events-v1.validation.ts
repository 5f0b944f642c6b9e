import { type ApiObject, type FieldError, fieldError, jsonEquals } from '@orch/machinery';
import { asNumber, asObject, asText, type JsonObject } from '../../read.ts';
import { checkFormat } from '../../validation-rules.ts';

const isSet = (value: unknown): boolean => asText(value) !== '';

/** A series is one from the second occurrence on. */
function checkSeries({ series }: JsonObject): readonly FieldError[] {
  if (series === undefined) return [];
  const { count, lastObservedTime } = asObject(series);
  return [
    ...(asNumber(count) < 2 ? [fieldError.invalid('series.count', count ?? 0, 'should be at least 2')] : []),
    ...(isSet(lastObservedTime) ? [] : [fieldError.required('series.lastObservedTime')]),
  ];
}

/** Members of the older form that say something. */
function olderMembers(event: JsonObject): readonly string[] {
  const source = asObject(event['source']);
  const said: Readonly<Record<string, boolean>> = {
    firstTimestamp: isSet(event['firstTimestamp']),
    lastTimestamp: isSet(event['lastTimestamp']),
    count: asNumber(event['count']) !== 0,
    source: isSet(source['component']) || isSet(source['host']),
  };
  return Object.keys(said).filter((member) => said[member]);
}

/**
 * What clients of `events/v1` must say of a new event beside what all events say (spec 9.4). Clients know the members
 * under the names that they have in the core group.
 */
export function validateNewEvent(event: ApiObject): readonly FieldError[] {
  const type = asText(event['type']);
  const { name = '' } = event.metadata;
  return [
    ...(name === '' ? [] : checkFormat('dns1123subdomain', 'metadata.name', name)),
    ...checkSeries(event),
    ...(isSet(event['eventTime']) ? [] : [fieldError.required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [fieldError.invalid('type', type, "must be 'Normal' or 'Warning'")]),
    ...olderMembers(event).map((member) => fieldError.invalid(member, event[member], 'needs to be unset')),
  ];
}

/** Members that an event keeps; the path is that of `validateEvent`, so that one member has one name. */
const kept: Readonly<Record<string, string>> = {
  involvedObject: 'involvedObject',
  reason: 'reason',
  message: 'message',
  source: 'source',
  firstTimestamp: 'firstTimestamp',
  lastTimestamp: 'lastTimestamp',
  count: 'count',
  type: 'type',
  eventTime: 'eventTime',
  action: 'action',
  related: 'related',
  reportingComponent: 'reportingController',
  reportingInstance: 'reportingInstance',
};

/** Of an event that was reported through `events/v1` only its series goes on. */
export const validateEventUpdate = (next: ApiObject, old: ApiObject): readonly FieldError[] => [
  ...(jsonEquals(next['series'] ?? null, old['series'] ?? null) ? [] : checkSeries(next)),
  ...Object.entries(kept)
    .filter(([member]) => !jsonEquals(next[member] ?? null, old[member] ?? null))
    .map(([member, path]) => fieldError.invalid(path, next[member] ?? null, 'field is immutable')),
];
