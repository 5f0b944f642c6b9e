import { type Release, servedIn } from '@orch/apis';

/** Releases that introduced, deprecated and removed a version, and its replacement in warnings. */
interface VersionLifecycle {
  readonly introduced?: Release;
  readonly deprecated?: Release;
  readonly removed?: Release;
  /** Version, and the kind where it has another name there. */
  readonly instead?: string;
  /** Used before release 1.23 in place of what that release introduced. */
  readonly insteadBefore123?: string;
}

/** The public table of API versions that were introduced, deprecated or removed in the emulated releases. */
const rows: readonly (readonly [apiVersion: string, resources: string, lifecycle: VersionLifecycle])[] = [
  ['v1', 'componentstatuses', { deprecated: '1.19' }],
  ['v1', 'endpoints', { deprecated: '1.33', instead: 'discovery.k8s.io/v1 EndpointSlice' }],
  [
    'admissionregistration.k8s.io/v1',
    'mutatingwebhookconfigurations validatingwebhookconfigurations',
    { introduced: '1.16' },
  ],
  [
    'admissionregistration.k8s.io/v1beta1',
    'mutatingwebhookconfigurations validatingwebhookconfigurations',
    { deprecated: '1.16', removed: '1.22', instead: 'admissionregistration.k8s.io/v1' },
  ],
  [
    'admissionregistration.k8s.io/v1alpha1',
    'validatingadmissionpolicies validatingadmissionpolicybindings',
    { introduced: '1.26', deprecated: '1.29', removed: '1.32' },
  ],
  [
    'admissionregistration.k8s.io/v1beta1',
    'validatingadmissionpolicies validatingadmissionpolicybindings',
    { deprecated: '1.31', removed: '1.34' },
  ],
  [
    'admissionregistration.k8s.io/v1alpha1',
    'mutatingadmissionpolicies mutatingadmissionpolicybindings',
    { deprecated: '1.35', removed: '1.38' },
  ],
  [
    'admissionregistration.k8s.io/v1beta1',
    'mutatingadmissionpolicies mutatingadmissionpolicybindings',
    { deprecated: '1.37', removed: '1.40', instead: 'admissionregistration.k8s.io/v1' },
  ],
  ['apiextensions.k8s.io/v1', 'customresourcedefinitions', { introduced: '1.16' }],
  [
    'apiextensions.k8s.io/v1beta1',
    'customresourcedefinitions',
    { deprecated: '1.16', removed: '1.22', instead: 'apiextensions.k8s.io/v1' },
  ],
  [
    'apiregistration.k8s.io/v1beta1',
    'apiservices',
    { deprecated: '1.19', removed: '1.22', instead: 'apiregistration.k8s.io/v1' },
  ],
  [
    'apps/v1beta1',
    'controllerrevisions deployments statefulsets',
    { deprecated: '1.8', removed: '1.16', instead: 'apps/v1' },
  ],
  [
    'apps/v1beta2',
    'controllerrevisions daemonsets deployments replicasets statefulsets',
    { deprecated: '1.9', removed: '1.16', instead: 'apps/v1' },
  ],
  ['auditregistration.k8s.io/v1alpha1', 'auditsinks', { removed: '1.19' }],
  ['authentication.k8s.io/v1', 'selfsubjectreviews', { introduced: '1.28' }],
  [
    'authentication.k8s.io/v1beta1',
    'selfsubjectreviews',
    { introduced: '1.27', deprecated: '1.30', removed: '1.33' },
  ],
  [
    'authentication.k8s.io/v1beta1',
    'tokenreviews',
    { deprecated: '1.19', removed: '1.22', instead: 'authentication.k8s.io/v1' },
  ],
  [
    'authentication.k8s.io/v1alpha1',
    'selfsubjectreviews',
    { introduced: '1.26', deprecated: '1.29', removed: '1.32' },
  ],
  [
    'authorization.k8s.io/v1beta1',
    'localsubjectaccessreviews selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews',
    { deprecated: '1.19', removed: '1.22', instead: 'authorization.k8s.io/v1' },
  ],
  ['autoscaling/v2', 'horizontalpodautoscalers', { introduced: '1.23' }],
  [
    'autoscaling/v2beta1',
    'horizontalpodautoscalers',
    {
      deprecated: '1.22',
      removed: '1.25',
      instead: 'autoscaling/v2',
      insteadBefore123: 'autoscaling/v2beta2',
    },
  ],
  [
    'autoscaling/v2beta2',
    'horizontalpodautoscalers',
    { deprecated: '1.23', removed: '1.26', instead: 'autoscaling/v2' },
  ],
  ['batch/v1', 'cronjobs', { introduced: '1.21' }],
  ['batch/v1beta1', 'cronjobs', { deprecated: '1.21', removed: '1.25', instead: 'batch/v1' }],
  ['batch/v2alpha1', 'cronjobs', { removed: '1.21', instead: 'batch/v1' }],
  ['certificates.k8s.io/v1', 'certificatesigningrequests', { introduced: '1.19' }],
  ['certificates.k8s.io/v1', 'clustertrustbundles podcertificaterequests', { introduced: '1.37' }],
  [
    'certificates.k8s.io/v1beta1',
    'certificatesigningrequests',
    { deprecated: '1.19', removed: '1.22', instead: 'certificates.k8s.io/v1' },
  ],
  [
    'certificates.k8s.io/v1beta1',
    'clustertrustbundles',
    { introduced: '1.33', deprecated: '1.37', removed: '1.40', instead: 'certificates.k8s.io/v1' },
  ],
  [
    'certificates.k8s.io/v1beta1',
    'podcertificaterequests',
    { introduced: '1.35', deprecated: '1.37', removed: '1.40', instead: 'certificates.k8s.io/v1' },
  ],
  [
    'certificates.k8s.io/v1alpha1',
    'podcertificaterequests',
    { introduced: '1.34', deprecated: '1.35', removed: '1.35' },
  ],
  [
    'certificates.k8s.io/v1alpha1',
    'clustertrustbundles',
    { introduced: '1.27', deprecated: '1.34', removed: '1.37' },
  ],
  [
    'coordination.k8s.io/v1beta1',
    'leases',
    { deprecated: '1.19', removed: '1.22', instead: 'coordination.k8s.io/v1' },
  ],
  [
    'coordination.k8s.io/v1beta1',
    'leasecandidates',
    { introduced: '1.33', deprecated: '1.36', removed: '1.39' },
  ],
  [
    'coordination.k8s.io/v1alpha2',
    'leasecandidates',
    { introduced: '1.32', deprecated: '1.35', removed: '1.38' },
  ],
  ['coordination.k8s.io/v1alpha1', 'leasecandidates', { introduced: '1.31', removed: '1.32' }],
  ['discovery.k8s.io/v1', 'endpointslices', { introduced: '1.21' }],
  [
    'discovery.k8s.io/v1beta1',
    'endpointslices',
    { introduced: '1.17', deprecated: '1.21', removed: '1.25', instead: 'discovery.k8s.io/v1' },
  ],
  [
    'discovery.k8s.io/v1alpha1',
    'endpointslices',
    { introduced: '1.16', removed: '1.21', instead: 'discovery.k8s.io/v1' },
  ],
  ['events.k8s.io/v1', 'events', { introduced: '1.19' }],
  ['events.k8s.io/v1beta1', 'events', { deprecated: '1.22', removed: '1.25' }],
  [
    'extensions/v1beta1',
    'daemonsets deployments replicasets',
    { deprecated: '1.8', removed: '1.16', instead: 'apps/v1' },
  ],
  [
    'extensions/v1beta1',
    'ingresses',
    { deprecated: '1.14', removed: '1.22', instead: 'networking.k8s.io/v1' },
  ],
  [
    'extensions/v1beta1',
    'networkpolicies',
    { deprecated: '1.9', removed: '1.16', instead: 'networking.k8s.io/v1' },
  ],
  [
    'extensions/v1beta1',
    'podsecuritypolicies',
    { deprecated: '1.11', removed: '1.16', instead: 'policy/v1beta1' },
  ],
  ['extensions/v1beta1', 'replicationcontrollers', { removed: '1.16' }],
  [
    'flowcontrol.apiserver.k8s.io/v1alpha1',
    'flowschemas prioritylevelconfigurations',
    {
      introduced: '1.18',
      deprecated: '1.20',
      removed: '1.21',
      instead: 'flowcontrol.apiserver.k8s.io/v1beta1',
    },
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1beta1',
    'flowschemas prioritylevelconfigurations',
    {
      introduced: '1.20',
      deprecated: '1.23',
      removed: '1.26',
      instead: 'flowcontrol.apiserver.k8s.io/v1beta2',
    },
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1beta2',
    'flowschemas prioritylevelconfigurations',
    {
      introduced: '1.23',
      deprecated: '1.26',
      removed: '1.29',
      instead: 'flowcontrol.apiserver.k8s.io/v1beta3',
    },
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1beta3',
    'flowschemas prioritylevelconfigurations',
    { introduced: '1.26', deprecated: '1.29', removed: '1.32', instead: 'flowcontrol.apiserver.k8s.io/v1' },
  ],
  ['flowcontrol.apiserver.k8s.io/v1', 'flowschemas prioritylevelconfigurations', { introduced: '1.29' }],
  ['internal.apiserver.k8s.io/v1alpha1', 'storageversions', { introduced: '1.20' }],
  [
    'lifecycle.k8s.io/v1alpha1',
    'evictionrequests evictions',
    { introduced: '1.37', deprecated: '1.40', removed: '1.43' },
  ],
  ['networking.k8s.io/v1', 'ingressclasses ingresses', { introduced: '1.19' }],
  [
    'networking.k8s.io/v1beta1',
    'ingressclasses',
    {
      introduced: '1.18',
      deprecated: '1.19',
      removed: '1.22',
      instead: 'networking.k8s.io/v1',
    },
  ],
  [
    'networking.k8s.io/v1beta1',
    'ingresses',
    { deprecated: '1.19', removed: '1.22', instead: 'networking.k8s.io/v1' },
  ],
  ['networking.k8s.io/v1', 'ipaddresses servicecidrs', { introduced: '1.33' }],
  [
    'networking.k8s.io/v1beta1',
    'ipaddresses servicecidrs',
    { introduced: '1.31', deprecated: '1.34', removed: '1.37' },
  ],
  ['networking.k8s.io/v1alpha1', 'clustercidrs', { introduced: '1.25', deprecated: '1.28', removed: '1.29' }],
  ['networking.k8s.io/v1alpha1', 'servicecidrs', { introduced: '1.29', deprecated: '1.30', removed: '1.33' }],
  ['networking.k8s.io/v1alpha1', 'ipaddresses', { introduced: '1.27', deprecated: '1.30', removed: '1.33' }],
  ['node.k8s.io/v1', 'runtimeclasses', { introduced: '1.20' }],
  ['node.k8s.io/v1beta1', 'runtimeclasses', { deprecated: '1.22', removed: '1.25' }],
  ['node.k8s.io/v1alpha1', 'runtimeclasses', { removed: '1.22', instead: 'node.k8s.io/v1' }],
  ['policy/v1', 'poddisruptionbudgets', { introduced: '1.21' }],
  ['policy/v1beta1', 'poddisruptionbudgets', { deprecated: '1.21', removed: '1.25', instead: 'policy/v1' }],
  ['policy/v1beta1', 'podsecuritypolicies', { deprecated: '1.21', removed: '1.25' }],
  [
    'rbac.authorization.k8s.io/v1beta1',
    'clusterrolebindings clusterroles rolebindings roles',
    { deprecated: '1.17', removed: '1.22', instead: 'rbac.authorization.k8s.io/v1' },
  ],
  [
    'rbac.authorization.k8s.io/v1alpha1',
    'clusterrolebindings clusterroles rolebindings roles',
    { deprecated: '1.17', removed: '1.23', instead: 'rbac.authorization.k8s.io/v1' },
  ],
  [
    'resource.k8s.io/v1',
    'deviceclasses resourceclaims resourceclaimtemplates resourceslices',
    { introduced: '1.34' },
  ],
  ['resource.k8s.io/v1', 'devicetaintrules', { introduced: '1.37' }],
  [
    'resource.k8s.io/v1beta2',
    'deviceclasses resourceclaims resourceclaimtemplates resourceslices',
    { introduced: '1.33', deprecated: '1.36', removed: '1.39', instead: 'resource.k8s.io/v1' },
  ],
  [
    'resource.k8s.io/v1beta2',
    'devicetaintrules',
    { introduced: '1.36', deprecated: '1.39', removed: '1.42', instead: 'resource.k8s.io/v1' },
  ],
  [
    'resource.k8s.io/v1alpha3',
    'devicetaintrules',
    { introduced: '1.33', deprecated: '1.36', removed: '1.39' },
  ],
  [
    'resource.k8s.io/v1alpha3',
    'resourcepoolstatusrequests',
    { introduced: '1.36', deprecated: '1.39', removed: '1.42' },
  ],
  [
    'resource.k8s.io/v1beta1',
    'deviceclasses resourceclaims resourceclaimtemplates resourceslices',
    { introduced: '1.32', deprecated: '1.35', removed: '1.38', instead: 'resource.k8s.io/v1' },
  ],
  [
    'resource.k8s.io/v1alpha1',
    'podschedulings',
    { introduced: '1.26', removed: '1.27', instead: 'resource.k8s.io/v1alpha2 PodSchedulingContext' },
  ],
  [
    'resource.k8s.io/v1alpha1',
    'resourceclaims resourceclaimtemplates resourceclasses',
    { introduced: '1.26', removed: '1.27', instead: 'resource.k8s.io/v1alpha2' },
  ],
  [
    'resource.k8s.io/v1alpha2',
    'podschedulingcontexts resourceclaims resourceclaimtemplates resourceclasses',
    { introduced: '1.27', removed: '1.31' },
  ],
  [
    'resource.k8s.io/v1alpha2',
    'resourceclaimparameters resourceclassparameters resourceslices',
    { introduced: '1.30', removed: '1.31' },
  ],
  ['resource.k8s.io/v1alpha3', 'podschedulingcontexts', { introduced: '1.31', removed: '1.32' }],
  [
    'scheduling.k8s.io/v1beta1',
    'priorityclasses',
    { deprecated: '1.14', removed: '1.22', instead: 'scheduling.k8s.io/v1' },
  ],
  [
    'scheduling.k8s.io/v1alpha1',
    'priorityclasses',
    { deprecated: '1.14', removed: '1.23', instead: 'scheduling.k8s.io/v1' },
  ],
  [
    'scheduling.k8s.io/v1beta1',
    'podgroups workloads',
    { introduced: '1.37', deprecated: '1.40', removed: '1.43' },
  ],
  ['scheduling.k8s.io/v1alpha2', 'podgroups workloads', { introduced: '1.36', removed: '1.37' }],
  ['scheduling.k8s.io/v1alpha1', 'workloads', { introduced: '1.35', removed: '1.36' }],
  ['scheduling.k8s.io/v1alpha3', 'compositepodgroups podgroups workloads', { introduced: '1.37' }],
  ['settings.k8s.io/v1alpha1', 'podpresets', { removed: '1.20' }],
  ['storage.k8s.io/v1', 'volumeattributesclasses', { introduced: '1.34' }],
  [
    'storage.k8s.io/v1beta1',
    'volumeattributesclasses',
    { introduced: '1.31', deprecated: '1.34', removed: '1.37', instead: 'storage.k8s.io/v1' },
  ],
  [
    'storage.k8s.io/v1alpha1',
    'volumeattributesclasses',
    { introduced: '1.29', deprecated: '1.32', removed: '1.35', instead: 'storage.k8s.io/v1beta1' },
  ],
  ['storage.k8s.io/v1', 'csidrivers', { introduced: '1.19' }],
  ['storage.k8s.io/v1', 'csinodes', { introduced: '1.17' }],
  ['storage.k8s.io/v1', 'csistoragecapacities', { introduced: '1.24' }],
  [
    'storage.k8s.io/v1beta1',
    'csidrivers storageclasses volumeattachments',
    { deprecated: '1.19', removed: '1.22', instead: 'storage.k8s.io/v1' },
  ],
  [
    'storage.k8s.io/v1beta1',
    'csinodes',
    { deprecated: '1.17', removed: '1.22', instead: 'storage.k8s.io/v1' },
  ],
  [
    'storage.k8s.io/v1beta1',
    'csistoragecapacities',
    { introduced: '1.21', deprecated: '1.24', removed: '1.27', instead: 'storage.k8s.io/v1' },
  ],
  [
    'storage.k8s.io/v1alpha1',
    'csistoragecapacities',
    { introduced: '1.19', deprecated: '1.21', removed: '1.24', instead: 'storage.k8s.io/v1beta1' },
  ],
  [
    'storage.k8s.io/v1alpha1',
    'volumeattachments',
    { deprecated: '1.21', removed: '1.24', instead: 'storage.k8s.io/v1' },
  ],
  ['storagemigration.k8s.io/v1', 'storageversionmigrations', { introduced: '1.37' }],
  [
    'storagemigration.k8s.io/v1beta1',
    'storageversionmigrations',
    { deprecated: '1.37', removed: '1.40', instead: 'storagemigration.k8s.io/v1' },
  ],
  ['storagemigration.k8s.io/v1alpha1', 'storageversionmigrations', { deprecated: '1.33', removed: '1.35' }],
];

/** By version and resource, such as `apps/v1 deployments`. */
export const lifecycles: ReadonlyMap<string, VersionLifecycle> = new Map(
  rows.flatMap(([apiVersion, resources, lifecycle]) =>
    resources.split(' ').map((resource) => [`${apiVersion} ${resource}`, lifecycle] as const),
  ),
);

/** Reports whether a release has a resource in a version; versions are written with the names of the ecosystem. */
export const isServedIn = (release: Release, apiVersion: string, resource: string): boolean =>
  servedIn(release, lifecycles.get(`${apiVersion} ${resource}`) ?? {});

/** The resources of the table that a release serves. */
export const resourcesServedIn = (release: Release): readonly string[] =>
  [...lifecycles].filter(([, lifecycle]) => servedIn(release, lifecycle)).map(([title]) => title);
