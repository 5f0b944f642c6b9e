import type { ResourceLookup } from '../context/paths.ts';
import type { VirtualResources } from '../context/virtual-resource.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { bind } from '../subresources/binding.ts';
import { componentStatuses } from './component-statuses.ts';

/** The resources that every registry serves without storing them. */
export const builtinVirtualResources: VirtualResources = {
  '/bindings': (path, resource, call) => bind(path, { pods: podsOf(path), served: resource }, call),
  '/componentstatuses': componentStatuses,
};

function podsOf(path: ResourceLookup): StoredResource {
  const pods = path.table.find('', 'v1', 'pods');
  if (pods === undefined) throw new TypeError('the API has no pods');
  return path.stored(pods);
}
