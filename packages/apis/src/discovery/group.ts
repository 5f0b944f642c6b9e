import type { GroupDeclaration } from '../group-declaration.ts';
import { endpointSlices } from './endpoint-slice/index.ts';

export const discoveryGroup: GroupDeclaration = {
  key: 'discovery',
  priority: 16_200,
  versionPriorities: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  types: [endpointSlices],
};
