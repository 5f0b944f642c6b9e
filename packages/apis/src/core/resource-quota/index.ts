import type * as core from '@orch/kinds/core';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { earlierResourceQuotaTable, resourceQuotaTable } from './table.ts';
import { ResourceQuota } from './v1.ts';
import { validateResourceQuota, validateResourceQuotaStatus } from './validation.ts';
import { quotaWarnings } from './warnings.ts';

export const resourceQuotas: ResourceType = defineResource({
  group: '',
  resource: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
  shortNames: ['quota'],
  versions: [{ version: 'v1', schema: ResourceQuota }],
  table: resourceQuotaTable,
  strategy: strategyOf<core.ResourceQuota>({
    resetStatus: true,
    deleteReturns: 'object',
    prepareForCreate(next) {
      next.status = {};
    },
    prepareForUpdate: keepStatus,
    validate: validateResourceQuota,
    warnings: quotaWarnings,
    through: { status: statusRules((next, _old, { names }) => validateResourceQuotaStatus(next, names)) },
  }),
  subresources: [statusSubresource('ResourceQuota')],
  earlier: [{ before: '1.33', change: { table: earlierResourceQuotaTable } }],
});
