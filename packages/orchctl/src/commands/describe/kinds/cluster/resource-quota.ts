import type { kinds } from '@orch/client';
import { formatQuantity, parseQuantity, quantityInteger } from '@orch/machinery/quantity';
import { describer, noEvents } from '../../describer.ts';
import { scopesOf, scopeTexts } from '../../text/quotas.ts';
import { amount, sortedEntries } from '../../text/values.ts';

export const resourceQuota = describer<kinds.core.ResourceQuota>({
  group: 'core',
  kind: 'ResourceQuota',
  versions: ['v1'],
  events: noEvents,
  describe(out, object) {
    const { metadata, status } = object;
    out.fields(0, { Name: metadata.name, Namespace: metadata.namespace });
    const scopes = scopesOf(object);
    if (scopes.length > 0) out.field(0, 'Scopes', scopes.join(', '));
    for (const text of scopeTexts(scopes)) out.line(0, ` * ${text}`);
    out.line(0, 'Resource', 'Used', 'Hard');
    out.line(0, '--------', '----', '----');
    for (const [resource, hard] of sortedEntries(status?.hard))
      out.line(0, resource, usedText(amount(status?.used?.[resource]), hard), hard);
  },
});

/** The used amount in the format of the permitted one. */
function usedText(used: string, hard: string): string {
  const { format } = parseQuantity(hard);
  const quantity = parseQuantity(used);
  if (quantity.format === format) return used;
  return formatQuantity({ mantissa: quantityInteger(quantity), exponent: 0, format });
}
