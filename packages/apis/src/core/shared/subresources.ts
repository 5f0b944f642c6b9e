import { scaleSubresource } from '../../define-resource.ts';
import type { Subresource } from '../../resource-type.ts';

/** `/scale` of older versions, in the Scale of their group. */
export const scaleIn = (group: string, version: string): Subresource => ({
  ...scaleSubresource,
  kind: { group, version, kind: 'Scale' },
});

/** `/rollback` of older Deployments. */
export const rollbackIn = (group: string, version: string): Subresource => ({
  name: 'rollback',
  kind: { group, version, kind: 'DeploymentRollback' },
  verbs: ['create'],
  behaviour: 'rollback',
});
