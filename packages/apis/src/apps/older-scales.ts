import { f, items, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../meta/standard-fields.ts';

/** The Scale that each of the older groups defined for itself, before there was a common one. */
function olderScale(group: string, options: { readonly mapType?: 'atomic' } = {}) {
  const ScaleSpec = struct(`${group}.ScaleSpec`, 'The desired number of replicas.', {
    replicas: f.int32(1, { doc: 'Desired number of replicas.', min: 0 }),
  });
  const ScaleStatus = struct(`${group}.ScaleStatus`, 'The current number of replicas.', {
    replicas: f.int32(1, { doc: 'Current number of replicas.', presence: 'always' }),
    selector: f.map(2, items.string, {
      doc: 'Labels of the selected pods, when the selector consists of labels only.',
      ...options,
    }),
    targetSelector: f.string(3, { doc: 'Selects the pods, in the format of a query parameter.' }),
  });
  return struct(
    `${group}.Scale`,
    'The number of replicas of an object that has replicas.',
    {
      metadata: metadataField,
      spec: specField(ScaleSpec),
      status: statusField(ScaleStatus),
    },
    { typeMeta: true },
  );
}

export const ScaleV1Beta1 = olderScale('apps.v1beta1');
export const ScaleV1Beta2 = olderScale('apps.v1beta2', { mapType: 'atomic' });
export const ExtensionsScale = olderScale('extensions.v1beta1', { mapType: 'atomic' });
