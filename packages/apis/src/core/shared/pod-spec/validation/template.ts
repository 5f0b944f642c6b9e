import { fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asObjects, specOf } from '../../../../read.ts';

/** Containers for looking into a pod are added to the pod itself, never planned. */
export const checkPodTemplate: Check = (template, { path }) =>
  asObjects(specOf(template)['ephemeralContainers']).length === 0
    ? []
    : [
        fieldError.forbidden(
          `${path}.spec.ephemeralContainers`,
          'ephemeral containers not allowed in pod template',
        ),
      ];
