import type { Service, ServicePort, ServiceSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { loadBalancerWarnings } from '../shared/load-balancer-warnings.ts';
import { checkLoadBalancer } from '../shared/validation/load-balancer.ts';
import { isReachedFromOutside } from './reach.ts';
import { validateService } from './validation/spec.ts';
import { validateServiceUpdate } from './validation/update.ts';
import { serviceWarnings } from './warnings.ts';

type Spec = Draft<ServiceSpec>;
type FieldName = keyof ServiceSpec;

const needsClusterIp = (spec: ServiceSpec): boolean => spec.type !== 'ExternalName';

const isAlias = (spec: ServiceSpec): boolean => spec.type === 'ExternalName';

/** An alias has no policy for traffic from inside; a value that no service can have is left to validation. */
function dropPolicyOfAlias(spec: Spec, since: StrategyContext['since']): void {
  const { internalTrafficPolicy = '' } = spec;
  if (isAlias(spec) && since('1.24') && ['Cluster', 'Local'].includes(internalTrafficPolicy))
    delete spec.internalTrafficPolicy;
}

const needsNodePort = (spec: ServiceSpec): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

const isLoadBalancer = (spec: ServiceSpec): boolean => spec.type === 'LoadBalancer';

const needsHealthCheckPort = (spec: ServiceSpec): boolean =>
  isLoadBalancer(spec) && spec.externalTrafficPolicy === 'Local';

/** Copies fields that the client left empty. */
function fill(spec: Spec, old: ServiceSpec, names: readonly FieldName[]): void {
  for (const name of names) {
    const value = spec[name];
    const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (empty && old[name] !== undefined) Object.assign(spec, { [name]: old[name] });
  }
}

/** Restores allocated values that the client's object lacks. */
function keepAllocated(spec: Spec, old: ServiceSpec): void {
  if (needsClusterIp(spec) && needsClusterIp(old)) {
    fill(spec, old, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']);
    dropSecondFamily(spec, old);
  }
  if (needsNodePort(spec) && needsNodePort(old)) keepNodePorts(spec, old);
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(old)) fill(spec, old, ['healthCheckNodePort']);
}

const wantsBothFamilies = (spec: ServiceSpec): boolean =>
  spec.ipFamilyPolicy === 'PreferDualStack' || spec.ipFamilyPolicy === 'RequireDualStack';

/** A Service that requests one family releases the addresses and ports of the second. */
function dropSecondFamily(spec: Spec, old: ServiceSpec): void {
  if (!wantsBothFamilies(old) || spec.ipFamilyPolicy !== 'SingleStack') return;
  for (const name of ['clusterIPs', 'ipFamilies'] as const) {
    const values = spec[name] ?? [];
    if (values.length > 1 && jsonEquals(values, old[name])) spec[name] = values.slice(0, 1);
  }
}

const portKey = (port: ServicePort): string => `${port.protocol ?? ''}/${port.port}`;

function keepNodePorts(spec: Spec, old: ServiceSpec): void {
  const ports = spec.ports ?? [];
  const taken = new Set(ports.map((port) => port.nodePort));
  const before = new Map((old.ports ?? []).map((port) => [portKey(port), port.nodePort]));
  for (const port of ports) {
    if (port.nodePort !== undefined) continue;
    const number = before.get(portKey(port));
    if (number === undefined || taken.has(number)) continue;
    port.nodePort = number;
    taken.add(number);
  }
}

/** Removes fields that the new type does not use, when the client has changed the type and left them unchanged. */
function dropUseless(spec: Spec, old: ServiceSpec, since: StrategyContext['since']): void {
  const drop = (needs: (spec: ServiceSpec) => boolean, ...names: readonly FieldName[]): void => {
    if (!needs(old) || needs(spec)) return;
    if (names.every((name) => jsonEquals(spec[name], old[name]))) for (const name of names) delete spec[name];
  };
  drop(needsClusterIp, 'clusterIP', 'clusterIPs');
  drop(needsClusterIp, 'ipFamilies');
  drop(needsClusterIp, 'ipFamilyPolicy');
  drop(isAlias, 'externalName');
  if (needsNodePort(old) && !needsNodePort(spec) && sameNodePorts(spec, old)) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  drop(needsHealthCheckPort, 'healthCheckNodePort');
  drop(isLoadBalancer, 'allocateLoadBalancerNodePorts');
  drop(isLoadBalancer, 'loadBalancerClass');
  drop((one) => isReachedFromOutside(one, since), 'externalTrafficPolicy');
}

function sameNodePorts(spec: ServiceSpec, old: ServiceSpec): boolean {
  const before = new Set((old.ports ?? []).map((port) => port.nodePort));
  return (spec.ports ?? []).every((port) => port.nodePort === undefined || before.has(port.nodePort));
}

/** A change of `clusterIP` alone, by clients or releases without `clusterIPs`, changes both fields. */
function normalizeClusterIps(spec: Spec, old: ServiceSpec | undefined): void {
  const single = spec.clusterIP ?? '';
  const all = spec.clusterIPs ?? [];
  const changedAlone =
    old !== undefined && single !== (old.clusterIP ?? '') && jsonEquals(all, old.clusterIPs ?? []);
  if (changedAlone && single === '') delete spec.clusterIPs;
  else if (changedAlone || (single !== '' && all.length === 0)) spec.clusterIPs = [single];
}

/** Checks that a load balancer has either an address or a name. */
function validateServiceStatus(
  next: Service,
  old: Service,
  { since }: StrategyContext,
): readonly FieldError[] {
  const { loadBalancer = {} } = next.status ?? {};
  const isMisplaced = next.spec?.type !== 'LoadBalancer' && (loadBalancer.ingress ?? []).length > 0;
  if (!isMisplaced || !since('1.29'))
    return checkLoadBalancer('status.loadBalancer', loadBalancer, { old: old.status?.loadBalancer, since });
  const why = "may only be used when `spec.type` is 'LoadBalancer'";
  return [fieldError.forbidden('status.loadBalancer.ingress', why)];
}

export const serviceStrategy: Strategy<Service> = strategyOf<Service>({
  createOnUpdate: true,
  resetStatus: true,
  deleteReturns: 'object',
  prepareForCreate(next, { since }) {
    next.status = { loadBalancer: {} };
    next.spec ??= {};
    dropPolicyOfAlias(next.spec, since);
    normalizeClusterIps(next.spec, undefined);
  },
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    next.spec ??= {};
    const { spec } = next;
    const before = old.spec ?? {};
    keepAllocated(spec, before);
    dropUseless(spec, before, context.since);
    dropPolicyOfAlias(spec, context.since);
    normalizeClusterIps(spec, before);
  },
  validate: (next, old, context) => [
    ...(old === undefined ? [] : validateServiceUpdate(next, old)),
    ...validateService(next, context),
  ],
  warnings: serviceWarnings,
  through: {
    status: {
      ...statusRules(validateServiceStatus),
      warnings: loadBalancerWarnings,
    },
  },
});
