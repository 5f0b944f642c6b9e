import type { IngressClassParametersReference, IngressClassSpec } from '@orch/kinds/networking';
import { type FieldError, fieldError } from '@orch/machinery';
import { dns1123subdomain } from '@orch/machinery/formats';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../validation-rules.ts';

const MAX_BYTES = 250;
const pathPart = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** Checks a controller name: a domain, a slash and a path. */
export const checkController: Check<IngressClassSpec> = ({ controller }, { path }) => {
  const at = `${path}.controller`;
  const name = controller ?? '';
  if (name === '') return [fieldError.required(at)];
  const tooLong: readonly FieldError[] =
    Buffer.byteLength(name) > MAX_BYTES ? [fieldError.tooLong(at, MAX_BYTES)] : [];
  const slash = name.indexOf('/');
  const [domain, below] = [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)];
  if (domain === '' || below === '') {
    return [
      ...tooLong,
      fieldError.invalid(at, name, 'must be a domain-prefixed path (such as "acme.io/foo")'),
    ];
  }
  const errors = [...tooLong];
  const wrong = dns1123subdomain(domain);
  if (wrong !== undefined) errors.push(fieldError.invalid(at, domain, wrong));
  if (!pathPart.test(below)) {
    const why = `must consist of what may stand in the path of a URL (regex used for validation is '${pathPart.source}')`;
    errors.push(fieldError.invalid(at, below, why));
  }
  return errors;
};

/** Checks that references to namespaced objects have the name of a namespace, and others have none. */
export const checkParameters: Check<IngressClassParametersReference> = ({ scope, namespace }, { path }) => {
  const at = `${path}.namespace`;
  if (scope === 'Namespace') {
    return (namespace ?? undefined) === undefined
      ? [fieldError.required(at, "`parameters.scope` is set to 'Namespace'")]
      : checkFormat('dns1123label', at, namespace);
  }
  if (scope === 'Cluster' && namespace !== undefined) {
    return [fieldError.forbidden(at, "`parameters.scope` is set to 'Cluster'")];
  }
  return [];
};
