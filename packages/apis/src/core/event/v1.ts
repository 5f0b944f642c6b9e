import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { ObjectReference } from '../shared/references.ts';
import { EventSource } from './source.ts';

export const EventSeries = struct('core.v1.EventSeries', 'Repeated occurrences of an event.', {
  count: f.int32(1, { doc: 'Occurrences so far.' }),
  lastObservedTime: f.microTime(2, { doc: 'When it was last seen.', presence: 'always' }),
  state: f.string(3, { doc: 'Whether the series continues: Ongoing, Finished or Unknown.', until: '1.19' }),
});

export const Event = struct(
  'core.v1.Event',
  'Something that happened to an object, kept for a limited time. Reasons and messages may change; programs should not depend on them.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
      openapiRequired: true,
    }),
    involvedObject: f.struct(2, ObjectReference, {
      doc: 'The object it happened to.',
      presence: 'always',
      openapiRequired: true,
    }),
    reason: f.string(3, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(4, { doc: 'Human-readable details.' }),
    source: f.struct(5, EventSource, { doc: 'Who reported it.', presence: 'always' }),
    firstTimestamp: f.time(6, { doc: 'When it was first reported.', presence: 'always' }),
    lastTimestamp: f.time(7, { doc: 'When it was last reported.', presence: 'always' }),
    count: f.int32(8, { doc: 'Number of occurrences.' }),
    type: f.string(9, { doc: 'Normal or Warning; others may come.' }),
    eventTime: f.microTime(10, { doc: 'When it was first seen, to the microsecond.', presence: 'always' }),
    series: f.struct(11, EventSeries, { doc: 'Set when the event occurs repeatedly.', presence: 'pointer' }),
    action: f.string(12, { doc: 'Action that was taken, or that failed.' }),
    related: f.struct(13, ObjectReference, {
      doc: 'A second object that is involved.',
      presence: 'pointer',
    }),
    reportingComponent: f.string(14, {
      doc: 'Controller that reported it.',
      presence: 'always',
      openapiRequired: false,
    }),
    reportingInstance: f.string(15, {
      doc: 'ID of the controller instance.',
      presence: 'always',
      openapiRequired: false,
    }),
  },
  { typeMeta: true },
);
