import type { ApiObject } from '@orch/machinery';
import { asStrings, specOf, statusOf } from '@orch/machinery/json';
import { describer } from '../../describer.ts';
import { type Condition, describeTimedConditions } from '../../text/conditions.ts';
import { describeMetadata } from '../../text/metadata.ts';

export const serviceCidr = describer<ApiObject>({
  group: 'networking',
  kind: 'ServiceCIDR',
  versions: ['v1', 'v1beta1'],
  describe(out, object, { names }) {
    describeMetadata(out, { metadata: object.metadata, names }, false);
    out.field(0, 'CIDRs', asStrings(specOf(object)['cidrs']).join(', '));
    const conditions = statusOf(object)['conditions'] as readonly Condition[] | undefined;
    if ((conditions ?? []).length > 0) out.line(0, 'Status:');
    describeTimedConditions(out, conditions);
  },
});
