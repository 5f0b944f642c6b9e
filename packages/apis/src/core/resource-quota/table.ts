import type { ResourceQuota, ResourceQuotaStatus } from '@orch/kinds/core';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

/** Used and allowed amounts of the resources that `takes` chooses. */
function quotaText(status: ResourceQuotaStatus, takes: (resource: string) => boolean): string {
  const hard = status.hard ?? {};
  const used = status.used ?? {};
  return Object.keys(hard)
    .filter(takes)
    .sort()
    .map((resource) => `${resource}: ${(used[resource] ?? '') || '0'}/${hard[resource] ?? ''}`)
    .join(', ');
}

const isLimit = (resource: string): boolean => resource.startsWith('limits');

const requestColumn = column('Request', 'Used and allowed requests and numbers of objects.');
const limitColumn = column('Limit', 'Used and allowed limits.');

const requestsOf = ({ status = {} }: ResourceQuota): string =>
  quotaText(status, (resource) => !isLimit(resource));
const limitsOf = ({ status = {} }: ResourceQuota): string => quotaText(status, isLimit);

export const resourceQuotaTable: TableDefinition<ResourceQuota> = {
  columns: [nameColumn, requestColumn, limitColumn, ageColumn],
  cells: (quota) => [nameCell(quota), requestsOf(quota), limitsOf(quota), ageCell(quota)],
};

/** The columns before 1.33. */
export const earlierResourceQuotaTable: TableDefinition<ResourceQuota> = {
  columns: [nameColumn, ageColumn, requestColumn, limitColumn],
  cells: (quota) => [nameCell(quota), ageCell(quota), requestsOf(quota), limitsOf(quota)],
};
