import { olderDeployment } from './extensions-v1beta1.ts';
import { DeploymentStrategy } from './v1.ts';

export const { Deployment, DeploymentRollback } = olderDeployment({
  group: 'apps.v1beta1',
  strategy: DeploymentStrategy,
  revisions: 2,
  deadlineSeconds: 600,
});
