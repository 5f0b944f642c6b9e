import { f, struct } from '@orch/schema';

export const EventSource = struct('core.v1.EventSource', 'Source of an event, in the older form.', {
  component: f.string(1, { doc: 'Program that reported it.' }),
  host: f.string(2, { doc: 'Node it ran on.' }),
});
