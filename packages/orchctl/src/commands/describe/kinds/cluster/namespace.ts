import type { kinds } from '@orch/client';
import { describer, listAll, noEvents } from '../../describer.ts';
import { describeTimedConditions } from '../../text/conditions.ts';
import type { Description } from '../../text/description.ts';
import { describeLimits, limitTitles } from '../../text/limits.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { describeQuotas } from '../../text/quotas.ts';

type LimitRange = kinds.core.LimitRange;

export const namespace = describer<kinds.core.Namespace>({
  group: 'core',
  kind: 'Namespace',
  versions: ['v1'],
  events: noEvents,
  async describe(out, { metadata, status }, context) {
    const { resourcequotas, limitranges } = context.typed.core.v1;
    const name = metadata.name ?? '';
    const [quotas, ranges] = await Promise.all([
      listAll(resourcequotas.in(name), context),
      listAll(limitranges.in(name), context),
    ]);
    describeMetadata(out, { metadata, names: context.names }, false);
    out.field(0, 'Status', status?.phase ?? '');
    describeTimedConditions(out, status?.conditions);
    out.line(0);
    describeQuotas(out, quotas);
    out.line(0);
    describeRanges(out, ranges);
  },
});

function describeRanges(out: Description, ranges: readonly LimitRange[]): void {
  if (ranges.length === 0) {
    out.line(0, 'No LimitRange resource.');
    return;
  }
  out.line(0, 'Resource Limits');
  for (const titles of limitTitles) out.raw(` ${titles.join('\t')}\n`);
  for (const range of ranges) describeLimits(out, range, ' ');
}
