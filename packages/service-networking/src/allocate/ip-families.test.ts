import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IpFamily } from '@orch/machinery/net';
import { resolveFamilies } from './ip-families.ts';
import type { ServiceSpec } from './service-spec.ts';

const v4: readonly IpFamily[] = ['IPv4'];
const both: readonly IpFamily[] = ['IPv4', 'IPv6'];
const both6: readonly IpFamily[] = ['IPv6', 'IPv4'];

type Given = Partial<ServiceSpec>;
const selector = { app: 'a' };

interface Case {
  readonly title: string;
  readonly cluster: readonly IpFamily[];
  readonly given: Given;
  readonly old?: Given;
  readonly families?: readonly IpFamily[];
  readonly policy?: string;
  /** Paths of the refused fields. */
  readonly refused?: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: 'a service without families gets the primary family',
    cluster: both,
    given: { selector },
    families: ['IPv4'],
    policy: 'SingleStack',
  },
  {
    title: 'the primary family may be IPv6',
    cluster: both6,
    given: { selector },
    families: ['IPv6'],
    policy: 'SingleStack',
  },
  {
    title: 'PreferDualStack on a single-stack cluster gets one family',
    cluster: v4,
    given: { selector, ipFamilyPolicy: 'PreferDualStack' },
    families: ['IPv4'],
    policy: 'PreferDualStack',
  },
  {
    title: 'PreferDualStack on a dual-stack cluster gets both families',
    cluster: both,
    given: { selector, ipFamilyPolicy: 'PreferDualStack' },
    families: ['IPv4', 'IPv6'],
    policy: 'PreferDualStack',
  },
  {
    title: 'RequireDualStack on a single-stack cluster is refused',
    cluster: v4,
    given: { selector, ipFamilyPolicy: 'RequireDualStack' },
    refused: ['spec.ipFamilyPolicy'],
  },
  {
    title: 'the order of families is that of the client',
    cluster: both,
    given: { selector, ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] },
    families: ['IPv6', 'IPv4'],
    policy: 'RequireDualStack',
  },
  {
    title: 'the family follows from a requested address',
    cluster: both,
    given: { selector, clusterIP: 'fd00::5', clusterIPs: ['fd00::5'] },
    families: ['IPv6'],
    policy: 'SingleStack',
  },
  {
    title: 'a family that the cluster does not have is refused at its field',
    cluster: v4,
    given: { selector, ipFamilies: ['IPv6'] },
    refused: ['spec.ipFamilies[0]'],
  },
  {
    title: 'an address of a family that the cluster does not have is refused',
    cluster: v4,
    given: { selector, clusterIP: 'fd00::5', clusterIPs: ['fd00::5'] },
    refused: ['spec.clusterIPs[0]'],
  },
  {
    title: 'two families need a dual-stack policy',
    cluster: both,
    given: { selector, ipFamilies: ['IPv4', 'IPv6'] },
    refused: ['spec.ipFamilyPolicy'],
  },
  {
    title: 'two addresses with the policy SingleStack are refused',
    cluster: both,
    given: { selector, clusterIPs: ['10.0.0.5', 'fd00::5'], ipFamilyPolicy: 'SingleStack' },
    refused: ['spec.ipFamilyPolicy'],
  },
  {
    title: 'a headless service with a selector follows the same rules',
    cluster: both,
    given: { selector, clusterIP: 'None', clusterIPs: ['None'] },
    families: ['IPv4'],
    policy: 'SingleStack',
  },
  {
    title: 'a headless service without a selector may have both families on any cluster',
    cluster: v4,
    given: { clusterIP: 'None', clusterIPs: ['None'] },
    families: ['IPv4', 'IPv6'],
    policy: 'RequireDualStack',
  },
  {
    title: 'a headless service without a selector and with SingleStack has one family',
    cluster: v4,
    given: { clusterIP: 'None', clusterIPs: ['None'], ipFamilyPolicy: 'SingleStack' },
    families: ['IPv4'],
    policy: 'SingleStack',
  },
  { title: 'an ExternalName service has no families', cluster: both, given: { type: 'ExternalName' } },
  {
    title: 'an existing PreferDualStack service is unchanged when the cluster gets a second family',
    cluster: both,
    given: { selector, ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'], clusterIPs: ['10.0.0.5'] },
    old: { selector, ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'], clusterIPs: ['10.0.0.5'] },
    families: ['IPv4'],
    policy: 'PreferDualStack',
  },
  {
    title: 'a single-stack service gets the second family when its policy changes',
    cluster: both,
    given: { selector, ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'], clusterIPs: ['10.0.0.5'] },
    old: { selector, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'], clusterIPs: ['10.0.0.5'] },
    families: ['IPv4', 'IPv6'],
    policy: 'PreferDualStack',
  },
  {
    title: 'a service keeps a family that the cluster no longer has',
    cluster: v4,
    given: { selector, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6'], clusterIPs: ['fd00::5'] },
    old: { selector, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6'], clusterIPs: ['fd00::5'] },
    families: ['IPv6'],
    policy: 'SingleStack',
  },
];

const specOf = (given: Given): ServiceSpec => ({ type: 'ClusterIP', ...structuredClone(given) });

describe('IP families of a service', () => {
  for (const { title, cluster, given, old, families, policy, refused = [] } of cases) {
    it(title, () => {
      const spec = specOf(given);
      const before = old === undefined ? undefined : specOf(old);
      const problems = resolveFamilies(spec, before, { cluster, needsPolicy: true });
      assert.deepEqual(
        problems.map(({ field }) => field),
        refused,
      );
      if (refused.length > 0) return;
      assert.deepEqual([spec.ipFamilies, spec.ipFamilyPolicy], [families, policy]);
    });
  }

  it('in releases without the rule, two addresses imply RequireDualStack', () => {
    const spec = specOf({ selector, clusterIPs: ['10.0.0.5', 'fd00::5'] });
    assert.deepEqual(resolveFamilies(spec, undefined, { cluster: both, needsPolicy: false }), []);
    assert.deepEqual([spec.ipFamilies, spec.ipFamilyPolicy], [['IPv4', 'IPv6'], 'RequireDualStack']);
  });
});
