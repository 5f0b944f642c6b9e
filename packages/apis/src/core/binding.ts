import type * as core from '@orch/kinds/core';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType } from '../resource-type.ts';
import { ObjectReference } from './shared/references.ts';

/** Checks that the target of a binding is a node with a name. */
const checkBinding: Check<core.Binding> = (binding) => {
  const target = binding.target ?? {};
  const kind = target.kind ?? '';
  return [
    ...(kind === '' || kind === 'Node'
      ? []
      : [fieldError.notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...((target.name ?? '') === '' ? [fieldError.required('target.name')] : []),
  ];
};

export const Binding = struct(
  'core.v1.Binding',
  'Assigns an object to a node: the scheduler posts it for a pod.',
  {
    metadata: metadataField,
    target: f.struct(2, ObjectReference, {
      doc: 'Node that the object is assigned to.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
  { typeMeta: true, checks: [checkBinding] },
);

/** The older path that binds a pod to a node; the pod's name is the name of the Binding. */
export const bindings: ResourceType = defineResource({
  group: '',
  resource: 'bindings',
  kind: 'Binding',
  namespaced: true,
  verbs: ['create'],
  virtual: true,
  versions: [{ version: 'v1', schema: Binding }],
  strategy: strategyOf(),
});
