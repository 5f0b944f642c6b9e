import type { ApiObject } from '@orch/machinery';
import { asText, objectAt, specOf } from '@orch/machinery/json';
import { describer } from '../../describer.ts';
import { describeMetadata } from '../../text/metadata.ts';

export const ipAddress = describer<ApiObject>({
  group: 'networking',
  kind: 'IPAddress',
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  describe(out, object, { names }) {
    describeMetadata(out, { metadata: object.metadata, names }, false);
    const parent = objectAt(specOf(object), 'parentRef');
    if (Object.keys(parent).length === 0) return;
    out.line(0, 'Parent Reference:');
    out.fields(1, {
      Group: asText(parent['group']),
      Resource: asText(parent['resource']),
      Namespace: asText(parent['namespace']),
      Name: asText(parent['name']),
    });
  },
});
