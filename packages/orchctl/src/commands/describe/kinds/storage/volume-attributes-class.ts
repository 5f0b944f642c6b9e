import type { ApiObject } from '@orch/machinery';
import { asStringMap, asText } from '@orch/machinery/json';
import { describer } from '../../describer.ts';
import { mapText } from '../../text/values.ts';

export const volumeAttributesClass = describer<ApiObject>({
  group: 'storage',
  kind: 'VolumeAttributesClass',
  versions: ['v1', 'v1beta1'],
  describe(out, object) {
    out.fields(0, {
      Name: object.metadata.name,
      Annotations: mapText(object.metadata.annotations),
      DriverName: asText(object['driverName']),
      Parameters: mapText(asStringMap(object['parameters'])),
    });
  },
});
