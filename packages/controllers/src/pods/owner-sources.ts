import {
  controllerOf,
  type Informer,
  informerSource,
  objectKey,
  ownerSource,
  type Source,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { type LabelSelectorObject, labelSelectorFromObject } from '@orch/machinery/selectors';

type Selecting = ApiObject & { readonly spec?: { readonly selector?: LabelSelectorObject | null } };

const INDEX = 'workload-namespace';
const byNamespace = ({ metadata }: ApiObject): readonly string[] => [metadata.namespace ?? ''];

/**
 * Keys of the owners that objects concern: of the controller of an object, and of the owners that select an object without a
 * controller and may take it over.
 */
export function ownerSources<T extends ApiObject, O extends Selecting>(
  objects: Informer<T>,
  owners: Informer<O>,
): Source<string>[] {
  owners.addIndex(INDEX, byNamespace);
  return [
    ownerSource(objects, owners.resource),
    informerSource(objects, {
      keys: (object) =>
        controllerOf(object) !== undefined
          ? []
          : owners.store
              .byIndex(INDEX, object.metadata.namespace ?? '')
              .filter(({ spec }) => labelSelectorFromObject(spec?.selector).matches(object.metadata.labels))
              .map(objectKey),
    }),
  ];
}
