import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ParentReference = struct(
  'networking.v1alpha1.ParentReference',
  'Names the object that an address belongs to.',
  {
    group: f.string(1, {
      doc: 'Group of the resource; empty for the core group.',
      format: 'dns1123subdomain',
    }),
    resource: f.string(2, { doc: 'Resource, such as services.', required: true, format: 'pathSegment' }),
    namespace: f.string(3, { doc: 'Namespace of the object, when it has one.', format: 'pathSegment' }),
    name: f.string(4, { doc: 'Name of the object.', required: true, format: 'pathSegment' }),
    uid: f.string(5, { doc: 'Identity of the object.' }),
  },
);

export const IPAddressSpec = struct('networking.v1alpha1.IPAddressSpec', 'Who has the address.', {
  parentRef: f.struct(1, ParentReference, {
    doc: 'Object that the address belongs to; cannot change.',
    presence: 'pointer',
    required: true,
    immutable: true,
  }),
});

export const IPAddress = struct(
  'networking.v1alpha1.IPAddress',
  'An address that is taken. Its name is the address in its shortest form.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, IPAddressSpec, { doc: 'What its owner wants.', presence: 'always' }),
  },
  { typeMeta: true },
);
