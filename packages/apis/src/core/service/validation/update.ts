import type { Service, ServiceSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';

const unchangeable = 'may not change once set';

/**
 * Checks that addresses, families and the load balancer class are unchanged, except for services that become, or were,
 * of type ExternalName.
 */
export function validateServiceUpdate(next: Service, old: Service): readonly FieldError[] {
  const spec = next.spec ?? {};
  const before = old.spec ?? {};
  const errors = [...checkClass(spec, before), ...checkHealthCheckPort(spec, before)];
  if (spec.type === 'ExternalName' || before.type === 'ExternalName') return errors;
  return [
    ...checkList('clusterIPs', 'primary clusterIP can not be unset', spec, before),
    ...checkList('ipFamilies', 'primary ipFamily can not be unset', spec, before),
    ...errors,
  ];
}

/** The first entry is immutable; a second one may be added, and removed by a change of the policy. */
type AddressList = 'clusterIPs' | 'ipFamilies';

function checkList(
  field: AddressList,
  unset: string,
  spec: ServiceSpec,
  old: ServiceSpec,
): readonly FieldError[] {
  const after = spec[field] ?? [];
  const before = valuesBefore(field, old);
  if (before.length === 0) return [];
  const first = `spec.${field}[0]`;
  if (after.length === 0) return [fieldError.invalid(first, after, unset)];
  const errors: FieldError[] = [];
  if (after[0] !== before[0]) errors.push(fieldError.invalid(first, after[0], unchangeable));
  if (before.length < 2) return errors;
  if (after.length < 2) {
    if (spec.ipFamilyPolicy !== 'SingleStack') {
      const why = "must be set to 'SingleStack' to release the secondary one";
      errors.push(fieldError.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy ?? null, why));
    }
  } else if (after[1] !== before[1])
    errors.push(fieldError.invalid(`spec.${field}[1]`, after[1], unchangeable));
  return errors;
}

/** Releases without `clusterIPs` have stored the one address alone. */
function valuesBefore(field: AddressList, old: ServiceSpec): readonly string[] {
  const values = old[field] ?? [];
  const single = old.clusterIP ?? '';
  return field === 'clusterIPs' && values.length === 0 && single !== '' ? [single] : values;
}

function checkClass(spec: ServiceSpec, old: ServiceSpec): readonly FieldError[] {
  if (spec.type !== 'LoadBalancer' || old.type !== 'LoadBalancer') return [];
  const after = spec.loadBalancerClass ?? '';
  if (after === (old.loadBalancerClass ?? '')) return [];
  return [fieldError.invalid('spec.loadBalancerClass', after, unchangeable)];
}

const checksHealth = (spec: ServiceSpec): boolean =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

function checkHealthCheckPort(spec: ServiceSpec, old: ServiceSpec): readonly FieldError[] {
  if (!checksHealth(spec) || !checksHealth(old)) return [];
  const { healthCheckNodePort: port } = spec;
  const { healthCheckNodePort: before } = old;
  if (before === undefined || port === before) return [];
  return [fieldError.forbidden('spec.healthCheckNodePort', 'field is immutable')];
}
