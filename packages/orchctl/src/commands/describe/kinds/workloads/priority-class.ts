import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { mapText } from '../../text/values.ts';

export const priorityClass = describer<kinds.scheduling.PriorityClass>({
  group: 'scheduling',
  kind: 'PriorityClass',
  versions: ['v1'],
  describe(out, object) {
    out.fields(0, {
      Name: object.metadata.name,
      Value: object.value,
      GlobalDefault: object.globalDefault ?? false,
      PreemptionPolicy: object.preemptionPolicy ?? '',
      Description: object.description ?? '',
      Annotations: mapText(object.metadata.annotations),
    });
  },
});
