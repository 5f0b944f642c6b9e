import { f, struct } from '@orch/schema';
import { eventFields, seriesFields } from './events-v1.ts';

export const EventSeries = struct('events.v1beta1.EventSeries', 'Repeated occurrences of an event.', {
  ...seriesFields,
  state: f.string(3, {
    doc: 'Whether the series continues: Ongoing, Finished or Unknown.',
    presence: 'always',
    until: '1.19',
  }),
});

export const Event = struct(
  'events.v1beta1.Event',
  'Something that happened to an object, kept for a limited time. Reasons and notes may change; programs should not depend on them.',
  eventFields(EventSeries),
  { typeMeta: true },
);
