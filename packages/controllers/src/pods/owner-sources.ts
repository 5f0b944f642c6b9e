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
import { ownersSelecting, selectorIndex } from './label-index.ts';

type Selecting = ApiObject & { readonly spec?: { readonly selector?: LabelSelectorObject | null } };

const bySelector = selectorIndex('workload-selector', ({ spec }: Selecting) =>
  labelSelectorFromObject(spec?.selector),
);

/**
 * Keys of the owners that objects concern: of the controller of an object, and of the owners that select an object without a
 * controller and may take it over.
 */
export function ownerSources<T extends ApiObject, O extends Selecting>(
  objects: Informer<T>,
  owners: Informer<O>,
): Source<string>[] {
  const selecting = ownersSelecting(owners, bySelector);
  return [
    ownerSource(objects, owners.resource),
    informerSource(objects, {
      keys: (object) => (controllerOf(object) === undefined ? selecting(object).map(objectKey) : []),
    }),
  ];
}
