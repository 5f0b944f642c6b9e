import { f, struct } from '@orch/schema';
import { RawExtension } from '../../meta/raw.ts';
import { metadataField } from '../shared/fields.ts';

export const ControllerRevision = struct(
  'apps.v1.ControllerRevision',
  'A state that a controller can go back to. Data does not change once it is there.',
  {
    metadata: metadataField(),
    data: f.struct(2, RawExtension, {
      doc: 'The state, in a form that the controller knows.',
      presence: 'always',
      nullable: true,
      immutable: true,
      openapiRequired: false,
    }),
    revision: f.int64(3, { doc: 'Number of the state; higher ones are newer.', presence: 'always', min: 0 }),
  },
  { typeMeta: true },
);
