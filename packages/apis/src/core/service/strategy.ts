import { type ApiObject, type FieldError, jsonEquals } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import { asObject, asObjects, asStrings, asText, type JsonObject, specOf, statusOf } from '../../read.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { checkLoadBalancer } from '../shared/validation/load-balancer.ts';
import { validateService } from './validation/spec.ts';
import { validateServiceUpdate } from './validation/update.ts';

type Spec = Record<string, unknown>;

const mutableSpec = (service: ApiObject): Spec => specOf(service) as Spec;

export const needsClusterIp = (spec: JsonObject): boolean => spec['type'] !== 'ExternalName';

const isAlias = (spec: JsonObject): boolean => spec['type'] === 'ExternalName';

const needsNodePort = (spec: JsonObject): boolean =>
  spec['type'] === 'NodePort' ||
  (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);

const isLoadBalancer = (spec: JsonObject): boolean => spec['type'] === 'LoadBalancer';

const opensToOutside = (spec: JsonObject): boolean => spec['type'] === 'NodePort' || isLoadBalancer(spec);

const needsHealthCheckPort = (spec: JsonObject): boolean =>
  isLoadBalancer(spec) && spec['externalTrafficPolicy'] === 'Local';

/** Copies members that the client left empty. */
function fill(spec: Spec, old: JsonObject, members: readonly string[]): void {
  for (const member of members) {
    const value = spec[member];
    const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (empty && old[member] !== undefined) spec[member] = old[member];
  }
}

/** What was allocated stays allocated when a client sends an object that does not know of it. */
function keepAllocated(spec: Spec, old: JsonObject): void {
  if (needsClusterIp(spec) && needsClusterIp(old)) {
    fill(spec, old, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']);
    dropSecondFamily(spec, old);
  }
  if (needsNodePort(spec) && needsNodePort(old)) keepNodePorts(spec, old);
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(old)) fill(spec, old, ['healthCheckNodePort']);
}

const wantsBothFamilies = (spec: JsonObject): boolean =>
  spec['ipFamilyPolicy'] === 'PreferDualStack' || spec['ipFamilyPolicy'] === 'RequireDualStack';

/** Who wants one family only gives back what belongs to the second. */
function dropSecondFamily(spec: Spec, old: JsonObject): void {
  if (!wantsBothFamilies(old) || spec['ipFamilyPolicy'] !== 'SingleStack') return;
  for (const member of ['clusterIPs', 'ipFamilies']) {
    const values = asStrings(spec[member]);
    if (values.length > 1 && jsonEquals(values, old[member])) spec[member] = values.slice(0, 1);
  }
}

const portKey = (port: JsonObject): string => `${asText(port['protocol'])}/${port['port']}`;

function keepNodePorts(spec: Spec, old: JsonObject): void {
  const ports = asObjects(spec['ports']) as readonly Spec[];
  const taken = new Set(ports.map((port) => port['nodePort']));
  const before = new Map(asObjects(old['ports']).map((port) => [portKey(port), port['nodePort']]));
  for (const port of ports) {
    if (port['nodePort'] !== undefined) continue;
    const number = before.get(portKey(port));
    if (number === undefined || taken.has(number)) continue;
    port['nodePort'] = number;
    taken.add(number);
  }
}

/** Members that a type needs no longer, when the client has changed the type and left them as they were. */
function dropUseless(spec: Spec, old: JsonObject): void {
  const drop = (needs: (spec: JsonObject) => boolean, ...members: readonly string[]): void => {
    if (!needs(old) || needs(spec)) return;
    if (members.every((member) => jsonEquals(spec[member], old[member])))
      for (const member of members) delete spec[member];
  };
  drop(needsClusterIp, 'clusterIP', 'clusterIPs');
  drop(needsClusterIp, 'ipFamilies');
  drop(needsClusterIp, 'ipFamilyPolicy');
  drop(isAlias, 'externalName');
  if (needsNodePort(old) && !needsNodePort(spec) && sameNodePorts(spec, old)) {
    for (const port of asObjects(spec['ports']) as readonly Spec[]) delete port['nodePort'];
  }
  drop(needsHealthCheckPort, 'healthCheckNodePort');
  drop(isLoadBalancer, 'allocateLoadBalancerNodePorts');
  drop(isLoadBalancer, 'loadBalancerClass');
  drop(opensToOutside, 'externalTrafficPolicy');
}

function sameNodePorts(spec: JsonObject, old: JsonObject): boolean {
  const before = new Set(asObjects(old['ports']).map((port) => port['nodePort']));
  return asObjects(spec['ports']).every(
    (port) => port['nodePort'] === undefined || before.has(port['nodePort']),
  );
}

/** Clients that know only `clusterIP`, and releases that have nothing else, change both members with it. */
function normalizeClusterIps(spec: Spec, old: JsonObject | undefined): void {
  const single = asText(spec['clusterIP']);
  const all = asStrings(spec['clusterIPs']);
  const changedAlone =
    old !== undefined && single !== asText(old['clusterIP']) && jsonEquals(all, asStrings(old['clusterIPs']));
  if (changedAlone && single === '') delete spec['clusterIPs'];
  else if (changedAlone || (single !== '' && all.length === 0)) spec['clusterIPs'] = [single];
}

/** A load balancer accepts traffic at addresses or at names. */
const validateServiceStatus = (next: ApiObject): readonly FieldError[] =>
  checkLoadBalancer('status.loadBalancer', asObject(statusOf(next)['loadBalancer']));

export const serviceStrategy: Strategy = strategyOf({
  createOnUpdate: true,
  resetStatus: true,
  deleteReturns: 'object',
  prepareForCreate(next) {
    next['status'] = { loadBalancer: {} };
    normalizeClusterIps(mutableSpec(next), undefined);
  },
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    const spec = mutableSpec(next);
    const before = specOf(old);
    keepAllocated(spec, before);
    dropUseless(spec, before);
    normalizeClusterIps(spec, before);
  },
  validate: (next, old, { names }) => [
    ...(old === undefined ? [] : validateServiceUpdate(next, old)),
    ...validateService(next, names),
  ],
  through: { status: statusRules(validateServiceStatus) },
});
