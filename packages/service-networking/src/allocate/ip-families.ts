import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { type IpFamily, parseIp } from '@orch/machinery/net';
import { addressesOf, familiesOf, isHeadless, type ServiceSpec } from './service-spec.ts';

export interface FamilyRules {
  /** Address families of the cluster, the primary one first. */
  readonly cluster: readonly IpFamily[];
  /** Two addresses without `ipFamilyPolicy` are refused; earlier releases read them as a request for both families. */
  readonly needsPolicy: boolean;
}

const policyPath = 'spec.ipFamilyPolicy';
const several =
  "must be 'RequireDualStack' or 'PreferDualStack' when several `clusterIPs` or `ipFamilies` are given";

/**
 * Sets the families of a service in place: missing fields are derived from the requested addresses, the policy, and the
 * families of the cluster. Returns the violations.
 */
export function resolveFamilies(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  rules: FamilyRules,
): readonly FieldError[] {
  if (spec.type === 'ExternalName') return [];
  if (requestsBoth(spec)) {
    if (spec.ipFamilyPolicy === undefined && !rules.needsPolicy) spec.ipFamilyPolicy = 'RequireDualStack';
    if (spec.ipFamilyPolicy === undefined || spec.ipFamilyPolicy === 'SingleStack') {
      return [fieldError.invalid(policyPath, spec.ipFamilyPolicy ?? null, several)];
    }
  }
  // The cluster may have received a second family since; this write does not request it.
  if (old !== undefined && isUntouchedPreference(spec, old)) return [];
  return isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0
    ? resolveWithoutPods(spec, rules)
    : resolveWithPods(spec, old, rules);
}

const requestsBoth = (spec: ServiceSpec): boolean =>
  addressesOf(spec).length > 1 || familiesOf(spec).length > 1;

const isUntouchedPreference = (spec: ServiceSpec, old: ServiceSpec): boolean =>
  spec.ipFamilyPolicy === 'PreferDualStack' &&
  old.ipFamilyPolicy === 'PreferDualStack' &&
  familiesOf(spec).length > 0 &&
  jsonEquals(spec.ipFamilies, old.ipFamilies) &&
  jsonEquals(addressesOf(spec), addressesOf(old));

const otherFamily = (family: IpFamily): IpFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/** Its endpoints are written by others, who may use both families even if the cluster has one. */
function resolveWithoutPods(
  spec: ServiceSpec,
  { cluster: [main = 'IPv4'] }: FamilyRules,
): readonly FieldError[] {
  const [first = main, ...rest] = familiesOf(spec);
  const both = rest.length === 0 && spec.ipFamilyPolicy !== 'SingleStack';
  spec.ipFamilies = both ? [first, otherFamily(first)] : [first, ...rest];
  spec.ipFamilyPolicy ??= 'RequireDualStack';
  return [];
}

function resolveWithPods(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  { cluster }: FamilyRules,
): readonly FieldError[] {
  const policy = spec.ipFamilyPolicy ?? 'SingleStack';
  const { families, problems } = requestedFamilies(spec, old, cluster);
  if (policy === 'RequireDualStack' && cluster.length < 2 && old?.ipFamilyPolicy !== policy) {
    problems.push(
      fieldError.invalid(policyPath, policy, 'this cluster is not configured for dual-stack services'),
    );
  }
  if (problems.length > 0) return problems;
  const [main = 'IPv4'] = cluster;
  if (families.length === 0) families.push(main);
  const [first = main] = families;
  if (policy !== 'SingleStack' && families.length === 1 && cluster.includes(otherFamily(first))) {
    families.push(otherFamily(first));
  }
  spec.ipFamilies = families;
  spec.ipFamilyPolicy = policy;
  return [];
}

/** The requested families: explicit ones, and those of requested addresses. */
function requestedFamilies(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  cluster: readonly IpFamily[],
): { readonly families: IpFamily[]; readonly problems: FieldError[] } {
  const named = familiesOf(spec);
  const families = [...named];
  const problems: FieldError[] = [];
  const addresses = addressesOf(spec);
  for (const [i, address] of addresses.entries()) {
    const family = parseIp(address)?.family;
    if (family !== undefined) families[i] ??= family;
  }
  for (const [i, family] of families.entries()) {
    if (cluster.includes(family) || old?.ipFamilies?.includes(family) === true) continue;
    const why = `${family} is not configured on this cluster`;
    problems.push(
      i < named.length
        ? fieldError.invalid(`spec.ipFamilies[${i}]`, family, why)
        : fieldError.invalid(`spec.clusterIPs[${i}]`, addresses[i], why),
    );
  }
  return { families, problems };
}
