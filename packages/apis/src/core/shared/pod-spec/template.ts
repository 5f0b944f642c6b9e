import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { PodSpec } from './spec.ts';
import { checkPodTemplate } from './validation/template.ts';

export const PodTemplateSpec = struct(
  'core.v1.PodTemplateSpec',
  'Metadata and specification of the pods that are created from it.',
  {
    metadata: f.struct(1, ObjectMeta, { doc: 'Labels and annotations of the pods.', presence: 'always' }),
    spec: f.struct(2, PodSpec, { doc: 'What its owner wants.', presence: 'always' }),
  },
  { checks: [checkPodTemplate] },
);
