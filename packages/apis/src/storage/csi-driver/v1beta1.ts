import { f, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { driverFields } from './v1.ts';
import { checkDriverSpec } from './validation.ts';

/** The modes of a driver are replaced as a whole when they are applied; later versions merge them as a set. */
export const CSIDriverSpec = struct(
  'storage.v1beta1.CSIDriverSpec',
  'Capabilities and requirements of a storage driver.',
  driverFields({}),
  { checks: [checkDriverSpec] },
);

export const CSIDriver = struct(
  'storage.v1beta1.CSIDriver',
  'A driver that provides volumes through the container storage interface. Its name is that of the driver.',
  {
    metadata: metadataField,
    spec: f.struct(2, CSIDriverSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
  { typeMeta: true },
);
