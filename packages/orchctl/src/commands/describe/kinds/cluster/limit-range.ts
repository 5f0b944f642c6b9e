import type { kinds } from '@orch/client';
import { describer, noEvents } from '../../describer.ts';
import { describeLimits, limitTitles } from '../../text/limits.ts';

export const limitRange = describer<kinds.core.LimitRange>({
  group: 'core',
  kind: 'LimitRange',
  versions: ['v1'],
  events: noEvents,
  describe(out, object) {
    out.fields(0, { Name: object.metadata.name, Namespace: object.metadata.namespace });
    for (const titles of limitTitles) out.line(0, ...titles);
    describeLimits(out, object);
  },
});
