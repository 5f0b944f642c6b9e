import { type FieldError, fieldError, type IpFamily, jsonEquals, parseIp } from '@orch/machinery';
import { addressesOf, isHeadless, type ServiceSpec } from './service-spec.ts';

export interface FamilyRules {
  /** Families that the cluster has addresses of, the main one first. */
  readonly cluster: readonly IpFamily[];
  /** Two addresses without a policy are refused; earlier releases read a wish for both families from them. */
  readonly needsPolicy: boolean;
}

const policyPath = 'spec.ipFamilyPolicy';
const several =
  "must be 'RequireDualStack' or 'PreferDualStack' when several `clusterIPs` or `ipFamilies` are given";

/**
 * Decides on the families of a service, in place: what the client left open follows from the addresses it asked for,
 * from its policy, and from what the cluster has. Returns what cannot be.
 */
export function settleFamilies(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  rules: FamilyRules,
): readonly FieldError[] {
  if (spec.type === 'ExternalName') return [];
  if (asksForBoth(spec)) {
    if (spec.ipFamilyPolicy === undefined && !rules.needsPolicy) spec.ipFamilyPolicy = 'RequireDualStack';
    if (spec.ipFamilyPolicy === undefined || spec.ipFamilyPolicy === 'SingleStack') {
      return [fieldError.invalid(policyPath, spec.ipFamilyPolicy ?? null, several)];
    }
  }
  // The cluster may have got a second family since: nobody asked for it here.
  if (old !== undefined && isUntouchedPreference(spec, old)) return [];
  return isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0
    ? settleWithoutPods(spec, rules)
    : settleWithPods(spec, old, rules);
}

const asksForBoth = (spec: ServiceSpec): boolean =>
  addressesOf(spec).length > 1 || (spec.ipFamilies ?? []).length > 1;

const isUntouchedPreference = (spec: ServiceSpec, old: ServiceSpec): boolean =>
  spec.ipFamilyPolicy === 'PreferDualStack' &&
  old.ipFamilyPolicy === 'PreferDualStack' &&
  (spec.ipFamilies ?? []).length > 0 &&
  jsonEquals(spec.ipFamilies, old.ipFamilies) &&
  jsonEquals(addressesOf(spec), addressesOf(old));

const otherFamily = (family: IpFamily): IpFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/** Somebody else writes its endpoints, and may have both families where the cluster has one. */
function settleWithoutPods(
  spec: ServiceSpec,
  { cluster: [main = 'IPv4'] }: FamilyRules,
): readonly FieldError[] {
  const [first = main, ...rest] = spec.ipFamilies ?? [];
  const both = rest.length === 0 && spec.ipFamilyPolicy !== 'SingleStack';
  spec.ipFamilies = both ? [first, otherFamily(first)] : [first, ...rest];
  spec.ipFamilyPolicy ??= 'RequireDualStack';
  return [];
}

function settleWithPods(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  { cluster }: FamilyRules,
): readonly FieldError[] {
  const policy = spec.ipFamilyPolicy ?? 'SingleStack';
  const { families, problems } = familiesAskedFor(spec, old, cluster);
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

/** The families that a client named, or named addresses of. */
function familiesAskedFor(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  cluster: readonly IpFamily[],
): { readonly families: IpFamily[]; readonly problems: FieldError[] } {
  const named = spec.ipFamilies ?? [];
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
