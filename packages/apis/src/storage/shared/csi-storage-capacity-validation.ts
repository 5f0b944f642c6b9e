import { fieldError, parseQuantity, quantitySign } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asText } from '../../read.ts';
import { checkFormat } from '../../validation-rules.ts';

/** The class has a name, and amounts are not below nothing. */
export const checkCapacities: Check = (report) => [
  ...checkFormat('dns1123subdomain', 'storageClassName', asText(report['storageClassName'])),
  ...(['capacity', 'maximumVolumeSize'] as const).flatMap((member) => {
    const text = asText(report[member]);
    if (text === '' || quantitySign(parseQuantity(text)) >= 0) return [];
    return [fieldError.invalid(member, text, 'must be greater than or equal to 0')];
  }),
];
