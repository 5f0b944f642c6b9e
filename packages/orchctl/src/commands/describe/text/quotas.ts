import type { kinds } from '@orch/client';
import type { Description } from './description.ts';
import { amount, sortedBy, sortedEntries } from './values.ts';

type Quota = kinds.core.ResourceQuota;

const meanings: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

export const scopesOf = ({ spec }: Quota): readonly string[] => (spec?.scopes ?? []).toSorted();

/** The meaning of scopes, for those that are explained. */
export const scopeTexts = (scopes: readonly string[]): readonly string[] =>
  scopes.flatMap((scope) => meanings[scope] ?? []);

/** The quotas of a namespace. */
export function describeQuotas(out: Description, quotas: readonly Quota[]): void {
  if (quotas.length === 0) {
    out.line(0, 'No resource quota.');
    return;
  }
  out.line(0, 'Resource Quotas');
  for (const quota of sortedBy(quotas, ({ metadata }) => metadata.name ?? '')) {
    out.field(1, 'Name', quota.metadata.name ?? '');
    const scopes = scopesOf(quota);
    if (scopes.length > 0) out.field(1, 'Scopes', scopes.join(', '));
    for (const text of scopeTexts(scopes)) out.line(1, `* ${text}`);
    out.line(1, 'Resource', 'Used', 'Hard');
    out.line(1, '--------', '---', '---');
    for (const [resource, hard] of sortedEntries(quota.status?.hard))
      out.line(1, resource, amount(quota.status?.used?.[resource]), hard);
  }
}
