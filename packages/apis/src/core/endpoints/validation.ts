import { type ApiObject, type FieldError, fieldError } from '@orch/machinery';
import { asObjects, asText, type JsonObject } from '../../read.ts';

/** Subsets have addresses, and names for their ports where there are several. */
export const validateEndpoints = (next: ApiObject): readonly FieldError[] =>
  asObjects(next['subsets']).flatMap((subset, i) => checkSubset(`subsets[${i}]`, subset));

function checkSubset(path: string, subset: JsonObject): readonly FieldError[] {
  const ports = asObjects(subset['ports']);
  const serving = asObjects(subset['addresses']).length + asObjects(subset['notReadyAddresses']).length;
  const errors: FieldError[] = [];
  if (serving === 0)
    errors.push(fieldError.required(path, 'must specify `addresses` or `notReadyAddresses`'));
  ports.forEach((port, i) => {
    if (ports.length > 1 && asText(port['name']) === '')
      errors.push(fieldError.required(`${path}.ports[${i}].name`));
  });
  return errors;
}
