import type * as core from '@orch/kinds/core';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { specField } from '../../../meta/standard-fields.ts';
import { PodSpec } from './spec.ts';
import { checkProfileAnnotations } from './validation/profile-annotations.ts';

/** Ephemeral containers are added to a running pod, and are never part of a template. */
const checkPodTemplate: Check<core.PodTemplateSpec> = (template, { path, old, names }) => {
  const annotations = checkProfileAnnotations(`${path}.`, template, old, names);
  return (template.spec?.ephemeralContainers ?? []).length === 0
    ? annotations
    : [
        ...annotations,
        fieldError.forbidden(
          `${path}.spec.ephemeralContainers`,
          'ephemeral containers not allowed in pod template',
        ),
      ];
};

export const PodTemplateSpec = struct(
  'core.v1.PodTemplateSpec',
  'Metadata and specification of the pods that are created from it.',
  {
    metadata: f.struct(1, ObjectMeta, { doc: 'Labels and annotations of the pods.', presence: 'always' }),
    spec: specField(PodSpec),
  },
  { checks: [checkPodTemplate] },
);
