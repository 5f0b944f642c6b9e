import { f, struct } from '@orch/schema';
import { ResourceRequirements } from '../resources.ts';
import { containerFields } from './container-fields.ts';
import { ContainerPort } from './container-parts.ts';
import { Lifecycle, Probe } from './probe.ts';
import { checkContainerParts } from './validation/container.ts';

const notAllowed = { doc: 'Not allowed.', presence: 'pointer', validatedIf: () => false } as const;

const EphemeralContainerCommon = struct(
  'core.v1.EphemeralContainerCommon',
  'Fields that ephemeral containers have in common with other containers.',
  containerFields({
    ports: f.list(6, ContainerPort, {
      doc: 'Not allowed.',
      listType: 'map',
      mapKeys: ['containerPort', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'containerPort',
    }),
    resources: f.struct(8, ResourceRequirements, {
      doc: 'Not allowed: the container shares the resources of the pod.',
      presence: 'always',
    }),
    livenessProbe: f.struct(10, Probe, notAllowed),
    readinessProbe: f.struct(11, Probe, notAllowed),
    startupProbe: f.struct(22, Probe, notAllowed),
    lifecycle: f.struct(12, Lifecycle, notAllowed),
  }),
  { checks: [checkContainerParts] },
);

export const EphemeralContainer = struct(
  'core.v1.EphemeralContainer',
  'A container that is added to a running pod for debugging. It is never restarted and cannot be removed.',
  {
    ephemeralContainerCommon: f.inline(1, EphemeralContainerCommon, {
      protoName: 'ephemeralContainerCommon',
    }),
    targetContainerName: f.string(2, { doc: 'Container whose process namespace it joins.' }),
  },
);
