import { olderDeployment } from '../../extensions/v1beta1/deployment.ts';
import { DeploymentStrategy } from '../v1/deployment.ts';

export const { Deployment, DeploymentRollback } = olderDeployment({
  group: 'apps.v1beta1',
  strategy: DeploymentStrategy,
  revisions: 2,
  deadlineSeconds: 600,
});
