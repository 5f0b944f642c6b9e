import { f, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { JobTemplateSpec } from './v1.ts';

/** A kind without a resource; also one of v2alpha1. */
export const JobTemplate = struct(
  'batch.v1beta1.JobTemplate',
  'A template to create jobs from, as a separate object.',
  {
    metadata: metadataField,
    template: f.struct(2, JobTemplateSpec, { doc: 'The template.', presence: 'always' }),
  },
  { typeMeta: true },
);
