import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import {
  annotation,
  f,
  jsonAnnotation,
  type Lens,
  type LensScope,
  setAnnotation,
  struct,
  within,
} from '@orch/schema';
import { NodeSelector } from '../../../core/shared/selectors.ts';
import { resourceClaimOf } from '../shared/resource-claim-spec.ts';

const MAX_HANDLE_BYTES = 16 * 1024;

const AllocationResultV1Alpha1 = struct(
  'resource.v1alpha1.AllocationResult',
  'An allocated resource, and where it can be used.',
  {
    resourceHandle: f.string(1, {
      doc: 'Data for the driver on the node.',
      maxBytes: MAX_HANDLE_BYTES,
    }),
    availableOnNodes: f.struct(2, NodeSelector, {
      doc: 'Nodes on which it can be used; all when absent.',
      presence: 'pointer',
    }),
    shareable: f.bool(3, { doc: 'Whether several may use it at the same time.' }),
  },
);

export const ResourceClaimV1Alpha1 = resourceClaimOf('v1alpha1', AllocationResultV1Alpha1);

const keyOf = ({ names }: LensScope): string => names.annotations.resourceHandles;

/** All handles except the data of the first, for which the older version has a field. */
function annotatedHandles(scope: LensScope): readonly MutableJsonObject[] {
  const text = annotation(scope, keyOf(scope));
  const handles = text === undefined ? undefined : jsonAnnotation.read(text);
  if (!Array.isArray(handles) || handles.length === 0 || !handles.every(isJsonObject)) return [];
  setAnnotation(scope, keyOf(scope), undefined);
  return handles;
}

/** One handle without a driver name became a list of handles with names. */
export const resourceClaimLens: Lens = within('status.allocation', {
  toHub(allocation, scope) {
    const { resourceHandle } = allocation;
    delete allocation.resourceHandle;
    const kept = annotatedHandles(scope);
    const [first = {}, ...others] = kept;
    const data = resourceHandle === undefined ? {} : { data: resourceHandle };
    // An empty handle counts as one.
    if (resourceHandle !== undefined || kept.length > 0)
      allocation.resourceHandles = [{ ...first, ...data }, ...others];
  },
  fromHub(allocation, scope) {
    const { resourceHandles } = allocation;
    delete allocation.resourceHandles;
    if (!Array.isArray(resourceHandles) || resourceHandles.length === 0) return;
    const [{ data, ...first }, ...others] = resourceHandles as readonly MutableJsonObject[] as [
      MutableJsonObject,
      ...MutableJsonObject[],
    ];
    if (data !== undefined) allocation.resourceHandle = data;
    const isPlain = data !== undefined && Object.keys(first).length === 0 && others.length === 0;
    if (!isPlain) setAnnotation(scope, keyOf(scope), jsonAnnotation.write([first, ...others]));
  },
});
