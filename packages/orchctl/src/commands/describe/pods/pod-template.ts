import type { kinds } from '@orch/client';
import type { Names } from '@orch/machinery';
import type { Description } from '../text/description.ts';
import { describeAnnotations } from '../text/metadata.ts';
import { pairsOf } from '../text/values.ts';
import { describeContainers } from './containers.ts';
import { describeSpread, describeTolerations } from './scheduling.ts';
import { describeVolumes } from './volumes.ts';

const MARGIN = '  ';

/** The template of the pods of a workload. */
export function describePodTemplate(
  out: Description,
  template: kinds.core.PodTemplateSpec | undefined,
  names: Names,
): void {
  out.line(0, 'Pod Template:');
  if (template === undefined) {
    out.raw('  <unset>');
    return;
  }
  const { metadata = {}, spec = { containers: [] } } = template;
  out.list('  Labels', pairsOf(metadata.labels));
  if (Object.keys(metadata.annotations ?? {}).length > 0)
    describeAnnotations(out, { metadata, names }, '  Annotations');
  if (spec.serviceAccountName) out.field(1, 'Service Account', spec.serviceAccountName);
  const { initContainers = [] } = spec;
  if (initContainers.length > 0)
    describeContainers(out, { title: 'Init Containers', containers: initContainers, margin: MARGIN });
  describeContainers(out, { title: 'Containers', containers: spec.containers ?? [], margin: MARGIN });
  describeVolumes(out, { volumes: spec.volumes, names }, MARGIN);
  describeSpread(out, spec.topologySpreadConstraints, MARGIN);
  if (spec.priorityClassName) out.field(1, 'Priority Class Name', spec.priorityClassName);
  out.list('  Node-Selectors', pairsOf(spec.nodeSelector));
  describeTolerations(out, spec.tolerations, MARGIN);
}
