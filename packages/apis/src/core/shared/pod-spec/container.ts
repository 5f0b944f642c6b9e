import type { Names } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { f, struct } from '@orch/schema';
import { ResourceRequirements } from '../resources.ts';
import { containerFields } from './container-fields.ts';
import { ContainerPort } from './container-parts.ts';
import { Lifecycle, Probe } from './probe.ts';
import { checkContainer, hasProbes } from './validation/container.ts';

/** Reports whether the probes and actions of a container are validated. */
const runsOn = (container: JsonObject, _names: Names, path: string): boolean => hasProbes(path, container);

export const Container = struct(
  'core.v1.Container',
  'A program to run in a pod, with its image, environment and resources.',
  containerFields({
    ports: f.list(6, ContainerPort, {
      doc: 'Ports it listens on, for information.',
      listType: 'map',
      mapKeys: ['containerPort', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'containerPort',
      uniqueBy: 'name',
    }),
    resources: f.struct(8, ResourceRequirements, {
      doc: 'Compute resources it needs and may use.',
      presence: 'always',
    }),
    livenessProbe: f.struct(10, Probe, {
      doc: 'When it fails, the container is restarted.',
      presence: 'pointer',
      validatedIf: runsOn,
    }),
    readinessProbe: f.struct(11, Probe, {
      doc: 'While it fails, the pod receives no traffic from services.',
      presence: 'pointer',
      validatedIf: runsOn,
    }),
    startupProbe: f.struct(22, Probe, {
      doc: 'Until it succeeds, the other probes wait.',
      presence: 'pointer',
      validatedIf: runsOn,
      since: '1.18',
      gate: 'StartupProbe',
    }),
    lifecycle: f.struct(12, Lifecycle, {
      doc: 'Actions after the start and before the termination.',
      presence: 'pointer',
      validatedIf: runsOn,
    }),
  }),
  { checks: [checkContainer] },
);
