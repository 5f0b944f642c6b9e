import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { strategy, versions } from '../shared/define.ts';
import { earlierPriorityLevelTable, priorityLevelTable } from './table.ts';
import { PriorityLevelConfiguration as PriorityLevelConfigurationV1 } from './v1.ts';
import {
  PriorityLevelConfiguration as PriorityLevelConfigurationV1Beta2,
  priorityLevelLens,
} from './v1beta2.ts';
import { PriorityLevelConfiguration } from './v1beta3.ts';
import { validatePriorityLevel } from './validation.ts';

export const priorityLevelConfigurations: ResourceType = defineResource({
  group: 'flowcontrol',
  resource: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  namespaced: false,
  versions: versions('PriorityLevelConfiguration', {
    v1beta3: PriorityLevelConfiguration,
    v1: PriorityLevelConfigurationV1,
    older: { schema: PriorityLevelConfigurationV1Beta2, lens: priorityLevelLens },
  }),
  table: priorityLevelTable,
  strategy: strategy(validatePriorityLevel),
  subresources: [statusSubresource('PriorityLevelConfiguration', 'flowcontrol', 'v1beta3')],
  earlier: [{ before: '1.26', change: { table: earlierPriorityLevelTable } }],
});
