// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Names } from '@orch/machinery';
import { resourceMakers } from '../rest/resource-makers.ts';
import type * as admissionregistration from './admissionregistration.ts';
import type * as apiextensions from './apiextensions.ts';
import type * as apiregistration from './apiregistration.ts';
import type * as apiserverinternal from './apiserverinternal.ts';
import type * as apps from './apps.ts';
import type * as auditregistration from './auditregistration.ts';
import type * as authentication from './authentication.ts';
import type * as authorization from './authorization.ts';
import type * as autoscaling from './autoscaling.ts';
import type * as batch from './batch.ts';
import type * as certificates from './certificates.ts';
import type * as coordination from './coordination.ts';
import type * as core from './core.ts';
import type * as discovery from './discovery.ts';
import type * as events from './events.ts';
import type * as extensions from './extensions.ts';
import type * as flowcontrol from './flowcontrol.ts';
import type * as networking from './networking.ts';
import type * as node from './node.ts';
import type * as policy from './policy.ts';
import type * as rbac from './rbac.ts';
import type * as resource from './resource.ts';
import type * as scheduling from './scheduling.ts';
import type * as settings from './settings.ts';
import type * as storage from './storage.ts';
import type * as storagemigration from './storagemigration.ts';

/** Every built-in resource by group, version and plural, under the names of one naming. */
export const builtinResources = (names: Names) => {
  const { namespaced, cluster } = resourceMakers(names);
  return {
    admissionregistration: {
      v1: {
        mutatingadmissionpolicies: cluster<admissionregistration.MutatingAdmissionPolicy>(
          'admissionregistration/v1',
          'mutatingadmissionpolicies',
          'MutatingAdmissionPolicy',
        ),
        mutatingadmissionpolicybindings: cluster<admissionregistration.MutatingAdmissionPolicyBinding>(
          'admissionregistration/v1',
          'mutatingadmissionpolicybindings',
          'MutatingAdmissionPolicyBinding',
        ),
        mutatingwebhookconfigurations: cluster<admissionregistration.MutatingWebhookConfiguration>(
          'admissionregistration/v1',
          'mutatingwebhookconfigurations',
          'MutatingWebhookConfiguration',
        ),
        validatingadmissionpolicies: cluster<admissionregistration.ValidatingAdmissionPolicy>(
          'admissionregistration/v1',
          'validatingadmissionpolicies',
          'ValidatingAdmissionPolicy',
        ),
        validatingadmissionpolicybindings: cluster<admissionregistration.ValidatingAdmissionPolicyBinding>(
          'admissionregistration/v1',
          'validatingadmissionpolicybindings',
          'ValidatingAdmissionPolicyBinding',
        ),
        validatingwebhookconfigurations: cluster<admissionregistration.ValidatingWebhookConfiguration>(
          'admissionregistration/v1',
          'validatingwebhookconfigurations',
          'ValidatingWebhookConfiguration',
        ),
      },
      v1beta1: {
        mutatingadmissionpolicies: cluster<admissionregistration.MutatingAdmissionPolicyV1beta1>(
          'admissionregistration/v1beta1',
          'mutatingadmissionpolicies',
          'MutatingAdmissionPolicy',
        ),
        mutatingadmissionpolicybindings: cluster<admissionregistration.MutatingAdmissionPolicyBindingV1beta1>(
          'admissionregistration/v1beta1',
          'mutatingadmissionpolicybindings',
          'MutatingAdmissionPolicyBinding',
        ),
        mutatingwebhookconfigurations: cluster<admissionregistration.MutatingWebhookConfigurationV1beta1>(
          'admissionregistration/v1beta1',
          'mutatingwebhookconfigurations',
          'MutatingWebhookConfiguration',
        ),
        validatingadmissionpolicies: cluster<admissionregistration.ValidatingAdmissionPolicyV1beta1>(
          'admissionregistration/v1beta1',
          'validatingadmissionpolicies',
          'ValidatingAdmissionPolicy',
        ),
        validatingadmissionpolicybindings:
          cluster<admissionregistration.ValidatingAdmissionPolicyBindingV1beta1>(
            'admissionregistration/v1beta1',
            'validatingadmissionpolicybindings',
            'ValidatingAdmissionPolicyBinding',
          ),
        validatingwebhookconfigurations: cluster<admissionregistration.ValidatingWebhookConfigurationV1beta1>(
          'admissionregistration/v1beta1',
          'validatingwebhookconfigurations',
          'ValidatingWebhookConfiguration',
        ),
      },
      v1alpha1: {
        mutatingadmissionpolicies: cluster<admissionregistration.MutatingAdmissionPolicyV1alpha1>(
          'admissionregistration/v1alpha1',
          'mutatingadmissionpolicies',
          'MutatingAdmissionPolicy',
        ),
        mutatingadmissionpolicybindings:
          cluster<admissionregistration.MutatingAdmissionPolicyBindingV1alpha1>(
            'admissionregistration/v1alpha1',
            'mutatingadmissionpolicybindings',
            'MutatingAdmissionPolicyBinding',
          ),
        validatingadmissionpolicies: cluster<admissionregistration.ValidatingAdmissionPolicyV1alpha1>(
          'admissionregistration/v1alpha1',
          'validatingadmissionpolicies',
          'ValidatingAdmissionPolicy',
        ),
        validatingadmissionpolicybindings:
          cluster<admissionregistration.ValidatingAdmissionPolicyBindingV1alpha1>(
            'admissionregistration/v1alpha1',
            'validatingadmissionpolicybindings',
            'ValidatingAdmissionPolicyBinding',
          ),
      },
    },
    apiextensions: {
      v1: {
        customresourcedefinitions: cluster<apiextensions.CustomResourceDefinition>(
          'apiextensions/v1',
          'customresourcedefinitions',
          'CustomResourceDefinition',
        ),
      },
      v1beta1: {
        customresourcedefinitions: cluster<apiextensions.CustomResourceDefinitionV1beta1>(
          'apiextensions/v1beta1',
          'customresourcedefinitions',
          'CustomResourceDefinition',
        ),
      },
    },
    apiregistration: {
      v1: {
        apiservices: cluster<apiregistration.APIService>('apiregistration/v1', 'apiservices', 'APIService'),
      },
      v1beta1: {
        apiservices: cluster<apiregistration.APIService>(
          'apiregistration/v1beta1',
          'apiservices',
          'APIService',
        ),
      },
    },
    apiserverinternal: {
      v1alpha1: {
        storageversions: cluster<apiserverinternal.StorageVersionV1alpha1>(
          'apiserverinternal/v1alpha1',
          'storageversions',
          'StorageVersion',
        ),
      },
    },
    apps: {
      v1: {
        controllerrevisions: namespaced<apps.ControllerRevision>(
          'apps/v1',
          'controllerrevisions',
          'ControllerRevision',
        ),
        daemonsets: namespaced<apps.DaemonSet>('apps/v1', 'daemonsets', 'DaemonSet'),
        deployments: namespaced<apps.Deployment>('apps/v1', 'deployments', 'Deployment'),
        replicasets: namespaced<apps.ReplicaSet>('apps/v1', 'replicasets', 'ReplicaSet'),
        statefulsets: namespaced<apps.StatefulSet>('apps/v1', 'statefulsets', 'StatefulSet'),
      },
      v1beta2: {
        controllerrevisions: namespaced<apps.ControllerRevision>(
          'apps/v1beta2',
          'controllerrevisions',
          'ControllerRevision',
        ),
        daemonsets: namespaced<apps.DaemonSet>('apps/v1beta2', 'daemonsets', 'DaemonSet'),
        deployments: namespaced<apps.Deployment>('apps/v1beta2', 'deployments', 'Deployment'),
        replicasets: namespaced<apps.ReplicaSet>('apps/v1beta2', 'replicasets', 'ReplicaSet'),
        statefulsets: namespaced<apps.StatefulSet>('apps/v1beta2', 'statefulsets', 'StatefulSet'),
      },
      v1beta1: {
        controllerrevisions: namespaced<apps.ControllerRevision>(
          'apps/v1beta1',
          'controllerrevisions',
          'ControllerRevision',
        ),
        deployments: namespaced<apps.DeploymentV1beta1>('apps/v1beta1', 'deployments', 'Deployment'),
        statefulsets: namespaced<apps.StatefulSetV1beta1>('apps/v1beta1', 'statefulsets', 'StatefulSet'),
      },
    },
    auditregistration: {
      v1alpha1: {
        auditsinks: cluster<auditregistration.AuditSinkV1alpha1>(
          'auditregistration/v1alpha1',
          'auditsinks',
          'AuditSink',
        ),
      },
    },
    authentication: {
      v1: {
        selfsubjectreviews: cluster<authentication.SelfSubjectReview>(
          'authentication/v1',
          'selfsubjectreviews',
          'SelfSubjectReview',
        ),
        tokenreviews: cluster<authentication.TokenReview>('authentication/v1', 'tokenreviews', 'TokenReview'),
      },
      v1beta1: {
        selfsubjectreviews: cluster<authentication.SelfSubjectReview>(
          'authentication/v1beta1',
          'selfsubjectreviews',
          'SelfSubjectReview',
        ),
        tokenreviews: cluster<authentication.TokenReview>(
          'authentication/v1beta1',
          'tokenreviews',
          'TokenReview',
        ),
      },
      v1alpha1: {
        selfsubjectreviews: cluster<authentication.SelfSubjectReview>(
          'authentication/v1alpha1',
          'selfsubjectreviews',
          'SelfSubjectReview',
        ),
      },
    },
    authorization: {
      v1: {
        localsubjectaccessreviews: namespaced<authorization.LocalSubjectAccessReview>(
          'authorization/v1',
          'localsubjectaccessreviews',
          'LocalSubjectAccessReview',
        ),
        selfsubjectaccessreviews: cluster<authorization.SelfSubjectAccessReview>(
          'authorization/v1',
          'selfsubjectaccessreviews',
          'SelfSubjectAccessReview',
        ),
        selfsubjectrulesreviews: cluster<authorization.SelfSubjectRulesReview>(
          'authorization/v1',
          'selfsubjectrulesreviews',
          'SelfSubjectRulesReview',
        ),
        subjectaccessreviews: cluster<authorization.SubjectAccessReview>(
          'authorization/v1',
          'subjectaccessreviews',
          'SubjectAccessReview',
        ),
      },
      v1beta1: {
        localsubjectaccessreviews: namespaced<authorization.LocalSubjectAccessReviewV1beta1>(
          'authorization/v1beta1',
          'localsubjectaccessreviews',
          'LocalSubjectAccessReview',
        ),
        selfsubjectaccessreviews: cluster<authorization.SelfSubjectAccessReview>(
          'authorization/v1beta1',
          'selfsubjectaccessreviews',
          'SelfSubjectAccessReview',
        ),
        selfsubjectrulesreviews: cluster<authorization.SelfSubjectRulesReview>(
          'authorization/v1beta1',
          'selfsubjectrulesreviews',
          'SelfSubjectRulesReview',
        ),
        subjectaccessreviews: cluster<authorization.SubjectAccessReviewV1beta1>(
          'authorization/v1beta1',
          'subjectaccessreviews',
          'SubjectAccessReview',
        ),
      },
    },
    autoscaling: {
      v2: {
        horizontalpodautoscalers: namespaced<autoscaling.HorizontalPodAutoscalerV2>(
          'autoscaling/v2',
          'horizontalpodautoscalers',
          'HorizontalPodAutoscaler',
        ),
      },
      v1: {
        horizontalpodautoscalers: namespaced<autoscaling.HorizontalPodAutoscaler>(
          'autoscaling/v1',
          'horizontalpodautoscalers',
          'HorizontalPodAutoscaler',
        ),
      },
      v2beta2: {
        horizontalpodautoscalers: namespaced<autoscaling.HorizontalPodAutoscalerV2beta2>(
          'autoscaling/v2beta2',
          'horizontalpodautoscalers',
          'HorizontalPodAutoscaler',
        ),
      },
      v2beta1: {
        horizontalpodautoscalers: namespaced<autoscaling.HorizontalPodAutoscalerV2beta1>(
          'autoscaling/v2beta1',
          'horizontalpodautoscalers',
          'HorizontalPodAutoscaler',
        ),
      },
    },
    batch: {
      v1: {
        cronjobs: namespaced<batch.CronJob>('batch/v1', 'cronjobs', 'CronJob'),
        jobs: namespaced<batch.Job>('batch/v1', 'jobs', 'Job'),
      },
      v1beta1: {
        cronjobs: namespaced<batch.CronJob>('batch/v1beta1', 'cronjobs', 'CronJob'),
      },
      v2alpha1: {
        cronjobs: namespaced<batch.CronJob>('batch/v2alpha1', 'cronjobs', 'CronJob'),
      },
    },
    certificates: {
      v1: {
        certificatesigningrequests: cluster<certificates.CertificateSigningRequest>(
          'certificates/v1',
          'certificatesigningrequests',
          'CertificateSigningRequest',
        ),
      },
      v1beta1: {
        certificatesigningrequests: cluster<certificates.CertificateSigningRequestV1beta1>(
          'certificates/v1beta1',
          'certificatesigningrequests',
          'CertificateSigningRequest',
        ),
        clustertrustbundles: cluster<certificates.ClusterTrustBundleV1beta1>(
          'certificates/v1beta1',
          'clustertrustbundles',
          'ClusterTrustBundle',
        ),
      },
      v1alpha1: {
        clustertrustbundles: cluster<certificates.ClusterTrustBundleV1beta1>(
          'certificates/v1alpha1',
          'clustertrustbundles',
          'ClusterTrustBundle',
        ),
      },
    },
    coordination: {
      v1beta1: {
        leasecandidates: namespaced<coordination.LeaseCandidateV1beta1>(
          'coordination/v1beta1',
          'leasecandidates',
          'LeaseCandidate',
        ),
        leases: namespaced<coordination.Lease>('coordination/v1beta1', 'leases', 'Lease'),
      },
      v1alpha2: {
        leasecandidates: namespaced<coordination.LeaseCandidateV1beta1>(
          'coordination/v1alpha2',
          'leasecandidates',
          'LeaseCandidate',
        ),
      },
      v1: {
        leases: namespaced<coordination.Lease>('coordination/v1', 'leases', 'Lease'),
      },
    },
    core: {
      v1: {
        bindings: namespaced<core.Binding>('core/v1', 'bindings', 'Binding'),
        componentstatuses: cluster<core.ComponentStatus>('core/v1', 'componentstatuses', 'ComponentStatus'),
        configmaps: namespaced<core.ConfigMap>('core/v1', 'configmaps', 'ConfigMap'),
        endpoints: namespaced<core.Endpoints>('core/v1', 'endpoints', 'Endpoints'),
        events: namespaced<core.Event>('core/v1', 'events', 'Event'),
        limitranges: namespaced<core.LimitRange>('core/v1', 'limitranges', 'LimitRange'),
        namespaces: cluster<core.Namespace>('core/v1', 'namespaces', 'Namespace'),
        nodes: cluster<core.Node>('core/v1', 'nodes', 'Node'),
        persistentvolumeclaims: namespaced<core.PersistentVolumeClaim>(
          'core/v1',
          'persistentvolumeclaims',
          'PersistentVolumeClaim',
        ),
        persistentvolumes: cluster<core.PersistentVolume>('core/v1', 'persistentvolumes', 'PersistentVolume'),
        pods: namespaced<core.Pod>('core/v1', 'pods', 'Pod'),
        podtemplates: namespaced<core.PodTemplate>('core/v1', 'podtemplates', 'PodTemplate'),
        replicationcontrollers: namespaced<core.ReplicationController>(
          'core/v1',
          'replicationcontrollers',
          'ReplicationController',
        ),
        resourcequotas: namespaced<core.ResourceQuota>('core/v1', 'resourcequotas', 'ResourceQuota'),
        secrets: namespaced<core.Secret>('core/v1', 'secrets', 'Secret'),
        serviceaccounts: namespaced<core.ServiceAccount>('core/v1', 'serviceaccounts', 'ServiceAccount'),
        services: namespaced<core.Service>('core/v1', 'services', 'Service'),
      },
    },
    discovery: {
      v1: {
        endpointslices: namespaced<discovery.EndpointSlice>(
          'discovery/v1',
          'endpointslices',
          'EndpointSlice',
        ),
      },
      v1beta1: {
        endpointslices: namespaced<discovery.EndpointSliceV1beta1>(
          'discovery/v1beta1',
          'endpointslices',
          'EndpointSlice',
        ),
      },
      v1alpha1: {
        endpointslices: namespaced<discovery.EndpointSliceV1alpha1>(
          'discovery/v1alpha1',
          'endpointslices',
          'EndpointSlice',
        ),
      },
    },
    events: {
      v1: {
        events: namespaced<events.Event>('events/v1', 'events', 'Event'),
      },
      v1beta1: {
        events: namespaced<events.EventV1beta1>('events/v1beta1', 'events', 'Event'),
      },
    },
    extensions: {
      v1beta1: {
        daemonsets: namespaced<extensions.DaemonSetV1beta1>('extensions/v1beta1', 'daemonsets', 'DaemonSet'),
        deployments: namespaced<extensions.DeploymentV1beta1>(
          'extensions/v1beta1',
          'deployments',
          'Deployment',
        ),
        replicasets: namespaced<extensions.ReplicaSetV1beta1>(
          'extensions/v1beta1',
          'replicasets',
          'ReplicaSet',
        ),
        ingresses: namespaced<networking.IngressV1beta1>('extensions/v1beta1', 'ingresses', 'Ingress'),
        networkpolicies: namespaced<networking.NetworkPolicy>(
          'extensions/v1beta1',
          'networkpolicies',
          'NetworkPolicy',
        ),
        podsecuritypolicies: cluster<policy.PodSecurityPolicyV1beta1>(
          'extensions/v1beta1',
          'podsecuritypolicies',
          'PodSecurityPolicy',
        ),
      },
    },
    flowcontrol: {
      v1beta3: {
        flowschemas: cluster<flowcontrol.FlowSchemaV1beta3>(
          'flowcontrol/v1beta3',
          'flowschemas',
          'FlowSchema',
        ),
        prioritylevelconfigurations: cluster<flowcontrol.PriorityLevelConfigurationV1beta3>(
          'flowcontrol/v1beta3',
          'prioritylevelconfigurations',
          'PriorityLevelConfiguration',
        ),
      },
      v1: {
        flowschemas: cluster<flowcontrol.FlowSchemaV1beta3>('flowcontrol/v1', 'flowschemas', 'FlowSchema'),
        prioritylevelconfigurations: cluster<flowcontrol.PriorityLevelConfiguration>(
          'flowcontrol/v1',
          'prioritylevelconfigurations',
          'PriorityLevelConfiguration',
        ),
      },
      v1beta2: {
        flowschemas: cluster<flowcontrol.FlowSchemaV1beta2>(
          'flowcontrol/v1beta2',
          'flowschemas',
          'FlowSchema',
        ),
        prioritylevelconfigurations: cluster<flowcontrol.PriorityLevelConfigurationV1beta2>(
          'flowcontrol/v1beta2',
          'prioritylevelconfigurations',
          'PriorityLevelConfiguration',
        ),
      },
      v1beta1: {
        flowschemas: cluster<flowcontrol.FlowSchemaV1beta2>(
          'flowcontrol/v1beta1',
          'flowschemas',
          'FlowSchema',
        ),
        prioritylevelconfigurations: cluster<flowcontrol.PriorityLevelConfigurationV1beta2>(
          'flowcontrol/v1beta1',
          'prioritylevelconfigurations',
          'PriorityLevelConfiguration',
        ),
      },
      v1alpha1: {
        flowschemas: cluster<flowcontrol.FlowSchemaV1beta2>(
          'flowcontrol/v1alpha1',
          'flowschemas',
          'FlowSchema',
        ),
        prioritylevelconfigurations: cluster<flowcontrol.PriorityLevelConfigurationV1beta2>(
          'flowcontrol/v1alpha1',
          'prioritylevelconfigurations',
          'PriorityLevelConfiguration',
        ),
      },
    },
    networking: {
      v1alpha1: {
        clustercidrs: cluster<networking.ClusterCIDRV1alpha1>(
          'networking/v1alpha1',
          'clustercidrs',
          'ClusterCIDR',
        ),
        ipaddresses: cluster<networking.IPAddress>('networking/v1alpha1', 'ipaddresses', 'IPAddress'),
        servicecidrs: cluster<networking.ServiceCIDR>('networking/v1alpha1', 'servicecidrs', 'ServiceCIDR'),
      },
      v1: {
        ingressclasses: cluster<networking.IngressClass>('networking/v1', 'ingressclasses', 'IngressClass'),
        ingresses: namespaced<networking.Ingress>('networking/v1', 'ingresses', 'Ingress'),
        ipaddresses: cluster<networking.IPAddress>('networking/v1', 'ipaddresses', 'IPAddress'),
        networkpolicies: namespaced<networking.NetworkPolicy>(
          'networking/v1',
          'networkpolicies',
          'NetworkPolicy',
        ),
        servicecidrs: cluster<networking.ServiceCIDR>('networking/v1', 'servicecidrs', 'ServiceCIDR'),
      },
      v1beta1: {
        ingressclasses: cluster<networking.IngressClass>(
          'networking/v1beta1',
          'ingressclasses',
          'IngressClass',
        ),
        ingresses: namespaced<networking.IngressV1beta1>('networking/v1beta1', 'ingresses', 'Ingress'),
        ipaddresses: cluster<networking.IPAddress>('networking/v1beta1', 'ipaddresses', 'IPAddress'),
        servicecidrs: cluster<networking.ServiceCIDR>('networking/v1beta1', 'servicecidrs', 'ServiceCIDR'),
      },
    },
    node: {
      v1: {
        runtimeclasses: cluster<node.RuntimeClass>('node/v1', 'runtimeclasses', 'RuntimeClass'),
      },
      v1beta1: {
        runtimeclasses: cluster<node.RuntimeClass>('node/v1beta1', 'runtimeclasses', 'RuntimeClass'),
      },
      v1alpha1: {
        runtimeclasses: cluster<node.RuntimeClassV1alpha1>('node/v1alpha1', 'runtimeclasses', 'RuntimeClass'),
      },
    },
    policy: {
      v1: {
        poddisruptionbudgets: namespaced<policy.PodDisruptionBudget>(
          'policy/v1',
          'poddisruptionbudgets',
          'PodDisruptionBudget',
        ),
      },
      v1beta1: {
        poddisruptionbudgets: namespaced<policy.PodDisruptionBudgetV1beta1>(
          'policy/v1beta1',
          'poddisruptionbudgets',
          'PodDisruptionBudget',
        ),
        podsecuritypolicies: cluster<policy.PodSecurityPolicyV1beta1>(
          'policy/v1beta1',
          'podsecuritypolicies',
          'PodSecurityPolicy',
        ),
      },
    },
    rbac: {
      v1: {
        clusterrolebindings: cluster<rbac.ClusterRoleBinding>(
          'rbac/v1',
          'clusterrolebindings',
          'ClusterRoleBinding',
        ),
        clusterroles: cluster<rbac.ClusterRole>('rbac/v1', 'clusterroles', 'ClusterRole'),
        rolebindings: namespaced<rbac.RoleBinding>('rbac/v1', 'rolebindings', 'RoleBinding'),
        roles: namespaced<rbac.Role>('rbac/v1', 'roles', 'Role'),
      },
      v1beta1: {
        clusterrolebindings: cluster<rbac.ClusterRoleBinding>(
          'rbac/v1beta1',
          'clusterrolebindings',
          'ClusterRoleBinding',
        ),
        clusterroles: cluster<rbac.ClusterRole>('rbac/v1beta1', 'clusterroles', 'ClusterRole'),
        rolebindings: namespaced<rbac.RoleBinding>('rbac/v1beta1', 'rolebindings', 'RoleBinding'),
        roles: namespaced<rbac.Role>('rbac/v1beta1', 'roles', 'Role'),
      },
      v1alpha1: {
        clusterrolebindings: cluster<rbac.ClusterRoleBindingV1alpha1>(
          'rbac/v1alpha1',
          'clusterrolebindings',
          'ClusterRoleBinding',
        ),
        clusterroles: cluster<rbac.ClusterRoleV1alpha1>('rbac/v1alpha1', 'clusterroles', 'ClusterRole'),
        rolebindings: namespaced<rbac.RoleBindingV1alpha1>('rbac/v1alpha1', 'rolebindings', 'RoleBinding'),
        roles: namespaced<rbac.RoleV1alpha1>('rbac/v1alpha1', 'roles', 'Role'),
      },
    },
    resource: {
      v1alpha2: {
        podschedulingcontexts: namespaced<resource.PodSchedulingContextV1alpha2>(
          'resource/v1alpha2',
          'podschedulingcontexts',
          'PodSchedulingContext',
        ),
        resourceclaims: namespaced<resource.ResourceClaimV1alpha2>(
          'resource/v1alpha2',
          'resourceclaims',
          'ResourceClaim',
        ),
        resourceclaimtemplates: namespaced<resource.ResourceClaimTemplateV1alpha2>(
          'resource/v1alpha2',
          'resourceclaimtemplates',
          'ResourceClaimTemplate',
        ),
        resourceclasses: cluster<resource.ResourceClassV1alpha2>(
          'resource/v1alpha2',
          'resourceclasses',
          'ResourceClass',
        ),
      },
      v1alpha1: {
        podschedulings: namespaced<resource.PodSchedulingV1alpha1>(
          'resource/v1alpha1',
          'podschedulings',
          'PodScheduling',
        ),
        resourceclaims: namespaced<resource.ResourceClaimV1alpha1>(
          'resource/v1alpha1',
          'resourceclaims',
          'ResourceClaim',
        ),
        resourceclaimtemplates: namespaced<resource.ResourceClaimTemplateV1alpha2>(
          'resource/v1alpha1',
          'resourceclaimtemplates',
          'ResourceClaimTemplate',
        ),
        resourceclasses: cluster<resource.ResourceClassV1alpha2>(
          'resource/v1alpha1',
          'resourceclasses',
          'ResourceClass',
        ),
      },
    },
    scheduling: {
      v1: {
        priorityclasses: cluster<scheduling.PriorityClass>(
          'scheduling/v1',
          'priorityclasses',
          'PriorityClass',
        ),
      },
      v1beta1: {
        priorityclasses: cluster<scheduling.PriorityClass>(
          'scheduling/v1beta1',
          'priorityclasses',
          'PriorityClass',
        ),
      },
      v1alpha1: {
        priorityclasses: cluster<scheduling.PriorityClass>(
          'scheduling/v1alpha1',
          'priorityclasses',
          'PriorityClass',
        ),
      },
    },
    settings: {
      v1alpha1: {
        podpresets: namespaced<settings.PodPresetV1alpha1>('settings/v1alpha1', 'podpresets', 'PodPreset'),
      },
    },
    storage: {
      v1: {
        csidrivers: cluster<storage.CSIDriver>('storage/v1', 'csidrivers', 'CSIDriver'),
        csinodes: cluster<storage.CSINode>('storage/v1', 'csinodes', 'CSINode'),
        csistoragecapacities: namespaced<storage.CSIStorageCapacity>(
          'storage/v1',
          'csistoragecapacities',
          'CSIStorageCapacity',
        ),
        storageclasses: cluster<storage.StorageClass>('storage/v1', 'storageclasses', 'StorageClass'),
        volumeattachments: cluster<storage.VolumeAttachment>(
          'storage/v1',
          'volumeattachments',
          'VolumeAttachment',
        ),
        volumeattributesclasses: cluster<storage.VolumeAttributesClass>(
          'storage/v1',
          'volumeattributesclasses',
          'VolumeAttributesClass',
        ),
      },
      v1beta1: {
        csidrivers: cluster<storage.CSIDriverV1beta1>('storage/v1beta1', 'csidrivers', 'CSIDriver'),
        csinodes: cluster<storage.CSINode>('storage/v1beta1', 'csinodes', 'CSINode'),
        csistoragecapacities: namespaced<storage.CSIStorageCapacity>(
          'storage/v1beta1',
          'csistoragecapacities',
          'CSIStorageCapacity',
        ),
        storageclasses: cluster<storage.StorageClass>('storage/v1beta1', 'storageclasses', 'StorageClass'),
        volumeattachments: cluster<storage.VolumeAttachment>(
          'storage/v1beta1',
          'volumeattachments',
          'VolumeAttachment',
        ),
        volumeattributesclasses: cluster<storage.VolumeAttributesClass>(
          'storage/v1beta1',
          'volumeattributesclasses',
          'VolumeAttributesClass',
        ),
      },
      v1alpha1: {
        csistoragecapacities: namespaced<storage.CSIStorageCapacity>(
          'storage/v1alpha1',
          'csistoragecapacities',
          'CSIStorageCapacity',
        ),
        volumeattachments: cluster<storage.VolumeAttachment>(
          'storage/v1alpha1',
          'volumeattachments',
          'VolumeAttachment',
        ),
        volumeattributesclasses: cluster<storage.VolumeAttributesClass>(
          'storage/v1alpha1',
          'volumeattributesclasses',
          'VolumeAttributesClass',
        ),
      },
    },
    storagemigration: {
      v1beta1: {
        storageversionmigrations: cluster<storagemigration.StorageVersionMigrationV1beta1>(
          'storagemigration/v1beta1',
          'storageversionmigrations',
          'StorageVersionMigration',
        ),
      },
      v1alpha1: {
        storageversionmigrations: cluster<storagemigration.StorageVersionMigrationV1alpha1>(
          'storagemigration/v1alpha1',
          'storageversionmigrations',
          'StorageVersionMigration',
        ),
      },
    },
  };
};
