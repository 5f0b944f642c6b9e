import type { ObjectSource } from '@orch/auth';
import { type ApiObject, errors } from '@orch/machinery';
import {
  type LabelSelector,
  type LabelSelectorObject,
  type Labels,
  labelSelectorFromObject,
} from '@orch/machinery/selectors';
import type { AdmissionAttributes } from '../types.ts';

/** Selectors of a webhook or a policy, by labels of the namespace and of the object (access-control document, 4.4). */
export interface Selectors {
  readonly namespaces: LabelSelector;
  readonly objects: LabelSelector;
}

export interface SelectorObjects {
  readonly namespaceSelector?: LabelSelectorObject | undefined;
  readonly objectSelector?: LabelSelectorObject | undefined;
}

/** Throws `SelectorError` for values that validation should have refused. */
export const compileSelectors = ({ namespaceSelector, objectSelector }: SelectorObjects): Selectors => ({
  namespaces: labelSelectorFromObject(namespaceSelector ?? {}),
  objects: labelSelectorFromObject(objectSelector ?? {}),
});

/** Reports whether the selectors select a write. Rejects with 404 when its namespace does not exist. */
export function isSelected(
  source: Pick<ObjectSource, 'get' | 'fresh'>,
  { namespaces, objects }: Selectors,
  write: AdmissionAttributes,
): boolean | Promise<boolean> {
  if (!selectsObject(objects, write)) return false;
  if (namespaces.everything) return true;
  const labels = namespaceLabels(source, write);
  if (labels === 'cluster') return true;
  return labels instanceof Promise
    ? labels.then((found) => namespaces.matches(found))
    : namespaces.matches(labels);
}

/**
 * A match of either the new or the old object suffices. Objects that cannot have labels are selected by empty selectors
 * only.
 */
function selectsObject(
  selector: LabelSelector,
  { requested, object, oldObject }: AdmissionAttributes,
): boolean {
  if (selector.everything) return true;
  if (!requested.hasMetadata) return false;
  const selects = (one: ApiObject | undefined): boolean =>
    one !== undefined && selector.matches(one.metadata.labels);
  return selects(object) || selects(oldObject);
}

/**
 * Labels of the namespace of a write. Namespaces that are created or updated have their new labels. Cluster-scoped
 * objects have no namespace, and namespace selectors do not exclude them.
 */
function namespaceLabels(
  source: Pick<ObjectSource, 'get' | 'fresh'>,
  write: AdmissionAttributes,
): Labels | 'cluster' | Promise<Labels> {
  const { group, resource, subresource, operation, namespace, name, object } = write;
  if (group === '' && resource === 'namespaces') {
    if (subresource === '' && (operation === 'CREATE' || operation === 'UPDATE') && object !== undefined)
      return labelsOf(object);
    return storedLabels(source, name, write.signal);
  }
  return namespace === '' ? 'cluster' : storedLabels(source, namespace, write.signal);
}

const labelsOf = ({ metadata }: ApiObject): Labels => metadata.labels ?? {};

function storedLabels(
  source: Pick<ObjectSource, 'get' | 'fresh'>,
  name: string,
  signal: AbortSignal,
): Labels | Promise<Labels> {
  const found = source.get('namespaces', '', name);
  return found === undefined ? freshLabels(source, name, signal) : labelsOf(found);
}

/** The cache of this replica may not have a namespace yet that another replica created. */
async function freshLabels(
  source: Pick<ObjectSource, 'get' | 'fresh'>,
  name: string,
  signal: AbortSignal,
): Promise<Labels> {
  await source.fresh(signal);
  const found = source.get('namespaces', '', name);
  if (found === undefined) throw errors.notFound({ group: '', kind: 'namespaces', name });
  return labelsOf(found);
}
