import type * as core from '@orch/kinds/core';
import { f, items, struct } from '@orch/schema';
import { addressFormat } from '../../../address-formats.ts';
import { LocalObjectReference } from '../references.ts';
import { ResourceRequirements } from '../resources.ts';
import { Volume } from '../volume/volume.ts';
import { Affinity } from './affinity.ts';
import { Container } from './container.ts';
import { accountOfOlderField, derivePodSpec, serviceLinksOfPods } from './defaults.ts';
import { EphemeralContainer } from './ephemeral-container.ts';
import { EvictionResponder, MAX_EVICTION_RESPONDERS } from './eviction-responder.ts';
import { Toleration, TopologySpreadConstraint } from './scheduling.ts';
import { PodSecurityContext } from './security.ts';
import { checkDnsConfig } from './validation/dns.ts';
import { checkHostProcess } from './validation/host-process.ts';
import { checkPodSpec } from './validation/spec.ts';

export const HostAlias = struct('core.v1.HostAlias', 'A line of the hosts file.', {
  ip: f.string(1, { doc: 'Address of the line.', openapiRequired: { since: '1.30', is: true } }),
  hostnames: f.list(2, items.string, { doc: 'Names of the line.' }),
});

export const PodDNSConfigOption = struct('core.v1.PodDNSConfigOption', 'One option of the resolver.', {
  name: f.string(1, { doc: 'Name of the option.' }),
  value: f.string(2, { doc: 'Value of the option.', presence: 'pointer' }),
});

export const PodDNSConfig = struct(
  'core.v1.PodDNSConfig',
  'Resolver settings of a pod, added to those of dnsPolicy.',
  {
    nameservers: f.list(1, items.string, { doc: 'Addresses of name servers.', ...addressFormat }),
    searches: f.list(2, items.string, { doc: 'Search domains.' }),
    options: f.list(3, PodDNSConfigOption, { doc: 'Options of the resolver.' }),
  },
  { checks: [checkDnsConfig] },
);

export const PodReadinessGate = struct(
  'core.v1.PodReadinessGate',
  'Names a condition that must hold before a pod counts as ready.',
  {
    conditionType: f.string(1, {
      doc: 'Type of the condition.',
      presence: 'always',
      format: 'qualifiedName',
      emptyIsInvalid: true,
    }),
  },
);

export const PodSchedulingGate = struct(
  'core.v1.PodSchedulingGate',
  'Names something that has to happen before the pod is placed on a node.',
  {
    name: f.string(1, { doc: 'Name of the gate.', presence: 'always' }),
  },
);

export const ClaimSource = struct('core.v1.ClaimSource', 'Where a resource claim of a pod comes from.', {
  resourceClaimName: f.string(1, {
    doc: 'A ResourceClaim in the namespace of the pod.',
    presence: 'pointer',
    format: 'dns1123subdomain',
  }),
  resourceClaimTemplateName: f.string(2, {
    doc: 'A ResourceClaimTemplate in the namespace of the pod, of which each pod gets its own claim.',
    presence: 'pointer',
    format: 'dns1123subdomain',
  }),
});

export const PodResourceClaim = struct(
  'core.v1.PodResourceClaim',
  'A resource claim that containers of the pod can use.',
  {
    name: f.string(1, {
      doc: 'Name within the pod.',
      presence: 'always',
      required: true,
    }),
    source: f.struct(2, ClaimSource, {
      doc: 'Where the claim comes from.',
      presence: 'always',
      until: '1.31',
    }),
    resourceClaimName: f.string(3, {
      doc: 'A ResourceClaim in the namespace of the pod.',
      presence: 'pointer',
      format: 'dns1123subdomain',
      since: '1.31',
    }),
    resourceClaimTemplateName: f.string(4, {
      doc: 'A ResourceClaimTemplate in the namespace of the pod, of which each pod gets a claim.',
      presence: 'pointer',
      format: 'dns1123subdomain',
      since: '1.31',
    }),
  },
);

export const WorkloadReference = struct(
  'core.v1.WorkloadReference',
  'Names a workload, and one of its pod groups.',
  {
    name: f.string(1, { doc: 'Name of the workload.', presence: 'always', required: true }),
    podGroup: f.string(2, { doc: 'Pod group of the workload.', presence: 'always', required: true }),
    podGroupReplicaKey: f.string(3, { doc: 'Replica of the pod group.' }),
  },
);

