import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { timeText } from '../../text/times.ts';
import { goText } from '../../text/values.ts';

export const csiNode = describer<kinds.storage.CSINode>({
  group: 'storage',
  kind: 'CSINode',
  versions: ['v1'],
  describe(out, { metadata, spec }, { names }) {
    describeMetadata(out, { metadata, names }, false);
    out.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
    out.line(0, 'Spec:');
    const drivers = spec?.drivers;
    if (drivers === undefined || drivers === null) return;
    out.line(1, 'Drivers:');
    for (const { name, nodeID, allocatable, topologyKeys } of drivers) {
      out.line(2, `${name}:`);
      out.field(3, 'Node ID', nodeID);
      if (allocatable?.count !== undefined) {
        out.line(3, 'Allocatables:');
        out.field(4, 'Count', allocatable.count);
      }
      if (topologyKeys !== undefined && topologyKeys !== null)
        out.field(3, 'Topology Keys', goText(topologyKeys));
    }
  },
});
