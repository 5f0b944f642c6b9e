// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Names } from '@orch/machinery';
import { lazyMembers } from '../lazy/lazy-members.ts';
import * as resources from './resources.ts';

/** Every built-in resource by group, version and plural, under the names of one naming. */
export const builtinResources = (names: Names) =>
  lazyMembers({
    admissionregistration: () => ({
      v1: {
        mutatingadmissionpolicies: resources.admissionregistrationV1MutatingAdmissionPolicy(names),
        mutatingadmissionpolicybindings:
          resources.admissionregistrationV1MutatingAdmissionPolicyBinding(names),
        mutatingwebhookconfigurations: resources.admissionregistrationV1MutatingWebhookConfiguration(names),
        validatingadmissionpolicies: resources.admissionregistrationV1ValidatingAdmissionPolicy(names),
        validatingadmissionpolicybindings:
          resources.admissionregistrationV1ValidatingAdmissionPolicyBinding(names),
        validatingwebhookconfigurations:
          resources.admissionregistrationV1ValidatingWebhookConfiguration(names),
      },
      v1beta1: {
        mutatingadmissionpolicies: resources.admissionregistrationV1beta1MutatingAdmissionPolicy(names),
        mutatingadmissionpolicybindings:
          resources.admissionregistrationV1beta1MutatingAdmissionPolicyBinding(names),
        mutatingwebhookconfigurations:
          resources.admissionregistrationV1beta1MutatingWebhookConfiguration(names),
        validatingadmissionpolicies: resources.admissionregistrationV1beta1ValidatingAdmissionPolicy(names),
        validatingadmissionpolicybindings:
          resources.admissionregistrationV1beta1ValidatingAdmissionPolicyBinding(names),
        validatingwebhookconfigurations:
          resources.admissionregistrationV1beta1ValidatingWebhookConfiguration(names),
      },
      v1alpha1: {
        mutatingadmissionpolicies: resources.admissionregistrationV1alpha1MutatingAdmissionPolicy(names),
        mutatingadmissionpolicybindings:
          resources.admissionregistrationV1alpha1MutatingAdmissionPolicyBinding(names),
        validatingadmissionpolicies: resources.admissionregistrationV1alpha1ValidatingAdmissionPolicy(names),
        validatingadmissionpolicybindings:
          resources.admissionregistrationV1alpha1ValidatingAdmissionPolicyBinding(names),
      },
    }),
    apiextensions: () => ({
      v1: {
        customresourcedefinitions: resources.apiextensionsV1CustomResourceDefinition(names),
      },
      v1beta1: {
        customresourcedefinitions: resources.apiextensionsV1beta1CustomResourceDefinition(names),
      },
    }),
    apiregistration: () => ({
      v1: {
        apiservices: resources.apiregistrationV1APIService(names),
      },
      v1beta1: {
        apiservices: resources.apiregistrationV1beta1APIService(names),
      },
    }),
    apiserverinternal: () => ({
      v1alpha1: {
        storageversions: resources.apiserverinternalV1alpha1StorageVersion(names),
      },
    }),
    apps: () => ({
      v1: {
        controllerrevisions: resources.appsV1ControllerRevision(names),
        daemonsets: resources.appsV1DaemonSet(names),
        deployments: resources.appsV1Deployment(names),
        replicasets: resources.appsV1ReplicaSet(names),
        statefulsets: resources.appsV1StatefulSet(names),
      },
      v1beta2: {
        controllerrevisions: resources.appsV1beta2ControllerRevision(names),
        daemonsets: resources.appsV1beta2DaemonSet(names),
        deployments: resources.appsV1beta2Deployment(names),
        replicasets: resources.appsV1beta2ReplicaSet(names),
        statefulsets: resources.appsV1beta2StatefulSet(names),
      },
      v1beta1: {
        controllerrevisions: resources.appsV1beta1ControllerRevision(names),
        deployments: resources.appsV1beta1Deployment(names),
        statefulsets: resources.appsV1beta1StatefulSet(names),
      },
    }),
    auditregistration: () => ({
      v1alpha1: {
        auditsinks: resources.auditregistrationV1alpha1AuditSink(names),
      },
    }),
    authentication: () => ({
      v1: {
        selfsubjectreviews: resources.authenticationV1SelfSubjectReview(names),
        tokenreviews: resources.authenticationV1TokenReview(names),
      },
      v1beta1: {
        selfsubjectreviews: resources.authenticationV1beta1SelfSubjectReview(names),
        tokenreviews: resources.authenticationV1beta1TokenReview(names),
      },
      v1alpha1: {
        selfsubjectreviews: resources.authenticationV1alpha1SelfSubjectReview(names),
      },
    }),
    authorization: () => ({
      v1: {
        localsubjectaccessreviews: resources.authorizationV1LocalSubjectAccessReview(names),
        selfsubjectaccessreviews: resources.authorizationV1SelfSubjectAccessReview(names),
        selfsubjectrulesreviews: resources.authorizationV1SelfSubjectRulesReview(names),
        subjectaccessreviews: resources.authorizationV1SubjectAccessReview(names),
      },
      v1beta1: {
        localsubjectaccessreviews: resources.authorizationV1beta1LocalSubjectAccessReview(names),
        selfsubjectaccessreviews: resources.authorizationV1beta1SelfSubjectAccessReview(names),
        selfsubjectrulesreviews: resources.authorizationV1beta1SelfSubjectRulesReview(names),
        subjectaccessreviews: resources.authorizationV1beta1SubjectAccessReview(names),
      },
    }),
    autoscaling: () => ({
      v2: {
        horizontalpodautoscalers: resources.autoscalingV2HorizontalPodAutoscaler(names),
      },
      v1: {
        horizontalpodautoscalers: resources.autoscalingV1HorizontalPodAutoscaler(names),
      },
      v2beta2: {
        horizontalpodautoscalers: resources.autoscalingV2beta2HorizontalPodAutoscaler(names),
      },
      v2beta1: {
        horizontalpodautoscalers: resources.autoscalingV2beta1HorizontalPodAutoscaler(names),
      },
    }),
    batch: () => ({
      v1: {
        cronjobs: resources.batchV1CronJob(names),
        jobs: resources.batchV1Job(names),
      },
      v1beta1: {
        cronjobs: resources.batchV1beta1CronJob(names),
      },
      v2alpha1: {
        cronjobs: resources.batchV2alpha1CronJob(names),
      },
    }),
    certificates: () => ({
      v1: {
        certificatesigningrequests: resources.certificatesV1CertificateSigningRequest(names),
        clustertrustbundles: resources.certificatesV1ClusterTrustBundle(names),
        podcertificaterequests: resources.certificatesV1PodCertificateRequest(names),
      },
      v1beta1: {
        certificatesigningrequests: resources.certificatesV1beta1CertificateSigningRequest(names),
        clustertrustbundles: resources.certificatesV1beta1ClusterTrustBundle(names),
        podcertificaterequests: resources.certificatesV1beta1PodCertificateRequest(names),
      },
      v1alpha1: {
        clustertrustbundles: resources.certificatesV1alpha1ClusterTrustBundle(names),
        podcertificaterequests: resources.certificatesV1alpha1PodCertificateRequest(names),
      },
    }),
    coordination: () => ({
      v1beta1: {
        leasecandidates: resources.coordinationV1beta1LeaseCandidate(names),
        leases: resources.coordinationV1beta1Lease(names),
      },
      v1alpha2: {
        leasecandidates: resources.coordinationV1alpha2LeaseCandidate(names),
      },
      v1alpha1: {
        leasecandidates: resources.coordinationV1alpha1LeaseCandidate(names),
      },
      v1: {
        leases: resources.coordinationV1Lease(names),
      },
    }),
    core: () => ({
      v1: {
        bindings: resources.coreV1Binding(names),
        componentstatuses: resources.coreV1ComponentStatus(names),
        configmaps: resources.coreV1ConfigMap(names),
        endpoints: resources.coreV1Endpoints(names),
        events: resources.coreV1Event(names),
        limitranges: resources.coreV1LimitRange(names),
        namespaces: resources.coreV1Namespace(names),
        nodes: resources.coreV1Node(names),
        persistentvolumeclaims: resources.coreV1PersistentVolumeClaim(names),
        persistentvolumes: resources.coreV1PersistentVolume(names),
        pods: resources.coreV1Pod(names),
        podtemplates: resources.coreV1PodTemplate(names),
        replicationcontrollers: resources.coreV1ReplicationController(names),
        resourcequotas: resources.coreV1ResourceQuota(names),
        secrets: resources.coreV1Secret(names),
        serviceaccounts: resources.coreV1ServiceAccount(names),
        services: resources.coreV1Service(names),
      },
    }),
    discovery: () => ({
      v1: {
        endpointslices: resources.discoveryV1EndpointSlice(names),
      },
      v1beta1: {
        endpointslices: resources.discoveryV1beta1EndpointSlice(names),
      },
      v1alpha1: {
        endpointslices: resources.discoveryV1alpha1EndpointSlice(names),
      },
    }),
    events: () => ({
      v1: {
        events: resources.eventsV1Event(names),
      },
      v1beta1: {
        events: resources.eventsV1beta1Event(names),
      },
    }),
    extensions: () => ({
      v1beta1: {
        daemonsets: resources.extensionsV1beta1DaemonSet(names),
        deployments: resources.extensionsV1beta1Deployment(names),
        replicasets: resources.extensionsV1beta1ReplicaSet(names),
        ingresses: resources.extensionsV1beta1Ingress(names),
        networkpolicies: resources.extensionsV1beta1NetworkPolicy(names),
        podsecuritypolicies: resources.extensionsV1beta1PodSecurityPolicy(names),
      },
    }),
    flowcontrol: () => ({
      v1beta3: {
        flowschemas: resources.flowcontrolV1beta3FlowSchema(names),
        prioritylevelconfigurations: resources.flowcontrolV1beta3PriorityLevelConfiguration(names),
      },
      v1: {
        flowschemas: resources.flowcontrolV1FlowSchema(names),
        prioritylevelconfigurations: resources.flowcontrolV1PriorityLevelConfiguration(names),
      },
      v1beta2: {
        flowschemas: resources.flowcontrolV1beta2FlowSchema(names),
        prioritylevelconfigurations: resources.flowcontrolV1beta2PriorityLevelConfiguration(names),
      },
      v1beta1: {
        flowschemas: resources.flowcontrolV1beta1FlowSchema(names),
        prioritylevelconfigurations: resources.flowcontrolV1beta1PriorityLevelConfiguration(names),
      },
      v1alpha1: {
        flowschemas: resources.flowcontrolV1alpha1FlowSchema(names),
        prioritylevelconfigurations: resources.flowcontrolV1alpha1PriorityLevelConfiguration(names),
      },
    }),
    lifecycle: () => ({
      v1alpha1: {
        evictionrequests: resources.lifecycleV1alpha1EvictionRequest(names),
        evictions: resources.lifecycleV1alpha1Eviction(names),
      },
    }),
    networking: () => ({
      v1alpha1: {
        clustercidrs: resources.networkingV1alpha1ClusterCIDR(names),
        ipaddresses: resources.networkingV1alpha1IPAddress(names),
        servicecidrs: resources.networkingV1alpha1ServiceCIDR(names),
      },
      v1: {
        ingressclasses: resources.networkingV1IngressClass(names),
        ingresses: resources.networkingV1Ingress(names),
        ipaddresses: resources.networkingV1IPAddress(names),
        networkpolicies: resources.networkingV1NetworkPolicy(names),
        servicecidrs: resources.networkingV1ServiceCIDR(names),
      },
      v1beta1: {
        ingressclasses: resources.networkingV1beta1IngressClass(names),
        ingresses: resources.networkingV1beta1Ingress(names),
        ipaddresses: resources.networkingV1beta1IPAddress(names),
        servicecidrs: resources.networkingV1beta1ServiceCIDR(names),
      },
    }),
    node: () => ({
      v1: {
        runtimeclasses: resources.nodeV1RuntimeClass(names),
      },
      v1beta1: {
        runtimeclasses: resources.nodeV1beta1RuntimeClass(names),
      },
      v1alpha1: {
        runtimeclasses: resources.nodeV1alpha1RuntimeClass(names),
      },
    }),
    policy: () => ({
      v1: {
        poddisruptionbudgets: resources.policyV1PodDisruptionBudget(names),
      },
      v1beta1: {
        poddisruptionbudgets: resources.policyV1beta1PodDisruptionBudget(names),
        podsecuritypolicies: resources.policyV1beta1PodSecurityPolicy(names),
      },
    }),
    rbac: () => ({
      v1: {
        clusterrolebindings: resources.rbacV1ClusterRoleBinding(names),
        clusterroles: resources.rbacV1ClusterRole(names),
        rolebindings: resources.rbacV1RoleBinding(names),
        roles: resources.rbacV1Role(names),
      },
      v1beta1: {
        clusterrolebindings: resources.rbacV1beta1ClusterRoleBinding(names),
        clusterroles: resources.rbacV1beta1ClusterRole(names),
        rolebindings: resources.rbacV1beta1RoleBinding(names),
        roles: resources.rbacV1beta1Role(names),
      },
      v1alpha1: {
        clusterrolebindings: resources.rbacV1alpha1ClusterRoleBinding(names),
        clusterroles: resources.rbacV1alpha1ClusterRole(names),
        rolebindings: resources.rbacV1alpha1RoleBinding(names),
        roles: resources.rbacV1alpha1Role(names),
      },
    }),
    resource: () => ({
      v1: {
        deviceclasses: resources.resourceV1DeviceClass(names),
        devicetaintrules: resources.resourceV1DeviceTaintRule(names),
        resourceclaims: resources.resourceV1ResourceClaim(names),
        resourceclaimtemplates: resources.resourceV1ResourceClaimTemplate(names),
        resourceslices: resources.resourceV1ResourceSlice(names),
      },
      v1beta2: {
        deviceclasses: resources.resourceV1beta2DeviceClass(names),
        devicetaintrules: resources.resourceV1beta2DeviceTaintRule(names),
        resourceclaims: resources.resourceV1beta2ResourceClaim(names),
        resourceclaimtemplates: resources.resourceV1beta2ResourceClaimTemplate(names),
        resourceslices: resources.resourceV1beta2ResourceSlice(names),
      },
      v1beta1: {
        deviceclasses: resources.resourceV1beta1DeviceClass(names),
        resourceclaims: resources.resourceV1beta1ResourceClaim(names),
        resourceclaimtemplates: resources.resourceV1beta1ResourceClaimTemplate(names),
        resourceslices: resources.resourceV1beta1ResourceSlice(names),
      },
      v1alpha3: {
        deviceclasses: resources.resourceV1alpha3DeviceClass(names),
        devicetaintrules: resources.resourceV1alpha3DeviceTaintRule(names),
        podschedulingcontexts: resources.resourceV1alpha3PodSchedulingContext(names),
        resourceclaims: resources.resourceV1alpha3ResourceClaim(names),
        resourceclaimtemplates: resources.resourceV1alpha3ResourceClaimTemplate(names),
        resourcepoolstatusrequests: resources.resourceV1alpha3ResourcePoolStatusRequest(names),
        resourceslices: resources.resourceV1alpha3ResourceSlice(names),
      },
      v1alpha2: {
        podschedulingcontexts: resources.resourceV1alpha2PodSchedulingContext(names),
        resourceclaims: resources.resourceV1alpha2ResourceClaim(names),
        resourceclaimparameters: resources.resourceV1alpha2ResourceClaimParameters(names),
        resourceclaimtemplates: resources.resourceV1alpha2ResourceClaimTemplate(names),
        resourceclasses: resources.resourceV1alpha2ResourceClass(names),
        resourceclassparameters: resources.resourceV1alpha2ResourceClassParameters(names),
        resourceslices: resources.resourceV1alpha2ResourceSlice(names),
      },
      v1alpha1: {
        podschedulings: resources.resourceV1alpha1PodScheduling(names),
        resourceclaims: resources.resourceV1alpha1ResourceClaim(names),
        resourceclaimtemplates: resources.resourceV1alpha1ResourceClaimTemplate(names),
        resourceclasses: resources.resourceV1alpha1ResourceClass(names),
      },
    }),
    scheduling: () => ({
      v1alpha3: {
        compositepodgroups: resources.schedulingV1alpha3CompositePodGroup(names),
        podgroups: resources.schedulingV1alpha3PodGroup(names),
        workloads: resources.schedulingV1alpha3Workload(names),
      },
      v1beta1: {
        podgroups: resources.schedulingV1beta1PodGroup(names),
        priorityclasses: resources.schedulingV1beta1PriorityClass(names),
        workloads: resources.schedulingV1beta1Workload(names),
      },
      v1alpha2: {
        podgroups: resources.schedulingV1alpha2PodGroup(names),
        workloads: resources.schedulingV1alpha2Workload(names),
      },
      v1: {
        priorityclasses: resources.schedulingV1PriorityClass(names),
      },
      v1alpha1: {
        priorityclasses: resources.schedulingV1alpha1PriorityClass(names),
        workloads: resources.schedulingV1alpha1Workload(names),
      },
    }),
    settings: () => ({
      v1alpha1: {
        podpresets: resources.settingsV1alpha1PodPreset(names),
      },
    }),
    storage: () => ({
      v1: {
        csidrivers: resources.storageV1CSIDriver(names),
        csinodes: resources.storageV1CSINode(names),
        csistoragecapacities: resources.storageV1CSIStorageCapacity(names),
        storageclasses: resources.storageV1StorageClass(names),
        volumeattachments: resources.storageV1VolumeAttachment(names),
        volumeattributesclasses: resources.storageV1VolumeAttributesClass(names),
      },
      v1beta1: {
        csidrivers: resources.storageV1beta1CSIDriver(names),
        csinodes: resources.storageV1beta1CSINode(names),
        csistoragecapacities: resources.storageV1beta1CSIStorageCapacity(names),
        storageclasses: resources.storageV1beta1StorageClass(names),
        volumeattachments: resources.storageV1beta1VolumeAttachment(names),
        volumeattributesclasses: resources.storageV1beta1VolumeAttributesClass(names),
      },
      v1alpha1: {
        csistoragecapacities: resources.storageV1alpha1CSIStorageCapacity(names),
        volumeattachments: resources.storageV1alpha1VolumeAttachment(names),
        volumeattributesclasses: resources.storageV1alpha1VolumeAttributesClass(names),
      },
    }),
    storagemigration: () => ({
      v1: {
        storageversionmigrations: resources.storagemigrationV1StorageVersionMigration(names),
      },
      v1beta1: {
        storageversionmigrations: resources.storagemigrationV1beta1StorageVersionMigration(names),
      },
      v1alpha1: {
        storageversionmigrations: resources.storagemigrationV1alpha1StorageVersionMigration(names),
      },
    }),
  });
