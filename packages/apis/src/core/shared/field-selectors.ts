import { f, struct } from '@orch/schema';

export const ObjectFieldSelector = struct(
  'core.v1.ObjectFieldSelector',
  'Names a field of the pod.',
  {
    apiVersion: f.string(1, { doc: 'Version that the path is written for.', default: 'v1' }),
    fieldPath: f.string(2, {
      doc: 'Path of the field, such as metadata.name.',
      presence: 'always',
      required: true,
    }),
  },
  { mapType: 'atomic' },
);

export const ResourceFieldSelector = struct(
  'core.v1.ResourceFieldSelector',
  'Names a limit or request of a container.',
  {
    containerName: f.string(1, { doc: 'Name of the container; required in volumes.' }),
    resource: f.string(2, { doc: 'Such as limits.cpu.', presence: 'always', required: true }),
    divisor: f.quantity(3, {
      doc: 'Unit in which the value is written.',
      presence: 'always',
      openapiRequired: false,
    }),
  },
  { mapType: 'atomic' },
);