export const PodSchedulingGroup = struct(
  'core.v1.PodSchedulingGroup',
  'Names the group of pods with which a pod is placed on nodes.',
  {
    podGroupName: f.string(1, { doc: 'Name of the pod group.', presence: 'pointer' }),
  },
);

export const PodOS = struct('core.v1.PodOS', 'Operating system of the containers of a pod.', {
  name: f.string(1, {
    doc: 'linux or windows.',
    presence: 'always',
    required: true,
    enum: ['linux', 'windows'],
    openapiEnum: 'never',
    enumChecked: 'elsewhere',
  }),
});

/** A missing name server is reported only if the pod has no other error. */
const hasNameservers = ({ dnsPolicy, dnsConfig }: core.PodSpec): boolean =>
  dnsPolicy !== 'None' || (dnsConfig?.nameservers ?? []).length > 0;

export const PodSpec = struct(
  'core.v1.PodSpec',
  'The containers of a pod, and where and how they run.',
  {
    volumes: f.list(1, Volume, {
      doc: 'Volumes that containers can mount.',
      patchStrategy: 'merge,retainKeys',
      patchMergeKey: 'name',
      uniqueBy: 'name',
      uniqueAmongValid: true,
    }),
    initContainers: f.list(20, Container, {
      doc: 'Containers that run to completion, one after the other, before the others start.',
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
    containers: f.list(2, Container, {
      doc: 'Containers that run side by side; at least one.',
      presence: 'always',
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      required: true,
    }),
    ephemeralContainers: f.list(34, EphemeralContainer, {
      doc: 'Containers that are added to the running pod for debugging, through the subresource of that name.',
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      since: '1.23',
      gate: 'EphemeralContainers',
    }),
    restartPolicy: f.string(3, {
      doc: 'When containers are restarted: Always, OnFailure or Never.',
      default: 'Always',
      enum: ['Always', 'Never', 'OnFailure'],
    }),
    terminationGracePeriodSeconds: f.int64(4, {
      doc: 'Seconds for graceful termination; 0 terminates it immediately.',
      presence: 'pointer',
      default: 30,
    }),
    activeDeadlineSeconds: f.int64(5, {
      doc: 'Seconds the pod may run before it has failed.',
      presence: 'pointer',
      min: 1,
      max: 2147483647,
    }),
    dnsPolicy: f.string(6, {
      doc: 'Where names are looked up: ClusterFirst, ClusterFirstWithHostNet, Default or None.',
      default: 'ClusterFirst',
      enum: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
    }),
    nodeSelector: f.map(7, items.string, { doc: 'Labels that a node must have.', mapType: 'atomic' }),
    serviceAccountName: f.string(8, {
      doc: 'Service account to run as.',
      default: accountOfOlderField,
      format: 'dns1123subdomain',
    }),
    serviceAccount: f.string(9, {
      doc: 'Older name of serviceAccountName.',
      deprecated: 'Use serviceAccountName.',
    }),
    automountServiceAccountToken: f.bool(21, {
      doc: 'Whether a token of the service account is mounted.',
      presence: 'pointer',
    }),
    nodeName: f.string(10, {
      doc: 'Node that the pod runs on; set by the scheduler.',
      format: 'dns1123subdomain',
    }),
    hostNetwork: f.bool(11, { doc: 'Uses the network of the node.' }),
    hostPID: f.bool(12, { doc: 'Uses the process namespace of the node.' }),
    hostIPC: f.bool(13, { doc: 'Uses the IPC namespace of the node.' }),
    shareProcessNamespace: f.bool(27, {
      doc: "Containers of the pod see each other's processes.",
      presence: 'pointer',
    }),
    securityContext: f.struct(14, PodSecurityContext, {
      doc: 'Security settings of all containers.',
      presence: 'pointer',
      default: {},
    }),
    imagePullSecrets: f.list(15, LocalObjectReference, {
      doc: 'Secrets with credentials for image registries.',
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
    hostname: f.string(16, { doc: "Host name; the pod's name when empty." }),
    subdomain: f.string(17, {
      doc: 'Makes the pod resolvable as hostname.subdomain.namespace.svc.',
    }),
    affinity: f.struct(18, Affinity, { doc: 'Where the pod may and should run.', presence: 'pointer' }),
    schedulerName: f.string(19, { doc: 'Scheduler that places the pod.', default: 'default-scheduler' }),
    tolerations: f.list(22, Toleration, { doc: 'Taints that the pod tolerates.' }),
    hostAliases: f.list(23, HostAlias, {
      doc: 'Lines for the hosts file.',
      patchStrategy: 'merge',
      patchMergeKey: 'ip',
    }),
    priorityClassName: f.string(24, {
      doc: 'Class that the priority comes from.',
      format: 'dns1123subdomain',
    }),
    priority: f.int32(25, {
      doc: 'The higher, the more important; taken from the class.',
      presence: 'pointer',
    }),
    dnsConfig: f.struct(26, PodDNSConfig, {
      doc: 'Resolver settings.',
      presence: 'pointer',
      validatedIf: hasNameservers,
    }),
    readinessGates: f.list(28, PodReadinessGate, {
      doc: 'Conditions that must hold before the pod counts as ready.',
    }),
    runtimeClassName: f.string(29, {
      doc: 'Runtime class that runs the pod.',
      presence: 'pointer',
      format: 'dns1123subdomain',
      emptyIsInvalid: true,
    }),
    enableServiceLinks: f.bool(30, {
      doc: 'Puts addresses of services into environment variables.',
      presence: 'pointer',
      default: serviceLinksOfPods,
    }),
    preemptionPolicy: f.string(31, {
      doc: 'Whether less important pods may be removed for this one.',
      presence: 'pointer',
      enum: ['Never', 'PreemptLowerPriority'],
      openapiEnum: { since: '1.27' },
    }),
    overhead: f.map(32, items.quantity, {
      doc: 'Resources that the runtime itself needs.',
      since: '1.18',
      gate: 'PodOverhead',
    }),
    topologySpreadConstraints: f.list(33, TopologySpreadConstraint, {
      doc: 'How pods are distributed over domains of the cluster.',
      listType: 'map',
      mapKeys: ['topologyKey', 'whenUnsatisfiable'],
      patchStrategy: 'merge',
      patchMergeKey: 'topologyKey',
      since: '1.18',
      gate: 'EvenPodsSpread',
    }),
    setHostnameAsFQDN: f.bool(35, {
      doc: 'Host name is the fully qualified name.',
      presence: 'pointer',
      since: '1.20',
      gate: 'SetHostnameAsFQDN',
    }),
    os: f.struct(36, PodOS, {
      doc: 'Operating system of the containers.',
      presence: 'pointer',
      since: '1.24',
      gate: 'IdentifyPodOS',
    }),
    hostUsers: f.bool(37, {
      doc: 'Uses the user namespace of the node; true when absent.',
      presence: 'pointer',
      since: '1.33',
      gate: 'UserNamespacesSupport',
    }),
    schedulingGates: f.list(38, PodSchedulingGate, {
      doc: 'Gates that must be passed before the pod is placed on a node; each gate is removed when its part is done.',
      listType: 'map',
      mapKeys: ['name'],
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      since: '1.27',
      gate: 'PodSchedulingReadiness',
    }),
    resourceClaims: f.list(39, PodResourceClaim, {
      doc: 'Resource claims that must be allocated before the pod starts.',
      listType: 'map',
      mapKeys: ['name'],
      patchStrategy: 'merge,retainKeys',
      patchMergeKey: 'name',
      since: '1.34',
      gate: 'DynamicResourceAllocation',
    }),

    resources: f.struct(40, ResourceRequirements, {
      doc: 'Requests and limits of all containers together.',
      presence: 'pointer',
      since: '1.34',
      gate: 'PodLevelResources',
    }),
    hostnameOverride: f.string(41, {
      doc: 'Host name of the pod in place of every other rule.',
      presence: 'pointer',
      since: '1.35',
      gate: 'HostnameOverride',
    }),
    workloadRef: f.struct(42, WorkloadReference, {
      doc: 'Workload and pod group that the pod belongs to.',
      presence: 'pointer',
      until: '1.36',
      since: 'never',
      gate: 'GenericWorkload',
    }),
    schedulingGroup: f.struct(43, PodSchedulingGroup, {
      doc: 'Group of pods with which it is placed on nodes.',
      presence: 'pointer',
      since: 'never',
      gate: 'GenericWorkload',
      gatedSince: '1.36',
    }),
    evictionResponders: f.list(44, EvictionResponder, {
      doc: 'Programs that respond to requests for the eviction of the pod.',
      listType: 'map',
      mapKeys: ['name'],
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      uniqueBy: 'name',
      maxItems: MAX_EVICTION_RESPONDERS,
      since: 'never',
      gate: 'EvictionRequestAPI',
    }),
  },
  { derive: derivePodSpec, checks: [checkPodSpec, checkHostProcess] },
);
