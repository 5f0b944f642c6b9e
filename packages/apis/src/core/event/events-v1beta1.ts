import { f, struct } from '@orch/schema';
import { eventFields, seriesFields } from './events-v1.ts';

export const EventSeries = struct('events.v1beta1.EventSeries', 'Tells that an event keeps happening.', {
  ...seriesFields,
  state: f.string(3, {
    doc: 'Whether it still does: Ongoing, Finished or Unknown.',
    presence: 'always',
    until: '1.19',
  }),
});

export const Event = struct(
  'events.v1beta1.Event',
  'Something that happened to an object, kept for a limited time. Reasons and notes may change; nothing should be built on them.',
  eventFields(EventSeries),
  { typeMeta: true },
);
