import type * as apps from '@orch/kinds/apps';
import type { ApiObject } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { workloadWarnings } from '../../core/shared/pod-spec/warnings/workload.ts';
import { rollbackIn } from '../../core/shared/subresources.ts';
import { defineResource, scaleSubresource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType, Strategy } from '../../resource-type.ts';
import { keepStatus, restoreAllButStatus, statusRules } from '../../status-strategy.ts';
import { appsV1Beta1, appsV1Beta2, extensionsV1Beta1, withScale } from '../shared/older-versions.ts';
import { workloadScale } from '../shared/scale-mapping.ts';
import { validateSelecting, workloadStrategy } from '../shared/strategy.ts';
import { deploymentLens } from './extensions-v1beta1.lens.ts';
import { Deployment as ExtensionsDeployment } from './extensions-v1beta1.ts';
import { deploymentTable } from './table.ts';
import { Deployment } from './v1.ts';
import { Deployment as DeploymentV1Beta1 } from './v1beta1.ts';
import { validateDeploymentStatus } from './validation.ts';

export { DeploymentRollback as ExtensionsDeploymentRollback } from './extensions-v1beta1.ts';
export { DeploymentRollback as DeploymentRollbackV1Beta1 } from './v1beta1.ts';

const status = statusSubresource('Deployment', 'apps');

/** `/status` of a deployment does not write its labels, either. */
function prepareStatus(next: ApiObject, old: ApiObject): void {
  restoreAllButStatus(next, old);
  if (old.metadata.labels === undefined) delete next.metadata.labels;
  else next.metadata.labels = old.metadata.labels;
}

/** The controller copies annotations to replica sets, and older versions have one of them in the spec, so they count as spec. */
function countAnnotations(next: apps.Deployment, old: apps.Deployment): void {
  if (jsonEquals(next.metadata.annotations ?? {}, old.metadata.annotations ?? {})) return;
  next.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

const deploymentStrategy: Strategy = workloadStrategy({
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    countAnnotations(next, old);
  },
  validate: validateSelecting('Deployment'),
  warnings: workloadWarnings,
  through: { status: { ...statusRules(validateDeploymentStatus), prepareForUpdate: prepareStatus } },
});

export const deployments: ResourceType = defineResource({
  group: 'apps',
  resource: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  shortNames: ['deploy'],
  categories: ['all'],
  versions: [
    { version: 'v1', schema: Deployment, introduced: '1.9' },
    appsV1Beta2({ schema: Deployment, subresources: withScale(status, ['apps', 'v1beta2']) }),
    appsV1Beta1(
      {
        schema: DeploymentV1Beta1,
        lens: deploymentLens,
        subresources: [rollbackIn('apps', 'v1beta1'), ...withScale(status, ['apps', 'v1beta1'])],
      },
      '1.6',
    ),
    extensionsV1Beta1(
      {
        schema: ExtensionsDeployment,
        lens: deploymentLens,
        subresources: [rollbackIn('extensions', 'v1beta1'), ...withScale(status, ['extensions', 'v1beta1'])],
      },
      '1.1',
    ),
  ],
  table: deploymentTable,
  strategy: deploymentStrategy,
  subresources: [scaleSubresource, status],
  scale: workloadScale,
});
