import { f, struct } from '@orch/schema';
import { metadataField, specField } from '../../meta/standard-fields.ts';
import { checkController, checkParameters } from './validation.ts';

export const IngressClassParametersReference = struct(
  'networking.v1.IngressClassParametersReference',
  'Names the object with the settings of a class.',
  {
    apiGroup: f.string(1, {
      doc: 'Group of the object; the core group when absent.',
      presence: 'pointer',
      protoName: 'aPIGroup',
      format: 'dns1123subdomain',
      emptyIsInvalid: true,
    }),
    kind: f.string(2, {
      doc: 'Kind of the object.',
      presence: 'always',
      required: true,
      format: 'pathSegment',
    }),
    name: f.string(3, {
      doc: 'Name of the object.',
      presence: 'always',
      required: true,
      format: 'pathSegment',
    }),
    scope: f.string(4, {
      doc: 'Cluster, or Namespace for an object of a namespace.',
      presence: 'always',
      nullable: true,
      openapiRequired: false,
      default: 'Cluster',
      enum: ['Cluster', 'Namespace'],
      openapiEnum: 'never',
      emptyIsInvalid: true,
      since: '1.22',
      gate: 'IngressClassNamespacedParams',
    }),
    namespace: f.string(5, {
      doc: 'Namespace of the object, when it has one.',
      presence: 'pointer',
      since: '1.22',
      gate: 'IngressClassNamespacedParams',
    }),
  },
  { checks: [checkParameters] },
);

export const IngressClassSpec = struct(
  'networking.v1.IngressClassSpec',
  'Controller and settings of a class.',
  {
    controller: f.string(1, {
      doc: 'Controller of the class, such as `example.com/ingress`; cannot change.',
      immutable: true,
    }),
    parameters: f.struct(2, IngressClassParametersReference, {
      doc: 'Object with the settings of the class.',
      presence: 'pointer',
    }),
  },
  { checks: [checkController] },
);

export const IngressClass = struct(
  'networking.v1.IngressClass',
  'A class of ingresses: those of one controller. An annotation makes one class the default.',
  {
    metadata: metadataField,
    spec: specField(IngressClassSpec),
  },
  { typeMeta: true },
);
