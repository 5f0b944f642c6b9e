import { fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asObject, asText } from '../../../read.ts';

/** A pod is bound to a node, and the node is named. */
export const checkBinding: Check = (binding) => {
  const target = asObject(binding['target']);
  const kind = asText(target['kind']);
  return [
    ...(kind === '' || kind === 'Node'
      ? []
      : [fieldError.notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(asText(target['name']) === '' ? [fieldError.required('target.name')] : []),
  ];
};
