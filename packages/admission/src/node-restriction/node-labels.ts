import type { Names } from '@orch/machinery';

type Labels = Readonly<Record<string, string>>;

/**
 * The labels that a node sets, changes or removes without permission, sorted. Below the domains of the product it may set
 * the labels of a node agent (name, zone, hardware, system) and those below the two domains of nodes; those below
 * `node-restriction.` are reserved for administrators. Labels below other domains are not restricted.
 */
export function forbiddenLabels(next: Labels, old: Labels, names: Names): readonly string[] {
  const changed = new Set([...Object.keys(next), ...Object.keys(old)]);
  return [...changed].filter((key) => next[key] !== old[key] && isForbidden(key, names)).sort();
}

function isForbidden(key: string, names: Names): boolean {
  const slash = key.indexOf('/');
  if (slash === -1) return false;
  const domain = key.slice(0, slash);
  const { labelPrefixes } = names;
  if (isBelow(domain, domainOf(labelPrefixes.nodeRestriction))) return true;
  const own = [domainOf(labelPrefixes.domain), labelPrefixes.apiDomain];
  if (!own.some((one) => isBelow(domain, one))) return false;
  return !isSetByNodeAgent(key, names) && !agentDomains(names).some((one) => isBelow(domain, one));
}

const isBelow = (domain: string, of: string): boolean => domain === of || domain.endsWith(`.${of}`);

const domainOf = (prefix: string): string => prefix.replace(/\/$/, '');

const agentDomains = ({ labelPrefixes }: Names): readonly string[] => [
  labelPrefixes.nodeagentDomain,
  labelPrefixes.nodeDomain,
];

function isSetByNodeAgent(key: string, { labels }: Names): boolean {
  return [
    labels.hostname,
    labels.arch,
    labels.os,
    labels.betaArch,
    labels.betaOs,
    labels.betaInstanceType,
    labels.instanceType,
    labels.topologyZone,
    labels.topologyRegion,
    labels.failureDomainZone,
    labels.failureDomainRegion,
  ].includes(key);
}
