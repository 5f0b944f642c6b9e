import type { Service, ServiceSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { cidr, validateFormat } from '@orch/machinery/formats';
import { rangeFormatIn } from '../../../address-formats.ts';
import type { StrategyContext } from '../../../resource-type.ts';
import { checkFormat, checkLabelMap } from '../../../validation-rules.ts';
import { isReachedFromOutside } from '../reach.ts';
import { checkClusterIps } from './addresses.ts';
import { checkServicePorts } from './ports.ts';
import { checkTopologyKeys } from './topology-keys.ts';

type RuleContext = Pick<StrategyContext, 'names' | 'since'>;

/** Checks the rules of a service that span fields. */
export function validateService(service: Service, { names, since }: RuleContext): readonly FieldError[] {
  const spec = service.spec ?? {};
  return [
    ...checkServicePorts('spec.ports', spec, since),
    ...checkExternalName(spec),
    ...checkLabelMap('spec.selector', spec.selector),
    ...checkClusterIps(spec),
    ...checkSourceRanges(service, spec, { names, since }),
    ...checkLoadBalancerFields(spec),
    ...checkTrafficPolicy(spec, since),
    ...checkTopologyKeys(spec),
  ];
}

/** Checks that a service of type ExternalName has an external name and no cluster IPs. */
function checkExternalName(spec: ServiceSpec): readonly FieldError[] {
  if (spec.type !== 'ExternalName') return [];
  const name = spec.externalName ?? '';
  const forbidden: string[] = (['ipFamilies', 'ipFamilyPolicy'] as const).filter(
    (name) => spec[name] !== undefined,
  );
  if ((spec.clusterIPs ?? []).length > 0) forbidden.unshift('clusterIPs');
  return [
    ...forbidden.map((field) =>
      fieldError.forbidden(`spec.${field}`, 'may not be set for ExternalName services'),
    ),
    ...(name === ''
      ? [fieldError.required('spec.externalName')]
      : checkFormat('dns1123subdomain', 'spec.externalName', name.replace(/\.$/, ''))),
  ];
}

/** Checks the client addresses that a load balancer allows: in the spec, or in the older annotation. */
function checkSourceRanges(
  service: Service,
  spec: ServiceSpec,
  { names, since }: RuleContext,
): readonly FieldError[] {
  const key = names.annotations.loadBalancerSourceRanges;
  const annotation = service.metadata.annotations?.[key];
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length === 0 && annotation === undefined) return [];
  // Compatible spelling of the field.
  const path = ranges.length > 0 ? 'spec.LoadBalancerSourceRanges' : `metadata.annotations[${key}]`;
  const listed =
    ranges.length > 0 ? ranges : (annotation ?? '').split(',').filter((range) => range.trim() !== '');
  const errors: FieldError[] = [];
  if (spec.type !== 'LoadBalancer') {
    errors.push(fieldError.forbidden(path, "may only be used when `type` is 'LoadBalancer'"));
  }
  if (ranges.length > 0 && since('1.30'))
    return [...errors, ...checkRanges(path, ranges, rangeFormatIn(since))];
  if (listed.some((range) => cidr(range.trim()) !== undefined)) {
    const why = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24';
    errors.push(fieldError.invalid(path, listed, why));
  }
  return errors;
}

const checkRanges = (path: string, ranges: readonly string[], format: string): readonly FieldError[] =>
  ranges.flatMap((range, i) => {
    const wrong = validateFormat(format, range.trim());
    return wrong === undefined ? [] : [fieldError.invalid(`${path}[${i}]`, range, wrong)];
  });

function checkLoadBalancerFields(spec: ServiceSpec): readonly FieldError[] {
  if (spec.type === 'LoadBalancer') return [];
  return (['allocateLoadBalancerNodePorts', 'loadBalancerClass'] as const)
    .filter((field) => spec[field] !== undefined)
    .map((field) => fieldError.forbidden(`spec.${field}`, "may only be used when `type` is 'LoadBalancer'"));
}

const policies = ['Cluster', 'Local'];

/** External traffic reaches only services that are open to it. */
function checkTrafficPolicy(spec: ServiceSpec, since: RuleContext['since']): readonly FieldError[] {
  const errors: FieldError[] = [];
  const policy = spec.externalTrafficPolicy ?? '';
  const path = 'spec.externalTrafficPolicy';
  const isOpen = isReachedFromOutside(spec, since);
  if (policy !== '' && !policies.includes(policy) && (isOpen || !since('1.24'))) {
    errors.push(
      since('1.23')
        ? fieldError.notSupported(path, policy, policies)
        : fieldError.invalid(path, policy, 'must be empty, Cluster or Local'),
    );
  }
  if (policy !== '' && !isOpen) {
    const where = since('1.29')
      ? 'may only be set for externally-accessible services'
      : "may only be set when `type` is 'NodePort' or 'LoadBalancer'";
    errors.push(fieldError.invalid(path, policy, where));
  }
  const port = spec.healthCheckNodePort;
  const checksHealth = spec.type === 'LoadBalancer' && policy === 'Local';
  if (port !== undefined && port !== 0 && !checksHealth) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(fieldError.invalid('spec.healthCheckNodePort', port, why));
  } else if (port !== undefined && port !== 0)
    errors.push(...checkFormat('portNumber', 'spec.healthCheckNodePort', port));
  return errors;
}
