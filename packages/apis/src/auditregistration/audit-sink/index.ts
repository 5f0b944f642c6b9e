import type * as auditregistration from '@orch/kinds/auditregistration';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { AuditSink } from './v1alpha1.ts';

export const auditSinks: ResourceType = defineResource({
  group: 'auditregistration',
  resource: 'auditsinks',
  kind: 'AuditSink',
  namespaced: false,
  versions: [
    { version: 'v1alpha1', schema: AuditSink, introduced: '1.13', removed: '1.19', replacement: 'none' },
  ],
  strategy: strategyOf<auditregistration.AuditSinkV1alpha1>({
    unconditionalUpdate: false,
    generation: 'spec',
  }),
});
