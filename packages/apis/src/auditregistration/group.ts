import type { GroupDeclaration } from '../group-declaration.ts';
import { auditSinks } from './audit-sink/index.ts';

export const auditregistrationGroup: GroupDeclaration = {
  key: 'auditregistration',
  priority: 16_400,
  versionPriorities: { v1alpha1: 1 },
  types: [auditSinks],
};
