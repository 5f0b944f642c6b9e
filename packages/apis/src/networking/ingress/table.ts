import type { Ingress, IngressRule } from '@orch/kinds/networking';
import { loadBalancerText } from '../../core/shared/load-balancer-text.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';

const MAX_SHOWN = 3;

/** The first hosts, and the number of further rules. */
function hostsText(rules: readonly IngressRule[]): string {
  const named = rules.filter((rule) => (rule.host ?? '') !== '').slice(0, MAX_SHOWN);
  if (named.length === 0) return '*';
  const text = named.map((rule) => rule.host ?? '').join(',');
  const isMore = named.length === MAX_SHOWN && rules.at(-1) !== named.at(-1);
  return isMore ? `${text} + ${rules.length - MAX_SHOWN} more...` : text;
}

export const ingressTable: TableDefinition<Ingress> = {
  columns: [
    nameColumn,
    column('Class', 'Class of the ingress.'),
    column('Hosts', 'Hosts that it has rules for.'),
    column('Address', 'Where its load balancer accepts traffic.'),
    column('Ports', 'Ports at which it accepts requests.'),
    ageColumn,
  ],
  cells(ingress) {
    const spec = ingress.spec ?? {};
    return [
      nameCell(ingress),
      orNone(spec.ingressClassName ?? ''),
      hostsText(spec.rules ?? []),
      loadBalancerText(ingress.status?.loadBalancer ?? {}),
      (spec.tls ?? []).length > 0 ? '80, 443' : '80',
      ageCell(ingress),
    ];
  },
};
