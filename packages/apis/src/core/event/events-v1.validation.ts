import type { Event } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { checkFormat } from '../../validation-rules.ts';

const isSet = (value: string | null | undefined): boolean => (value ?? '') !== '';

/** A series starts with the second occurrence. */
function checkSeries({ series }: Event): readonly FieldError[] {
  if (series === undefined) return [];
  const { count, lastObservedTime } = series;
  return [
    ...((count ?? 0) < 2 ? [fieldError.invalid('series.count', count ?? 0, 'should be at least 2')] : []),
    ...(isSet(lastObservedTime) ? [] : [fieldError.required('series.lastObservedTime')]),
  ];
}

const olderFieldNames = ['firstTimestamp', 'lastTimestamp', 'count', 'source'] as const;
type OlderField = (typeof olderFieldNames)[number];

/** Fields of the older API that are set. */
function olderFields(event: Event): readonly OlderField[] {
  const source = event.source ?? {};
  const isUsed: Readonly<Record<OlderField, boolean>> = {
    firstTimestamp: isSet(event.firstTimestamp),
    lastTimestamp: isSet(event.lastTimestamp),
    count: (event.count ?? 0) !== 0,
    source: isSet(source.component) || isSet(source.host),
  };
  return olderFieldNames.filter((name) => isUsed[name]);
}

/**
 * Additional rules for new events through `events/v1` (spec 9.4). For compatibility, errors name fields as in the core
 * group.
 */
export function validateNewEvent(event: Event): readonly FieldError[] {
  const type = event.type ?? '';
  const { name = '' } = event.metadata;
  return [
    ...(name === '' ? [] : checkFormat('dns1123subdomain', 'metadata.name', name)),
    ...checkSeries(event),
    ...(isSet(event.eventTime) ? [] : [fieldError.required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [fieldError.invalid('type', type, "must be 'Normal' or 'Warning'")]),
    ...olderFields(event).map((name) => fieldError.invalid(name, event[name], 'needs to be unset')),
  ];
}

/** Immutable fields of an event; the path is that of `validateEvent`, so that each field has one name. */
const kept = {
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
} as const;

const keptFields = Object.keys(kept) as readonly (keyof typeof kept)[];

/** Updates of an event through `events/v1` can change its series; the fields in `kept` are immutable. */
export const validateEventUpdate = (next: Event, old: Event): readonly FieldError[] => [
  ...(jsonEquals(next.series ?? null, old.series ?? null) ? [] : checkSeries(next)),
  ...keptFields
    .filter((name) => !jsonEquals(next[name] ?? null, old[name] ?? null))
    .map((name) => fieldError.invalid(kept[name], next[name] ?? null, 'field is immutable')),
];
