import type { Names } from '@orch/machinery';
import { type DeclaredRule, gated, type Lifetime, on, read, since, until } from './declare.ts';

/** The permissions of a control loop that exists from a release on. */
interface LaterController extends Pick<Lifetime, 'gate' | 'gatedSince'> {
  /** `never` if no release runs it without a feature gate. */
  readonly release: string;
  /** Name of its service account. */
  readonly name: string;
  readonly rules: readonly DeclaredRule[];
}

const events = on('create patch update', 'core events', 'events');

/** The control loops of later releases, with the release in which they run without a feature gate. */
export const laterControllers = (names: Names): readonly LaterController[] => [
  {
    release: '1.21',
    name: 'ttl-after-finished-controller',
    rules: [on('delete get list watch', 'batch', 'jobs'), events],
  },
  {
    release: '1.24',
    name: 'ephemeral-volume-controller',
    rules: [
      on(read, 'core', 'pods'),
      on('update', 'core', 'pods/finalizers'),
      on('create get list watch', 'core', 'persistentvolumeclaims'),
      events,
    ],
  },
  {
    release: '1.29',
    gate: 'LegacyServiceAccountTokenCleanUp',
    gatedSince: '1.28',
    name: 'legacy-service-account-token-cleaner',
    rules: [
      on('get', 'core', 'configmaps', [`${names.programs.apiserver}-legacy-service-account-token-tracking`]),
      ...until('1.29', on('delete', 'core', 'secrets')),
      ...since('1.29', on('delete patch', 'core', 'secrets')),
    ],
  },
  {
    release: '1.30',
    name: 'validatingadmissionpolicy-status-controller',
    rules: [
      on(read, 'admissionregistration', 'validatingadmissionpolicies'),
      on('get patch update', 'admissionregistration', 'validatingadmissionpolicies/status'),
      events,
    ],
  },
  {
    release: '1.33',
    gate: 'SELinuxChangePolicy',
    gatedSince: '1.32',
    name: 'selinux-warning-controller',
    rules: [
      events,
      on(read, 'core', 'persistentvolumes'),
      on(read, 'core', 'persistentvolumeclaims'),
      on(read, 'core', 'pods'),
      on(read, 'storage', 'csidrivers'),
    ],
  },
  {
    release: '1.33',
    gate: 'MultiCIDRServiceAllocator',
    gatedSince: '1.29',
    name: 'service-cidrs-controller',
    rules: [
      on('get list patch update watch', 'networking', 'servicecidrs'),
      on('patch update', 'networking', 'servicecidrs/finalizers'),
      on('patch update', 'networking', 'servicecidrs/status'),
      on(read, 'networking', 'ipaddresses'),
      events,
    ],
  },
  {
    release: '1.34',
    gate: 'DynamicResourceAllocation',
    gatedSince: '1.28',
    name: 'resource-claim-controller',
    rules: [
      on(read, 'core', 'pods'),
      on('update', 'core', 'pods/finalizers'),
      on('create delete get list watch', 'resource', 'resourceclaims'),
      ...until('1.32', on('create get list patch update watch', 'resource', 'podschedulingcontexts')),
      ...until('1.30', on('patch update', 'resource', 'resourceclaims/status')),
      ...since('1.30', on('patch update', 'resource', 'resourceclaims resourceclaims/status')),
      on('patch update', 'core', 'pods/status'),
      events,
      ...gated(
        'DRAWorkloadResourceClaims',
        '1.36',
        on(read, 'scheduling', 'podgroups'),
        on('patch update', 'scheduling', 'podgroups/status'),
      ),
      ...since('1.36', on('patch update', 'resource', 'resourceclaims/binding')),
    ],
  },
  {
    release: '1.34',
    gate: 'VolumeAttributesClass',
    gatedSince: '1.32',
    name: 'volumeattributesclass-protection-controller',
    rules: [
      on(read, 'core', 'persistentvolumeclaims'),
      on(read, 'core', 'persistentvolumes'),
      on('get list update watch', 'storage', 'volumeattributesclasses'),
      events,
    ],
  },
  {
    release: '1.36',
    gate: 'DRADeviceTaints',
    gatedSince: '1.33',
    name: 'device-taint-eviction-controller',
    rules: [
      on('delete get list watch', 'core', 'pods'),
      on('patch update', 'core', 'pods/status'),
      on(read, 'resource', 'resourceclaims'),
      on(read, 'resource', 'resourceslices'),
      on(read, 'resource', 'deviceclasses'),
      ...until('1.35', on(read, 'resource', 'devicetaintrules')),
      events,
      ...gated(
        'DRADeviceTaintRules',
        '1.35',
        ...since(
          '1.37',
          on('patch update', 'resource', 'devicetaintrules/status'),
          on(read, 'resource', 'devicetaintrules'),
        ),
      ),
    ],
  },
  {
    release: '1.37',
    gate: 'ClusterTrustBundle',
    gatedSince: '1.32',
    name: `${names.programs.apiserver}-serving-clustertrustbundle-publisher`,
    rules: [
      on('attest', 'certificates', 'signers', [names.signers.apiserverServing]),
      on('create delete list update watch', 'certificates', 'clustertrustbundles'),
      events,
    ],
  },
  {
    release: '1.37',
    gate: 'PodCertificateRequest',
    gatedSince: '1.34',
    name: 'podcertificaterequestcleaner',
    rules: [on('delete get list watch', 'certificates', 'podcertificaterequests')],
  },
  {
    release: 'never',
    gate: 'DRAResourcePoolStatus',
    gatedSince: '1.36',
    name: 'resourcepoolstatusrequest-controller',
    rules: [
      on('delete get list watch', 'resource', 'resourcepoolstatusrequests'),
      on('patch update', 'resource', 'resourcepoolstatusrequests/status'),
      on(read, 'resource', 'resourceslices'),
      on(read, 'resource', 'resourceclaims'),
      ...since('1.37', on(read, 'resource', 'devicetaintrules')),
      events,
    ],
  },
  {
    release: 'never',
    gate: 'StorageVersionAPI',
    gatedSince: '1.20',
    name: 'storage-version-garbage-collector',
    rules: [
      on(read, 'coordination', 'leases'),
      on('delete get list patch update watch', 'apiserverinternal', 'storageversions'),
      on('get patch update', 'apiserverinternal', 'storageversions/status'),
    ],
  },
];
