import { type ApiObject, type FieldError, fieldError } from '@orch/machinery';
import { asStrings, asText, type JsonObject, specOf } from '../../../read.ts';

const unchangeable = 'may not change once set';

/** Addresses, families and the load balancer's class stay, except for services that become, or were, an alias. */
export function validateServiceUpdate(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const spec = specOf(next);
  const before = specOf(old);
  const errors = [...checkClass(spec, before), ...checkHealthCheckPort(spec, before)];
  if (spec['type'] === 'ExternalName' || before['type'] === 'ExternalName') return errors;
  return [
    ...checkList('clusterIPs', 'primary clusterIP can not be unset', spec, before),
    ...checkList('ipFamilies', 'primary ipFamily can not be unset', spec, before),
    ...errors,
  ];
}

/** The first entry stays; a second one may come, and go with a policy that says so. */
function checkList(member: string, unset: string, spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const after = asStrings(spec[member]);
  const before = valuesBefore(member, old);
  if (before.length === 0) return [];
  const first = `spec.${member}[0]`;
  if (after.length === 0) return [fieldError.invalid(first, after, unset)];
  const errors: FieldError[] = [];
  if (after[0] !== before[0]) errors.push(fieldError.invalid(first, after[0], unchangeable));
  if (before.length < 2) return errors;
  if (after.length < 2) {
    if (spec['ipFamilyPolicy'] !== 'SingleStack') {
      const why = "must be set to 'SingleStack' to release the secondary one";
      errors.push(fieldError.invalid('spec.ipFamilyPolicy', spec['ipFamilyPolicy'] ?? null, why));
    }
  } else if (after[1] !== before[1])
    errors.push(fieldError.invalid(`spec.${member}[1]`, after[1], unchangeable));
  return errors;
}

/** Releases without `clusterIPs` have stored the one address alone. */
function valuesBefore(member: string, old: JsonObject): readonly string[] {
  const values = asStrings(old[member]);
  const single = asText(old['clusterIP']);
  return member === 'clusterIPs' && values.length === 0 && single !== '' ? [single] : values;
}

function checkClass(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (spec['type'] !== 'LoadBalancer' || old['type'] !== 'LoadBalancer') return [];
  const after = asText(spec['loadBalancerClass']);
  if (after === asText(old['loadBalancerClass'])) return [];
  return [fieldError.invalid('spec.loadBalancerClass', after, unchangeable)];
}

const checksHealth = (spec: JsonObject): boolean =>
  spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';

function checkHealthCheckPort(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (!checksHealth(spec) || !checksHealth(old)) return [];
  const { healthCheckNodePort: port } = spec;
  const { healthCheckNodePort: before } = old;
  if (before === undefined || port === before) return [];
  return [fieldError.invalid('spec.healthCheckNodePort', port ?? 0, 'field is immutable')];
}
