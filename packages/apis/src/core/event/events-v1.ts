import { f, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { ObjectReference } from '../shared/references.ts';
import { EventSource } from './source.ts';

/** Fields of every version of a series in this group. */
export const seriesFields = {
  count: f.int32(1, { doc: 'Occurrences so far, at least two.', presence: 'always' }),
  lastObservedTime: f.microTime(2, {
    doc: 'When it was last seen.',
    presence: 'always',
    openapiRequired: true,
  }),
};

export const EventSeries = struct('events.v1.EventSeries', 'Repeated occurrences of an event.', seriesFields);

const deprecated = 'Of the older form of events; empty in new ones.';

/** Fields of every version of an event in this group. */
export const eventFields = (series: StructSchema) => ({
  metadata: metadataField,
  eventTime: f.microTime(2, {
    doc: 'When it was first seen, to the microsecond.',
    presence: 'always',
    openapiRequired: true,
  }),
  series: f.struct(3, series, { doc: 'Set when the event occurs repeatedly.', presence: 'pointer' }),
  reportingController: f.string(4, { doc: 'Controller that reported it, as a qualified name.' }),
  reportingInstance: f.string(5, { doc: 'ID of the controller instance.' }),
  action: f.string(6, { doc: 'Action that was taken, or that failed, in one word.' }),
  reason: f.string(7, { doc: 'Machine-readable reason of the action, in CamelCase.' }),
  regarding: f.struct(8, ObjectReference, {
    doc: 'The object it happened to.',
    presence: 'always',
  }),
  related: f.struct(9, ObjectReference, {
    doc: 'A second object that is involved.',
    presence: 'pointer',
  }),
  note: f.string(10, { doc: 'Human-readable details, at most a kilobyte.' }),
  type: f.string(11, { doc: 'Normal or Warning.' }),
  deprecatedSource: f.struct(12, EventSource, {
    doc: 'Who reported it, in the older form.',
    presence: 'always',
    deprecated,
  }),
  deprecatedFirstTimestamp: f.time(13, {
    doc: 'When it was first reported, in the older form.',
    presence: 'always',
    deprecated,
  }),
  deprecatedLastTimestamp: f.time(14, {
    doc: 'When it was last reported, in the older form.',
    presence: 'always',
    deprecated,
  }),
  deprecatedCount: f.int32(15, { doc: 'How often it happened, in the older form.', deprecated }),
});

export const Event = struct(
  'events.v1.Event',
  'Something that happened to an object, kept for a limited time. Reasons and notes may change; programs should not depend on them.',
  eventFields(EventSeries),
  { typeMeta: true },
);
