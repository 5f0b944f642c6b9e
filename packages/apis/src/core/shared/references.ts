import { f, struct } from '@orch/schema';

export const ObjectReference = struct(
  'core.v1.ObjectReference',
  'Points to another object, or to a part of one.',
  {
    kind: f.string(1, { doc: 'Kind of the object.' }),
    namespace: f.string(2, { doc: 'Namespace of the object.' }),
    name: f.string(3, { doc: 'Name of the object.' }),
    uid: f.string(4, { doc: 'Identity of the object.' }),
    apiVersion: f.string(5, { doc: 'Version of the object.' }),
    resourceVersion: f.string(6, { doc: 'Version of the object, if any.' }),
    fieldPath: f.string(7, { doc: 'Part of the object, such as `spec.containers{web}`.' }),
  },
  { mapType: 'atomic' },
);

export const LocalObjectReference = struct(
  'core.v1.LocalObjectReference',
  'Names an object of the same namespace.',
  {
    name: f.string(1, { doc: 'Name of the object.' }),
  },
  { mapType: 'atomic' },
);

export const SecretReference = struct(
  'core.v1.SecretReference',
  'Names a secret in any namespace.',
  {
    name: f.string(1, { doc: 'Name of the secret.' }),
    namespace: f.string(2, { doc: 'Namespace of the secret.' }),
  },
  { mapType: 'atomic' },
);

export const TypedLocalObjectReference = struct(
  'core.v1.TypedLocalObjectReference',
  'Names an object of the same namespace with its kind.',
  {
    apiGroup: f.string(1, {
      doc: 'Group of the object; the core group when absent.',
      nullable: true,
      presence: 'always',
      openapiRequired: false,
    }),
    kind: f.string(2, { doc: 'Kind of the object.', presence: 'always', required: true }),
    name: f.string(3, { doc: 'Name of the object.', presence: 'always', required: true }),
  },
  { mapType: 'atomic' },
);

export const TypedObjectReference = struct(
  'core.v1.TypedObjectReference',
  'Names an object with its kind.',
  {
    apiGroup: f.string(1, {
      doc: 'Group of the object; the core group when absent.',
      nullable: true,
      presence: 'always',
      openapiRequired: false,
    }),
    kind: f.string(2, { doc: 'Kind of the object.', presence: 'always', required: true }),
    name: f.string(3, { doc: 'Name of the object.', presence: 'always', required: true }),
    namespace: f.string(4, {
      doc: 'Namespace of the object; that of the referring object when empty.',
      presence: 'pointer',
      format: 'dns1123label',
      since: '1.26',
    }),
  },
  { formerly: { before: '1.26', schema: TypedLocalObjectReference } },
);
