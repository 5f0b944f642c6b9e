import type { ControllerDescriptor } from '../descriptor.ts';
import { clusterRoleAggregationController } from './controller.ts';

export const clusterRoleAggregation: ControllerDescriptor = {
  name: 'clusterrole-aggregation',
  serviceAccount: 'clusterrole-aggregation-controller',
  onByDefault: true,
  build: (context) => [clusterRoleAggregationController(context)],
};
