// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Names } from '@orch/machinery';
import { clusterResource, namespacedResource } from '../resources/builtin-resource.ts';
import type { TypedResource } from '../resources/typed-resource.ts';
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
import type * as lifecycle from './lifecycle.ts';
import type * as networking from './networking.ts';
import type * as node from './node.ts';
import type * as policy from './policy.ts';
import type * as rbac from './rbac.ts';
import type * as resource from './resource.ts';
import type * as scheduling from './scheduling.ts';
import type * as settings from './settings.ts';
import type * as storage from './storage.ts';
import type * as storagemigration from './storagemigration.ts';

/** The resource mutatingadmissionpolicies of admissionregistration/v1, under the names of one naming. */
export const admissionregistrationV1MutatingAdmissionPolicy = (
  names: Names,
): TypedResource<admissionregistration.MutatingAdmissionPolicy> =>
  clusterResource(names, 'admissionregistration/v1/mutatingadmissionpolicies', 'MutatingAdmissionPolicy');

/** The resource mutatingadmissionpolicybindings of admissionregistration/v1, under the names of one naming. */
export const admissionregistrationV1MutatingAdmissionPolicyBinding = (
  names: Names,
): TypedResource<admissionregistration.MutatingAdmissionPolicyBinding> =>
  clusterResource(
    names,
    'admissionregistration/v1/mutatingadmissionpolicybindings',
    'MutatingAdmissionPolicyBinding',
  );

/** The resource mutatingwebhookconfigurations of admissionregistration/v1, under the names of one naming. */
export const admissionregistrationV1MutatingWebhookConfiguration = (
  names: Names,
): TypedResource<admissionregistration.MutatingWebhookConfiguration> =>
  clusterResource(
    names,
    'admissionregistration/v1/mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
  );

/** The resource validatingadmissionpolicies of admissionregistration/v1, under the names of one naming. */
export const admissionregistrationV1ValidatingAdmissionPolicy = (
  names: Names,
): TypedResource<admissionregistration.ValidatingAdmissionPolicy> =>
  clusterResource(names, 'admissionregistration/v1/validatingadmissionpolicies', 'ValidatingAdmissionPolicy');

/** The resource validatingadmissionpolicybindings of admissionregistration/v1, under the names of one naming. */
export const admissionregistrationV1ValidatingAdmissionPolicyBinding = (
  names: Names,
): TypedResource<admissionregistration.ValidatingAdmissionPolicyBinding> =>
  clusterResource(
    names,
    'admissionregistration/v1/validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
  );

/** The resource validatingwebhookconfigurations of admissionregistration/v1, under the names of one naming. */
export const admissionregistrationV1ValidatingWebhookConfiguration = (
  names: Names,
): TypedResource<admissionregistration.ValidatingWebhookConfiguration> =>
  clusterResource(
    names,
    'admissionregistration/v1/validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
  );

/** The resource mutatingadmissionpolicies of admissionregistration/v1alpha1, under the names of one naming. */
export const admissionregistrationV1alpha1MutatingAdmissionPolicy = (
  names: Names,
): TypedResource<admissionregistration.MutatingAdmissionPolicyV1alpha1> =>
  clusterResource(
    names,
    'admissionregistration/v1alpha1/mutatingadmissionpolicies',
    'MutatingAdmissionPolicy',
  );

/** The resource mutatingadmissionpolicybindings of admissionregistration/v1alpha1, under the names of one naming. */
export const admissionregistrationV1alpha1MutatingAdmissionPolicyBinding = (
  names: Names,
): TypedResource<admissionregistration.MutatingAdmissionPolicyBindingV1alpha1> =>
  clusterResource(
    names,
    'admissionregistration/v1alpha1/mutatingadmissionpolicybindings',
    'MutatingAdmissionPolicyBinding',
  );

/** The resource validatingadmissionpolicies of admissionregistration/v1alpha1, under the names of one naming. */
export const admissionregistrationV1alpha1ValidatingAdmissionPolicy = (
  names: Names,
): TypedResource<admissionregistration.ValidatingAdmissionPolicyV1alpha1> =>
  clusterResource(
    names,
    'admissionregistration/v1alpha1/validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
  );

/** The resource validatingadmissionpolicybindings of admissionregistration/v1alpha1, under the names of one naming. */
export const admissionregistrationV1alpha1ValidatingAdmissionPolicyBinding = (
  names: Names,
): TypedResource<admissionregistration.ValidatingAdmissionPolicyBindingV1alpha1> =>
  clusterResource(
    names,
    'admissionregistration/v1alpha1/validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
  );

/** The resource mutatingadmissionpolicies of admissionregistration/v1beta1, under the names of one naming. */
export const admissionregistrationV1beta1MutatingAdmissionPolicy = (
  names: Names,
): TypedResource<admissionregistration.MutatingAdmissionPolicyV1beta1> =>
  clusterResource(
    names,
    'admissionregistration/v1beta1/mutatingadmissionpolicies',
    'MutatingAdmissionPolicy',
  );

/** The resource mutatingadmissionpolicybindings of admissionregistration/v1beta1, under the names of one naming. */
export const admissionregistrationV1beta1MutatingAdmissionPolicyBinding = (
  names: Names,
): TypedResource<admissionregistration.MutatingAdmissionPolicyBindingV1beta1> =>
  clusterResource(
    names,
    'admissionregistration/v1beta1/mutatingadmissionpolicybindings',
    'MutatingAdmissionPolicyBinding',
  );

/** The resource mutatingwebhookconfigurations of admissionregistration/v1beta1, under the names of one naming. */
export const admissionregistrationV1beta1MutatingWebhookConfiguration = (
  names: Names,
): TypedResource<admissionregistration.MutatingWebhookConfigurationV1beta1> =>
  clusterResource(
    names,
    'admissionregistration/v1beta1/mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
  );

/** The resource validatingadmissionpolicies of admissionregistration/v1beta1, under the names of one naming. */
export const admissionregistrationV1beta1ValidatingAdmissionPolicy = (
  names: Names,
): TypedResource<admissionregistration.ValidatingAdmissionPolicyV1beta1> =>
  clusterResource(
    names,
    'admissionregistration/v1beta1/validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
  );

/** The resource validatingadmissionpolicybindings of admissionregistration/v1beta1, under the names of one naming. */
export const admissionregistrationV1beta1ValidatingAdmissionPolicyBinding = (
  names: Names,
): TypedResource<admissionregistration.ValidatingAdmissionPolicyBindingV1beta1> =>
  clusterResource(
    names,
    'admissionregistration/v1beta1/validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
  );

/** The resource validatingwebhookconfigurations of admissionregistration/v1beta1, under the names of one naming. */
export const admissionregistrationV1beta1ValidatingWebhookConfiguration = (
  names: Names,
): TypedResource<admissionregistration.ValidatingWebhookConfigurationV1beta1> =>
  clusterResource(
    names,
    'admissionregistration/v1beta1/validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
  );

/** The resource customresourcedefinitions of apiextensions/v1, under the names of one naming. */
export const apiextensionsV1CustomResourceDefinition = (
  names: Names,
): TypedResource<apiextensions.CustomResourceDefinition> =>
  clusterResource(names, 'apiextensions/v1/customresourcedefinitions', 'CustomResourceDefinition');

/** The resource customresourcedefinitions of apiextensions/v1beta1, under the names of one naming. */
export const apiextensionsV1beta1CustomResourceDefinition = (
  names: Names,
): TypedResource<apiextensions.CustomResourceDefinitionV1beta1> =>
  clusterResource(names, 'apiextensions/v1beta1/customresourcedefinitions', 'CustomResourceDefinition');

/** The resource apiservices of apiregistration/v1, under the names of one naming. */
export const apiregistrationV1APIService = (names: Names): TypedResource<apiregistration.APIService> =>
  clusterResource(names, 'apiregistration/v1/apiservices', 'APIService');

/** The resource apiservices of apiregistration/v1beta1, under the names of one naming. */
export const apiregistrationV1beta1APIService = (names: Names): TypedResource<apiregistration.APIService> =>
  clusterResource(names, 'apiregistration/v1beta1/apiservices', 'APIService');

/** The resource storageversions of apiserverinternal/v1alpha1, under the names of one naming. */
export const apiserverinternalV1alpha1StorageVersion = (
  names: Names,
): TypedResource<apiserverinternal.StorageVersionV1alpha1> =>
  clusterResource(names, 'apiserverinternal/v1alpha1/storageversions', 'StorageVersion');

/** The resource controllerrevisions of apps/v1, under the names of one naming. */
export const appsV1ControllerRevision = (names: Names): TypedResource<apps.ControllerRevision> =>
  namespacedResource(names, 'apps/v1/controllerrevisions', 'ControllerRevision');

/** The resource daemonsets of apps/v1, under the names of one naming. */
export const appsV1DaemonSet = (names: Names): TypedResource<apps.DaemonSet> =>
  namespacedResource(names, 'apps/v1/daemonsets', 'DaemonSet');

/** The resource deployments of apps/v1, under the names of one naming. */
export const appsV1Deployment = (names: Names): TypedResource<apps.Deployment> =>
  namespacedResource(names, 'apps/v1/deployments', 'Deployment');

/** The resource replicasets of apps/v1, under the names of one naming. */
export const appsV1ReplicaSet = (names: Names): TypedResource<apps.ReplicaSet> =>
  namespacedResource(names, 'apps/v1/replicasets', 'ReplicaSet');

/** The resource statefulsets of apps/v1, under the names of one naming. */
export const appsV1StatefulSet = (names: Names): TypedResource<apps.StatefulSet> =>
  namespacedResource(names, 'apps/v1/statefulsets', 'StatefulSet');

/** The resource controllerrevisions of apps/v1beta1, under the names of one naming. */
export const appsV1beta1ControllerRevision = (names: Names): TypedResource<apps.ControllerRevision> =>
  namespacedResource(names, 'apps/v1beta1/controllerrevisions', 'ControllerRevision');

/** The resource deployments of apps/v1beta1, under the names of one naming. */
export const appsV1beta1Deployment = (names: Names): TypedResource<apps.DeploymentV1beta1> =>
  namespacedResource(names, 'apps/v1beta1/deployments', 'Deployment');

/** The resource statefulsets of apps/v1beta1, under the names of one naming. */
export const appsV1beta1StatefulSet = (names: Names): TypedResource<apps.StatefulSetV1beta1> =>
  namespacedResource(names, 'apps/v1beta1/statefulsets', 'StatefulSet');

/** The resource controllerrevisions of apps/v1beta2, under the names of one naming. */
export const appsV1beta2ControllerRevision = (names: Names): TypedResource<apps.ControllerRevision> =>
  namespacedResource(names, 'apps/v1beta2/controllerrevisions', 'ControllerRevision');

/** The resource daemonsets of apps/v1beta2, under the names of one naming. */
export const appsV1beta2DaemonSet = (names: Names): TypedResource<apps.DaemonSet> =>
  namespacedResource(names, 'apps/v1beta2/daemonsets', 'DaemonSet');

/** The resource deployments of apps/v1beta2, under the names of one naming. */
export const appsV1beta2Deployment = (names: Names): TypedResource<apps.Deployment> =>
  namespacedResource(names, 'apps/v1beta2/deployments', 'Deployment');

/** The resource replicasets of apps/v1beta2, under the names of one naming. */
export const appsV1beta2ReplicaSet = (names: Names): TypedResource<apps.ReplicaSet> =>
  namespacedResource(names, 'apps/v1beta2/replicasets', 'ReplicaSet');

/** The resource statefulsets of apps/v1beta2, under the names of one naming. */
export const appsV1beta2StatefulSet = (names: Names): TypedResource<apps.StatefulSet> =>
  namespacedResource(names, 'apps/v1beta2/statefulsets', 'StatefulSet');

/** The resource auditsinks of auditregistration/v1alpha1, under the names of one naming. */
export const auditregistrationV1alpha1AuditSink = (
  names: Names,
): TypedResource<auditregistration.AuditSinkV1alpha1> =>
  clusterResource(names, 'auditregistration/v1alpha1/auditsinks', 'AuditSink');

/** The resource selfsubjectreviews of authentication/v1, under the names of one naming. */
export const authenticationV1SelfSubjectReview = (
  names: Names,
): TypedResource<authentication.SelfSubjectReview> =>
  clusterResource(names, 'authentication/v1/selfsubjectreviews', 'SelfSubjectReview');

/** The resource tokenreviews of authentication/v1, under the names of one naming. */
export const authenticationV1TokenReview = (names: Names): TypedResource<authentication.TokenReview> =>
  clusterResource(names, 'authentication/v1/tokenreviews', 'TokenReview');

/** The resource selfsubjectreviews of authentication/v1alpha1, under the names of one naming. */
export const authenticationV1alpha1SelfSubjectReview = (
  names: Names,
): TypedResource<authentication.SelfSubjectReview> =>
  clusterResource(names, 'authentication/v1alpha1/selfsubjectreviews', 'SelfSubjectReview');

/** The resource selfsubjectreviews of authentication/v1beta1, under the names of one naming. */
export const authenticationV1beta1SelfSubjectReview = (
  names: Names,
): TypedResource<authentication.SelfSubjectReview> =>
  clusterResource(names, 'authentication/v1beta1/selfsubjectreviews', 'SelfSubjectReview');

/** The resource tokenreviews of authentication/v1beta1, under the names of one naming. */
export const authenticationV1beta1TokenReview = (names: Names): TypedResource<authentication.TokenReview> =>
  clusterResource(names, 'authentication/v1beta1/tokenreviews', 'TokenReview');

/** The resource localsubjectaccessreviews of authorization/v1, under the names of one naming. */
export const authorizationV1LocalSubjectAccessReview = (
  names: Names,
): TypedResource<authorization.LocalSubjectAccessReview> =>
  namespacedResource(names, 'authorization/v1/localsubjectaccessreviews', 'LocalSubjectAccessReview');

/** The resource selfsubjectaccessreviews of authorization/v1, under the names of one naming. */
export const authorizationV1SelfSubjectAccessReview = (
  names: Names,
): TypedResource<authorization.SelfSubjectAccessReview> =>
  clusterResource(names, 'authorization/v1/selfsubjectaccessreviews', 'SelfSubjectAccessReview');

/** The resource selfsubjectrulesreviews of authorization/v1, under the names of one naming. */
export const authorizationV1SelfSubjectRulesReview = (
  names: Names,
): TypedResource<authorization.SelfSubjectRulesReview> =>
  clusterResource(names, 'authorization/v1/selfsubjectrulesreviews', 'SelfSubjectRulesReview');

/** The resource subjectaccessreviews of authorization/v1, under the names of one naming. */
export const authorizationV1SubjectAccessReview = (
  names: Names,
): TypedResource<authorization.SubjectAccessReview> =>
  clusterResource(names, 'authorization/v1/subjectaccessreviews', 'SubjectAccessReview');

/** The resource localsubjectaccessreviews of authorization/v1beta1, under the names of one naming. */
export const authorizationV1beta1LocalSubjectAccessReview = (
  names: Names,
): TypedResource<authorization.LocalSubjectAccessReviewV1beta1> =>
  namespacedResource(names, 'authorization/v1beta1/localsubjectaccessreviews', 'LocalSubjectAccessReview');

/** The resource selfsubjectaccessreviews of authorization/v1beta1, under the names of one naming. */
export const authorizationV1beta1SelfSubjectAccessReview = (
  names: Names,
): TypedResource<authorization.SelfSubjectAccessReview> =>
  clusterResource(names, 'authorization/v1beta1/selfsubjectaccessreviews', 'SelfSubjectAccessReview');

/** The resource selfsubjectrulesreviews of authorization/v1beta1, under the names of one naming. */
export const authorizationV1beta1SelfSubjectRulesReview = (
  names: Names,
): TypedResource<authorization.SelfSubjectRulesReview> =>
  clusterResource(names, 'authorization/v1beta1/selfsubjectrulesreviews', 'SelfSubjectRulesReview');

/** The resource subjectaccessreviews of authorization/v1beta1, under the names of one naming. */
export const authorizationV1beta1SubjectAccessReview = (
  names: Names,
): TypedResource<authorization.SubjectAccessReviewV1beta1> =>
  clusterResource(names, 'authorization/v1beta1/subjectaccessreviews', 'SubjectAccessReview');

/** The resource horizontalpodautoscalers of autoscaling/v1, under the names of one naming. */
export const autoscalingV1HorizontalPodAutoscaler = (
  names: Names,
): TypedResource<autoscaling.HorizontalPodAutoscaler> =>
  namespacedResource(names, 'autoscaling/v1/horizontalpodautoscalers', 'HorizontalPodAutoscaler');

/** The resource horizontalpodautoscalers of autoscaling/v2, under the names of one naming. */
export const autoscalingV2HorizontalPodAutoscaler = (
  names: Names,
): TypedResource<autoscaling.HorizontalPodAutoscalerV2> =>
  namespacedResource(names, 'autoscaling/v2/horizontalpodautoscalers', 'HorizontalPodAutoscaler');

/** The resource horizontalpodautoscalers of autoscaling/v2beta1, under the names of one naming. */
export const autoscalingV2beta1HorizontalPodAutoscaler = (
  names: Names,
): TypedResource<autoscaling.HorizontalPodAutoscalerV2beta1> =>
  namespacedResource(names, 'autoscaling/v2beta1/horizontalpodautoscalers', 'HorizontalPodAutoscaler');

/** The resource horizontalpodautoscalers of autoscaling/v2beta2, under the names of one naming. */
export const autoscalingV2beta2HorizontalPodAutoscaler = (
  names: Names,
): TypedResource<autoscaling.HorizontalPodAutoscalerV2beta2> =>
  namespacedResource(names, 'autoscaling/v2beta2/horizontalpodautoscalers', 'HorizontalPodAutoscaler');

/** The resource cronjobs of batch/v1, under the names of one naming. */
export const batchV1CronJob = (names: Names): TypedResource<batch.CronJob> =>
  namespacedResource(names, 'batch/v1/cronjobs', 'CronJob');

/** The resource jobs of batch/v1, under the names of one naming. */
export const batchV1Job = (names: Names): TypedResource<batch.Job> =>
  namespacedResource(names, 'batch/v1/jobs', 'Job');

/** The resource cronjobs of batch/v1beta1, under the names of one naming. */
export const batchV1beta1CronJob = (names: Names): TypedResource<batch.CronJob> =>
  namespacedResource(names, 'batch/v1beta1/cronjobs', 'CronJob');

/** The resource cronjobs of batch/v2alpha1, under the names of one naming. */
export const batchV2alpha1CronJob = (names: Names): TypedResource<batch.CronJob> =>
  namespacedResource(names, 'batch/v2alpha1/cronjobs', 'CronJob');

/** The resource certificatesigningrequests of certificates/v1, under the names of one naming. */
export const certificatesV1CertificateSigningRequest = (
  names: Names,
): TypedResource<certificates.CertificateSigningRequest> =>
  clusterResource(names, 'certificates/v1/certificatesigningrequests', 'CertificateSigningRequest');

/** The resource clustertrustbundles of certificates/v1, under the names of one naming. */
export const certificatesV1ClusterTrustBundle = (
  names: Names,
): TypedResource<certificates.ClusterTrustBundle> =>
  clusterResource(names, 'certificates/v1/clustertrustbundles', 'ClusterTrustBundle');

/** The resource podcertificaterequests of certificates/v1, under the names of one naming. */
export const certificatesV1PodCertificateRequest = (
  names: Names,
): TypedResource<certificates.PodCertificateRequest> =>
  namespacedResource(names, 'certificates/v1/podcertificaterequests', 'PodCertificateRequest');

/** The resource clustertrustbundles of certificates/v1alpha1, under the names of one naming. */
export const certificatesV1alpha1ClusterTrustBundle = (
  names: Names,
): TypedResource<certificates.ClusterTrustBundle> =>
  clusterResource(names, 'certificates/v1alpha1/clustertrustbundles', 'ClusterTrustBundle');

/** The resource podcertificaterequests of certificates/v1alpha1, under the names of one naming. */
export const certificatesV1alpha1PodCertificateRequest = (
  names: Names,
): TypedResource<certificates.PodCertificateRequest> =>
  namespacedResource(names, 'certificates/v1alpha1/podcertificaterequests', 'PodCertificateRequest');

/** The resource certificatesigningrequests of certificates/v1beta1, under the names of one naming. */
export const certificatesV1beta1CertificateSigningRequest = (
  names: Names,
): TypedResource<certificates.CertificateSigningRequestV1beta1> =>
  clusterResource(names, 'certificates/v1beta1/certificatesigningrequests', 'CertificateSigningRequest');

/** The resource clustertrustbundles of certificates/v1beta1, under the names of one naming. */
export const certificatesV1beta1ClusterTrustBundle = (
  names: Names,
): TypedResource<certificates.ClusterTrustBundle> =>
  clusterResource(names, 'certificates/v1beta1/clustertrustbundles', 'ClusterTrustBundle');

/** The resource podcertificaterequests of certificates/v1beta1, under the names of one naming. */
export const certificatesV1beta1PodCertificateRequest = (
  names: Names,
): TypedResource<certificates.PodCertificateRequest> =>
  namespacedResource(names, 'certificates/v1beta1/podcertificaterequests', 'PodCertificateRequest');

/** The resource leases of coordination/v1, under the names of one naming. */
export const coordinationV1Lease = (names: Names): TypedResource<coordination.Lease> =>
  namespacedResource(names, 'coordination/v1/leases', 'Lease');

/** The resource leasecandidates of coordination/v1alpha1, under the names of one naming. */
export const coordinationV1alpha1LeaseCandidate = (
  names: Names,
): TypedResource<coordination.LeaseCandidateV1alpha1> =>
  namespacedResource(names, 'coordination/v1alpha1/leasecandidates', 'LeaseCandidate');

/** The resource leasecandidates of coordination/v1alpha2, under the names of one naming. */
export const coordinationV1alpha2LeaseCandidate = (
  names: Names,
): TypedResource<coordination.LeaseCandidateV1beta1> =>
  namespacedResource(names, 'coordination/v1alpha2/leasecandidates', 'LeaseCandidate');

/** The resource leases of coordination/v1beta1, under the names of one naming. */
export const coordinationV1beta1Lease = (names: Names): TypedResource<coordination.Lease> =>
  namespacedResource(names, 'coordination/v1beta1/leases', 'Lease');

/** The resource leasecandidates of coordination/v1beta1, under the names of one naming. */
export const coordinationV1beta1LeaseCandidate = (
  names: Names,
): TypedResource<coordination.LeaseCandidateV1beta1> =>
  namespacedResource(names, 'coordination/v1beta1/leasecandidates', 'LeaseCandidate');

/** The resource bindings of core/v1, under the names of one naming. */
export const coreV1Binding = (names: Names): TypedResource<core.Binding> =>
  namespacedResource(names, 'core/v1/bindings', 'Binding');

/** The resource componentstatuses of core/v1, under the names of one naming. */
export const coreV1ComponentStatus = (names: Names): TypedResource<core.ComponentStatus> =>
  clusterResource(names, 'core/v1/componentstatuses', 'ComponentStatus');

/** The resource configmaps of core/v1, under the names of one naming. */
export const coreV1ConfigMap = (names: Names): TypedResource<core.ConfigMap> =>
  namespacedResource(names, 'core/v1/configmaps', 'ConfigMap');

/** The resource endpoints of core/v1, under the names of one naming. */
export const coreV1Endpoints = (names: Names): TypedResource<core.Endpoints> =>
  namespacedResource(names, 'core/v1/endpoints', 'Endpoints');

/** The resource events of core/v1, under the names of one naming. */
export const coreV1Event = (names: Names): TypedResource<core.Event> =>
  namespacedResource(names, 'core/v1/events', 'Event');

/** The resource limitranges of core/v1, under the names of one naming. */
export const coreV1LimitRange = (names: Names): TypedResource<core.LimitRange> =>
  namespacedResource(names, 'core/v1/limitranges', 'LimitRange');

/** The resource namespaces of core/v1, under the names of one naming. */
export const coreV1Namespace = (names: Names): TypedResource<core.Namespace> =>
  clusterResource(names, 'core/v1/namespaces', 'Namespace');

/** The resource nodes of core/v1, under the names of one naming. */
export const coreV1Node = (names: Names): TypedResource<core.Node> =>
  clusterResource(names, 'core/v1/nodes', 'Node');

/** The resource persistentvolumes of core/v1, under the names of one naming. */
export const coreV1PersistentVolume = (names: Names): TypedResource<core.PersistentVolume> =>
  clusterResource(names, 'core/v1/persistentvolumes', 'PersistentVolume');

/** The resource persistentvolumeclaims of core/v1, under the names of one naming. */
export const coreV1PersistentVolumeClaim = (names: Names): TypedResource<core.PersistentVolumeClaim> =>
  namespacedResource(names, 'core/v1/persistentvolumeclaims', 'PersistentVolumeClaim');

/** The resource pods of core/v1, under the names of one naming. */
export const coreV1Pod = (names: Names): TypedResource<core.Pod> =>
  namespacedResource(names, 'core/v1/pods', 'Pod');

/** The resource podtemplates of core/v1, under the names of one naming. */
export const coreV1PodTemplate = (names: Names): TypedResource<core.PodTemplate> =>
  namespacedResource(names, 'core/v1/podtemplates', 'PodTemplate');

/** The resource replicationcontrollers of core/v1, under the names of one naming. */
export const coreV1ReplicationController = (names: Names): TypedResource<core.ReplicationController> =>
  namespacedResource(names, 'core/v1/replicationcontrollers', 'ReplicationController');

/** The resource resourcequotas of core/v1, under the names of one naming. */
export const coreV1ResourceQuota = (names: Names): TypedResource<core.ResourceQuota> =>
  namespacedResource(names, 'core/v1/resourcequotas', 'ResourceQuota');

/** The resource secrets of core/v1, under the names of one naming. */
export const coreV1Secret = (names: Names): TypedResource<core.Secret> =>
  namespacedResource(names, 'core/v1/secrets', 'Secret');

/** The resource services of core/v1, under the names of one naming. */
export const coreV1Service = (names: Names): TypedResource<core.Service> =>
  namespacedResource(names, 'core/v1/services', 'Service');

/** The resource serviceaccounts of core/v1, under the names of one naming. */
export const coreV1ServiceAccount = (names: Names): TypedResource<core.ServiceAccount> =>
  namespacedResource(names, 'core/v1/serviceaccounts', 'ServiceAccount');

/** The resource endpointslices of discovery/v1, under the names of one naming. */
export const discoveryV1EndpointSlice = (names: Names): TypedResource<discovery.EndpointSlice> =>
  namespacedResource(names, 'discovery/v1/endpointslices', 'EndpointSlice');

/** The resource endpointslices of discovery/v1alpha1, under the names of one naming. */
export const discoveryV1alpha1EndpointSlice = (
  names: Names,
): TypedResource<discovery.EndpointSliceV1alpha1> =>
  namespacedResource(names, 'discovery/v1alpha1/endpointslices', 'EndpointSlice');

/** The resource endpointslices of discovery/v1beta1, under the names of one naming. */
export const discoveryV1beta1EndpointSlice = (names: Names): TypedResource<discovery.EndpointSliceV1beta1> =>
  namespacedResource(names, 'discovery/v1beta1/endpointslices', 'EndpointSlice');

/** The resource events of events/v1, under the names of one naming. */
export const eventsV1Event = (names: Names): TypedResource<events.Event> =>
  namespacedResource(names, 'events/v1/events', 'Event');

/** The resource events of events/v1beta1, under the names of one naming. */
export const eventsV1beta1Event = (names: Names): TypedResource<events.EventV1beta1> =>
  namespacedResource(names, 'events/v1beta1/events', 'Event');

/** The resource daemonsets of extensions/v1beta1, under the names of one naming. */
export const extensionsV1beta1DaemonSet = (names: Names): TypedResource<extensions.DaemonSetV1beta1> =>
  namespacedResource(names, 'extensions/v1beta1/daemonsets', 'DaemonSet');

/** The resource deployments of extensions/v1beta1, under the names of one naming. */
export const extensionsV1beta1Deployment = (names: Names): TypedResource<extensions.DeploymentV1beta1> =>
  namespacedResource(names, 'extensions/v1beta1/deployments', 'Deployment');

/** The resource ingresses of extensions/v1beta1, under the names of one naming. */
export const extensionsV1beta1Ingress = (names: Names): TypedResource<networking.IngressV1beta1> =>
  namespacedResource(names, 'extensions/v1beta1/ingresses', 'Ingress');

/** The resource networkpolicies of extensions/v1beta1, under the names of one naming. */
export const extensionsV1beta1NetworkPolicy = (names: Names): TypedResource<networking.NetworkPolicy> =>
  namespacedResource(names, 'extensions/v1beta1/networkpolicies', 'NetworkPolicy');

/** The resource podsecuritypolicies of extensions/v1beta1, under the names of one naming. */
export const extensionsV1beta1PodSecurityPolicy = (
  names: Names,
): TypedResource<policy.PodSecurityPolicyV1beta1> =>
  clusterResource(names, 'extensions/v1beta1/podsecuritypolicies', 'PodSecurityPolicy');

/** The resource replicasets of extensions/v1beta1, under the names of one naming. */
export const extensionsV1beta1ReplicaSet = (names: Names): TypedResource<extensions.ReplicaSetV1beta1> =>
  namespacedResource(names, 'extensions/v1beta1/replicasets', 'ReplicaSet');

/** The resource flowschemas of flowcontrol/v1, under the names of one naming. */
export const flowcontrolV1FlowSchema = (names: Names): TypedResource<flowcontrol.FlowSchemaV1beta3> =>
  clusterResource(names, 'flowcontrol/v1/flowschemas', 'FlowSchema');

/** The resource prioritylevelconfigurations of flowcontrol/v1, under the names of one naming. */
export const flowcontrolV1PriorityLevelConfiguration = (
  names: Names,
): TypedResource<flowcontrol.PriorityLevelConfiguration> =>
  clusterResource(names, 'flowcontrol/v1/prioritylevelconfigurations', 'PriorityLevelConfiguration');

/** The resource flowschemas of flowcontrol/v1alpha1, under the names of one naming. */
export const flowcontrolV1alpha1FlowSchema = (names: Names): TypedResource<flowcontrol.FlowSchemaV1beta2> =>
  clusterResource(names, 'flowcontrol/v1alpha1/flowschemas', 'FlowSchema');

/** The resource prioritylevelconfigurations of flowcontrol/v1alpha1, under the names of one naming. */
export const flowcontrolV1alpha1PriorityLevelConfiguration = (
  names: Names,
): TypedResource<flowcontrol.PriorityLevelConfigurationV1beta2> =>
  clusterResource(names, 'flowcontrol/v1alpha1/prioritylevelconfigurations', 'PriorityLevelConfiguration');

/** The resource flowschemas of flowcontrol/v1beta1, under the names of one naming. */
export const flowcontrolV1beta1FlowSchema = (names: Names): TypedResource<flowcontrol.FlowSchemaV1beta2> =>
  clusterResource(names, 'flowcontrol/v1beta1/flowschemas', 'FlowSchema');

/** The resource prioritylevelconfigurations of flowcontrol/v1beta1, under the names of one naming. */
export const flowcontrolV1beta1PriorityLevelConfiguration = (
  names: Names,
): TypedResource<flowcontrol.PriorityLevelConfigurationV1beta2> =>
  clusterResource(names, 'flowcontrol/v1beta1/prioritylevelconfigurations', 'PriorityLevelConfiguration');

/** The resource flowschemas of flowcontrol/v1beta2, under the names of one naming. */
export const flowcontrolV1beta2FlowSchema = (names: Names): TypedResource<flowcontrol.FlowSchemaV1beta2> =>
  clusterResource(names, 'flowcontrol/v1beta2/flowschemas', 'FlowSchema');

/** The resource prioritylevelconfigurations of flowcontrol/v1beta2, under the names of one naming. */
export const flowcontrolV1beta2PriorityLevelConfiguration = (
  names: Names,
): TypedResource<flowcontrol.PriorityLevelConfigurationV1beta2> =>
  clusterResource(names, 'flowcontrol/v1beta2/prioritylevelconfigurations', 'PriorityLevelConfiguration');

/** The resource flowschemas of flowcontrol/v1beta3, under the names of one naming. */
export const flowcontrolV1beta3FlowSchema = (names: Names): TypedResource<flowcontrol.FlowSchemaV1beta3> =>
  clusterResource(names, 'flowcontrol/v1beta3/flowschemas', 'FlowSchema');

/** The resource prioritylevelconfigurations of flowcontrol/v1beta3, under the names of one naming. */
export const flowcontrolV1beta3PriorityLevelConfiguration = (
  names: Names,
): TypedResource<flowcontrol.PriorityLevelConfigurationV1beta3> =>
  clusterResource(names, 'flowcontrol/v1beta3/prioritylevelconfigurations', 'PriorityLevelConfiguration');

/** The resource evictions of lifecycle/v1alpha1, under the names of one naming. */
export const lifecycleV1alpha1Eviction = (names: Names): TypedResource<lifecycle.EvictionV1alpha1> =>
  namespacedResource(names, 'lifecycle/v1alpha1/evictions', 'Eviction');

/** The resource evictionrequests of lifecycle/v1alpha1, under the names of one naming. */
export const lifecycleV1alpha1EvictionRequest = (
  names: Names,
): TypedResource<lifecycle.EvictionRequestV1alpha1> =>
  namespacedResource(names, 'lifecycle/v1alpha1/evictionrequests', 'EvictionRequest');

/** The resource ipaddresses of networking/v1, under the names of one naming. */
export const networkingV1IPAddress = (names: Names): TypedResource<networking.IPAddress> =>
  clusterResource(names, 'networking/v1/ipaddresses', 'IPAddress');

/** The resource ingresses of networking/v1, under the names of one naming. */
export const networkingV1Ingress = (names: Names): TypedResource<networking.Ingress> =>
  namespacedResource(names, 'networking/v1/ingresses', 'Ingress');

/** The resource ingressclasses of networking/v1, under the names of one naming. */
export const networkingV1IngressClass = (names: Names): TypedResource<networking.IngressClass> =>
  clusterResource(names, 'networking/v1/ingressclasses', 'IngressClass');

/** The resource networkpolicies of networking/v1, under the names of one naming. */
export const networkingV1NetworkPolicy = (names: Names): TypedResource<networking.NetworkPolicy> =>
  namespacedResource(names, 'networking/v1/networkpolicies', 'NetworkPolicy');

/** The resource servicecidrs of networking/v1, under the names of one naming. */
export const networkingV1ServiceCIDR = (names: Names): TypedResource<networking.ServiceCIDR> =>
  clusterResource(names, 'networking/v1/servicecidrs', 'ServiceCIDR');

/** The resource clustercidrs of networking/v1alpha1, under the names of one naming. */
export const networkingV1alpha1ClusterCIDR = (names: Names): TypedResource<networking.ClusterCIDRV1alpha1> =>
  clusterResource(names, 'networking/v1alpha1/clustercidrs', 'ClusterCIDR');

/** The resource ipaddresses of networking/v1alpha1, under the names of one naming. */
export const networkingV1alpha1IPAddress = (names: Names): TypedResource<networking.IPAddress> =>
  clusterResource(names, 'networking/v1alpha1/ipaddresses', 'IPAddress');

/** The resource servicecidrs of networking/v1alpha1, under the names of one naming. */
export const networkingV1alpha1ServiceCIDR = (names: Names): TypedResource<networking.ServiceCIDR> =>
  clusterResource(names, 'networking/v1alpha1/servicecidrs', 'ServiceCIDR');

/** The resource ipaddresses of networking/v1beta1, under the names of one naming. */
export const networkingV1beta1IPAddress = (names: Names): TypedResource<networking.IPAddress> =>
  clusterResource(names, 'networking/v1beta1/ipaddresses', 'IPAddress');

/** The resource ingresses of networking/v1beta1, under the names of one naming. */
export const networkingV1beta1Ingress = (names: Names): TypedResource<networking.IngressV1beta1> =>
  namespacedResource(names, 'networking/v1beta1/ingresses', 'Ingress');

/** The resource ingressclasses of networking/v1beta1, under the names of one naming. */
export const networkingV1beta1IngressClass = (names: Names): TypedResource<networking.IngressClass> =>
  clusterResource(names, 'networking/v1beta1/ingressclasses', 'IngressClass');

/** The resource servicecidrs of networking/v1beta1, under the names of one naming. */
export const networkingV1beta1ServiceCIDR = (names: Names): TypedResource<networking.ServiceCIDR> =>
  clusterResource(names, 'networking/v1beta1/servicecidrs', 'ServiceCIDR');

/** The resource runtimeclasses of node/v1, under the names of one naming. */
export const nodeV1RuntimeClass = (names: Names): TypedResource<node.RuntimeClass> =>
  clusterResource(names, 'node/v1/runtimeclasses', 'RuntimeClass');

/** The resource runtimeclasses of node/v1alpha1, under the names of one naming. */
export const nodeV1alpha1RuntimeClass = (names: Names): TypedResource<node.RuntimeClassV1alpha1> =>
  clusterResource(names, 'node/v1alpha1/runtimeclasses', 'RuntimeClass');

/** The resource runtimeclasses of node/v1beta1, under the names of one naming. */
export const nodeV1beta1RuntimeClass = (names: Names): TypedResource<node.RuntimeClass> =>
  clusterResource(names, 'node/v1beta1/runtimeclasses', 'RuntimeClass');

/** The resource poddisruptionbudgets of policy/v1, under the names of one naming. */
export const policyV1PodDisruptionBudget = (names: Names): TypedResource<policy.PodDisruptionBudget> =>
  namespacedResource(names, 'policy/v1/poddisruptionbudgets', 'PodDisruptionBudget');

/** The resource poddisruptionbudgets of policy/v1beta1, under the names of one naming. */
export const policyV1beta1PodDisruptionBudget = (
  names: Names,
): TypedResource<policy.PodDisruptionBudgetV1beta1> =>
  namespacedResource(names, 'policy/v1beta1/poddisruptionbudgets', 'PodDisruptionBudget');

/** The resource podsecuritypolicies of policy/v1beta1, under the names of one naming. */
export const policyV1beta1PodSecurityPolicy = (
  names: Names,
): TypedResource<policy.PodSecurityPolicyV1beta1> =>
  clusterResource(names, 'policy/v1beta1/podsecuritypolicies', 'PodSecurityPolicy');

/** The resource clusterroles of rbac/v1, under the names of one naming. */
export const rbacV1ClusterRole = (names: Names): TypedResource<rbac.ClusterRole> =>
  clusterResource(names, 'rbac/v1/clusterroles', 'ClusterRole');

/** The resource clusterrolebindings of rbac/v1, under the names of one naming. */
export const rbacV1ClusterRoleBinding = (names: Names): TypedResource<rbac.ClusterRoleBinding> =>
  clusterResource(names, 'rbac/v1/clusterrolebindings', 'ClusterRoleBinding');

/** The resource roles of rbac/v1, under the names of one naming. */
export const rbacV1Role = (names: Names): TypedResource<rbac.Role> =>
  namespacedResource(names, 'rbac/v1/roles', 'Role');

/** The resource rolebindings of rbac/v1, under the names of one naming. */
export const rbacV1RoleBinding = (names: Names): TypedResource<rbac.RoleBinding> =>
  namespacedResource(names, 'rbac/v1/rolebindings', 'RoleBinding');

/** The resource clusterroles of rbac/v1alpha1, under the names of one naming. */
export const rbacV1alpha1ClusterRole = (names: Names): TypedResource<rbac.ClusterRoleV1alpha1> =>
  clusterResource(names, 'rbac/v1alpha1/clusterroles', 'ClusterRole');

/** The resource clusterrolebindings of rbac/v1alpha1, under the names of one naming. */
export const rbacV1alpha1ClusterRoleBinding = (
  names: Names,
): TypedResource<rbac.ClusterRoleBindingV1alpha1> =>
  clusterResource(names, 'rbac/v1alpha1/clusterrolebindings', 'ClusterRoleBinding');

/** The resource roles of rbac/v1alpha1, under the names of one naming. */
export const rbacV1alpha1Role = (names: Names): TypedResource<rbac.RoleV1alpha1> =>
  namespacedResource(names, 'rbac/v1alpha1/roles', 'Role');

/** The resource rolebindings of rbac/v1alpha1, under the names of one naming. */
export const rbacV1alpha1RoleBinding = (names: Names): TypedResource<rbac.RoleBindingV1alpha1> =>
  namespacedResource(names, 'rbac/v1alpha1/rolebindings', 'RoleBinding');

/** The resource clusterroles of rbac/v1beta1, under the names of one naming. */
export const rbacV1beta1ClusterRole = (names: Names): TypedResource<rbac.ClusterRole> =>
  clusterResource(names, 'rbac/v1beta1/clusterroles', 'ClusterRole');

/** The resource clusterrolebindings of rbac/v1beta1, under the names of one naming. */
export const rbacV1beta1ClusterRoleBinding = (names: Names): TypedResource<rbac.ClusterRoleBinding> =>
  clusterResource(names, 'rbac/v1beta1/clusterrolebindings', 'ClusterRoleBinding');

/** The resource roles of rbac/v1beta1, under the names of one naming. */
export const rbacV1beta1Role = (names: Names): TypedResource<rbac.Role> =>
  namespacedResource(names, 'rbac/v1beta1/roles', 'Role');

/** The resource rolebindings of rbac/v1beta1, under the names of one naming. */
export const rbacV1beta1RoleBinding = (names: Names): TypedResource<rbac.RoleBinding> =>
  namespacedResource(names, 'rbac/v1beta1/rolebindings', 'RoleBinding');

/** The resource deviceclasses of resource/v1, under the names of one naming. */
export const resourceV1DeviceClass = (names: Names): TypedResource<resource.DeviceClass> =>
  clusterResource(names, 'resource/v1/deviceclasses', 'DeviceClass');

/** The resource devicetaintrules of resource/v1, under the names of one naming. */
export const resourceV1DeviceTaintRule = (names: Names): TypedResource<resource.DeviceTaintRule> =>
  clusterResource(names, 'resource/v1/devicetaintrules', 'DeviceTaintRule');

/** The resource resourceclaims of resource/v1, under the names of one naming. */
export const resourceV1ResourceClaim = (names: Names): TypedResource<resource.ResourceClaim> =>
  namespacedResource(names, 'resource/v1/resourceclaims', 'ResourceClaim');

/** The resource resourceclaimtemplates of resource/v1, under the names of one naming. */
export const resourceV1ResourceClaimTemplate = (
  names: Names,
): TypedResource<resource.ResourceClaimTemplate> =>
  namespacedResource(names, 'resource/v1/resourceclaimtemplates', 'ResourceClaimTemplate');

/** The resource resourceslices of resource/v1, under the names of one naming. */
export const resourceV1ResourceSlice = (names: Names): TypedResource<resource.ResourceSlice> =>
  clusterResource(names, 'resource/v1/resourceslices', 'ResourceSlice');

/** The resource podschedulings of resource/v1alpha1, under the names of one naming. */
export const resourceV1alpha1PodScheduling = (names: Names): TypedResource<resource.PodSchedulingV1alpha1> =>
  namespacedResource(names, 'resource/v1alpha1/podschedulings', 'PodScheduling');

/** The resource resourceclaims of resource/v1alpha1, under the names of one naming. */
export const resourceV1alpha1ResourceClaim = (names: Names): TypedResource<resource.ResourceClaimV1alpha1> =>
  namespacedResource(names, 'resource/v1alpha1/resourceclaims', 'ResourceClaim');

/** The resource resourceclaimtemplates of resource/v1alpha1, under the names of one naming. */
export const resourceV1alpha1ResourceClaimTemplate = (
  names: Names,
): TypedResource<resource.ResourceClaimTemplateV1alpha2> =>
  namespacedResource(names, 'resource/v1alpha1/resourceclaimtemplates', 'ResourceClaimTemplate');

/** The resource resourceclasses of resource/v1alpha1, under the names of one naming. */
export const resourceV1alpha1ResourceClass = (names: Names): TypedResource<resource.ResourceClassV1alpha2> =>
  clusterResource(names, 'resource/v1alpha1/resourceclasses', 'ResourceClass');

/** The resource podschedulingcontexts of resource/v1alpha2, under the names of one naming. */
export const resourceV1alpha2PodSchedulingContext = (
  names: Names,
): TypedResource<resource.PodSchedulingContextV1alpha3> =>
  namespacedResource(names, 'resource/v1alpha2/podschedulingcontexts', 'PodSchedulingContext');

/** The resource resourceclaims of resource/v1alpha2, under the names of one naming. */
export const resourceV1alpha2ResourceClaim = (names: Names): TypedResource<resource.ResourceClaimV1alpha2> =>
  namespacedResource(names, 'resource/v1alpha2/resourceclaims', 'ResourceClaim');

/** The resource resourceclaimparameters of resource/v1alpha2, under the names of one naming. */
export const resourceV1alpha2ResourceClaimParameters = (
  names: Names,
): TypedResource<resource.ResourceClaimParametersV1alpha2> =>
  namespacedResource(names, 'resource/v1alpha2/resourceclaimparameters', 'ResourceClaimParameters');

/** The resource resourceclaimtemplates of resource/v1alpha2, under the names of one naming. */
export const resourceV1alpha2ResourceClaimTemplate = (
  names: Names,
): TypedResource<resource.ResourceClaimTemplateV1alpha2> =>
  namespacedResource(names, 'resource/v1alpha2/resourceclaimtemplates', 'ResourceClaimTemplate');

/** The resource resourceclasses of resource/v1alpha2, under the names of one naming. */
export const resourceV1alpha2ResourceClass = (names: Names): TypedResource<resource.ResourceClassV1alpha2> =>
  clusterResource(names, 'resource/v1alpha2/resourceclasses', 'ResourceClass');

/** The resource resourceclassparameters of resource/v1alpha2, under the names of one naming. */
export const resourceV1alpha2ResourceClassParameters = (
  names: Names,
): TypedResource<resource.ResourceClassParametersV1alpha2> =>
  namespacedResource(names, 'resource/v1alpha2/resourceclassparameters', 'ResourceClassParameters');

/** The resource resourceslices of resource/v1alpha2, under the names of one naming. */
export const resourceV1alpha2ResourceSlice = (names: Names): TypedResource<resource.ResourceSliceV1alpha2> =>
  clusterResource(names, 'resource/v1alpha2/resourceslices', 'ResourceSlice');

/** The resource deviceclasses of resource/v1alpha3, under the names of one naming. */
export const resourceV1alpha3DeviceClass = (names: Names): TypedResource<resource.DeviceClass> =>
  clusterResource(names, 'resource/v1alpha3/deviceclasses', 'DeviceClass');

/** The resource devicetaintrules of resource/v1alpha3, under the names of one naming. */
export const resourceV1alpha3DeviceTaintRule = (names: Names): TypedResource<resource.DeviceTaintRule> =>
  clusterResource(names, 'resource/v1alpha3/devicetaintrules', 'DeviceTaintRule');

/** The resource podschedulingcontexts of resource/v1alpha3, under the names of one naming. */
export const resourceV1alpha3PodSchedulingContext = (
  names: Names,
): TypedResource<resource.PodSchedulingContextV1alpha3> =>
  namespacedResource(names, 'resource/v1alpha3/podschedulingcontexts', 'PodSchedulingContext');

/** The resource resourceclaims of resource/v1alpha3, under the names of one naming. */
export const resourceV1alpha3ResourceClaim = (names: Names): TypedResource<resource.ResourceClaimV1beta1> =>
  namespacedResource(names, 'resource/v1alpha3/resourceclaims', 'ResourceClaim');

/** The resource resourceclaimtemplates of resource/v1alpha3, under the names of one naming. */
export const resourceV1alpha3ResourceClaimTemplate = (
  names: Names,
): TypedResource<resource.ResourceClaimTemplateV1beta1> =>
  namespacedResource(names, 'resource/v1alpha3/resourceclaimtemplates', 'ResourceClaimTemplate');

/** The resource resourcepoolstatusrequests of resource/v1alpha3, under the names of one naming. */
export const resourceV1alpha3ResourcePoolStatusRequest = (
  names: Names,
): TypedResource<resource.ResourcePoolStatusRequestV1alpha3> =>
  clusterResource(names, 'resource/v1alpha3/resourcepoolstatusrequests', 'ResourcePoolStatusRequest');

/** The resource resourceslices of resource/v1alpha3, under the names of one naming. */
export const resourceV1alpha3ResourceSlice = (names: Names): TypedResource<resource.ResourceSliceV1alpha3> =>
  clusterResource(names, 'resource/v1alpha3/resourceslices', 'ResourceSlice');

/** The resource deviceclasses of resource/v1beta1, under the names of one naming. */
export const resourceV1beta1DeviceClass = (names: Names): TypedResource<resource.DeviceClass> =>
  clusterResource(names, 'resource/v1beta1/deviceclasses', 'DeviceClass');

/** The resource resourceclaims of resource/v1beta1, under the names of one naming. */
export const resourceV1beta1ResourceClaim = (names: Names): TypedResource<resource.ResourceClaimV1beta1> =>
  namespacedResource(names, 'resource/v1beta1/resourceclaims', 'ResourceClaim');

/** The resource resourceclaimtemplates of resource/v1beta1, under the names of one naming. */
export const resourceV1beta1ResourceClaimTemplate = (
  names: Names,
): TypedResource<resource.ResourceClaimTemplateV1beta1> =>
  namespacedResource(names, 'resource/v1beta1/resourceclaimtemplates', 'ResourceClaimTemplate');

/** The resource resourceslices of resource/v1beta1, under the names of one naming. */
export const resourceV1beta1ResourceSlice = (names: Names): TypedResource<resource.ResourceSliceV1beta1> =>
  clusterResource(names, 'resource/v1beta1/resourceslices', 'ResourceSlice');

/** The resource deviceclasses of resource/v1beta2, under the names of one naming. */
export const resourceV1beta2DeviceClass = (names: Names): TypedResource<resource.DeviceClass> =>
  clusterResource(names, 'resource/v1beta2/deviceclasses', 'DeviceClass');

/** The resource devicetaintrules of resource/v1beta2, under the names of one naming. */
export const resourceV1beta2DeviceTaintRule = (names: Names): TypedResource<resource.DeviceTaintRule> =>
  clusterResource(names, 'resource/v1beta2/devicetaintrules', 'DeviceTaintRule');

/** The resource resourceclaims of resource/v1beta2, under the names of one naming. */
export const resourceV1beta2ResourceClaim = (names: Names): TypedResource<resource.ResourceClaim> =>
  namespacedResource(names, 'resource/v1beta2/resourceclaims', 'ResourceClaim');

/** The resource resourceclaimtemplates of resource/v1beta2, under the names of one naming. */
export const resourceV1beta2ResourceClaimTemplate = (
  names: Names,
): TypedResource<resource.ResourceClaimTemplate> =>
  namespacedResource(names, 'resource/v1beta2/resourceclaimtemplates', 'ResourceClaimTemplate');

/** The resource resourceslices of resource/v1beta2, under the names of one naming. */
export const resourceV1beta2ResourceSlice = (names: Names): TypedResource<resource.ResourceSlice> =>
  clusterResource(names, 'resource/v1beta2/resourceslices', 'ResourceSlice');

/** The resource priorityclasses of scheduling/v1, under the names of one naming. */
export const schedulingV1PriorityClass = (names: Names): TypedResource<scheduling.PriorityClass> =>
  clusterResource(names, 'scheduling/v1/priorityclasses', 'PriorityClass');

/** The resource priorityclasses of scheduling/v1alpha1, under the names of one naming. */
export const schedulingV1alpha1PriorityClass = (names: Names): TypedResource<scheduling.PriorityClass> =>
  clusterResource(names, 'scheduling/v1alpha1/priorityclasses', 'PriorityClass');

/** The resource workloads of scheduling/v1alpha1, under the names of one naming. */
export const schedulingV1alpha1Workload = (names: Names): TypedResource<scheduling.WorkloadV1alpha1> =>
  namespacedResource(names, 'scheduling/v1alpha1/workloads', 'Workload');

/** The resource podgroups of scheduling/v1alpha2, under the names of one naming. */
export const schedulingV1alpha2PodGroup = (names: Names): TypedResource<scheduling.PodGroupV1alpha2> =>
  namespacedResource(names, 'scheduling/v1alpha2/podgroups', 'PodGroup');

/** The resource workloads of scheduling/v1alpha2, under the names of one naming. */
export const schedulingV1alpha2Workload = (names: Names): TypedResource<scheduling.WorkloadV1alpha2> =>
  namespacedResource(names, 'scheduling/v1alpha2/workloads', 'Workload');

/** The resource compositepodgroups of scheduling/v1alpha3, under the names of one naming. */
export const schedulingV1alpha3CompositePodGroup = (
  names: Names,
): TypedResource<scheduling.CompositePodGroupV1alpha3> =>
  namespacedResource(names, 'scheduling/v1alpha3/compositepodgroups', 'CompositePodGroup');

/** The resource podgroups of scheduling/v1alpha3, under the names of one naming. */
export const schedulingV1alpha3PodGroup = (names: Names): TypedResource<scheduling.PodGroupV1beta1> =>
  namespacedResource(names, 'scheduling/v1alpha3/podgroups', 'PodGroup');

/** The resource workloads of scheduling/v1alpha3, under the names of one naming. */
export const schedulingV1alpha3Workload = (names: Names): TypedResource<scheduling.WorkloadV1beta1> =>
  namespacedResource(names, 'scheduling/v1alpha3/workloads', 'Workload');

/** The resource podgroups of scheduling/v1beta1, under the names of one naming. */
export const schedulingV1beta1PodGroup = (names: Names): TypedResource<scheduling.PodGroupV1beta1> =>
  namespacedResource(names, 'scheduling/v1beta1/podgroups', 'PodGroup');

/** The resource priorityclasses of scheduling/v1beta1, under the names of one naming. */
export const schedulingV1beta1PriorityClass = (names: Names): TypedResource<scheduling.PriorityClass> =>
  clusterResource(names, 'scheduling/v1beta1/priorityclasses', 'PriorityClass');

/** The resource workloads of scheduling/v1beta1, under the names of one naming. */
export const schedulingV1beta1Workload = (names: Names): TypedResource<scheduling.WorkloadV1beta1> =>
  namespacedResource(names, 'scheduling/v1beta1/workloads', 'Workload');

/** The resource podpresets of settings/v1alpha1, under the names of one naming. */
export const settingsV1alpha1PodPreset = (names: Names): TypedResource<settings.PodPresetV1alpha1> =>
  namespacedResource(names, 'settings/v1alpha1/podpresets', 'PodPreset');

/** The resource csidrivers of storage/v1, under the names of one naming. */
export const storageV1CSIDriver = (names: Names): TypedResource<storage.CSIDriver> =>
  clusterResource(names, 'storage/v1/csidrivers', 'CSIDriver');

/** The resource csinodes of storage/v1, under the names of one naming. */
export const storageV1CSINode = (names: Names): TypedResource<storage.CSINode> =>
  clusterResource(names, 'storage/v1/csinodes', 'CSINode');

/** The resource csistoragecapacities of storage/v1, under the names of one naming. */
export const storageV1CSIStorageCapacity = (names: Names): TypedResource<storage.CSIStorageCapacity> =>
  namespacedResource(names, 'storage/v1/csistoragecapacities', 'CSIStorageCapacity');

/** The resource storageclasses of storage/v1, under the names of one naming. */
export const storageV1StorageClass = (names: Names): TypedResource<storage.StorageClass> =>
  clusterResource(names, 'storage/v1/storageclasses', 'StorageClass');

/** The resource volumeattachments of storage/v1, under the names of one naming. */
export const storageV1VolumeAttachment = (names: Names): TypedResource<storage.VolumeAttachment> =>
  clusterResource(names, 'storage/v1/volumeattachments', 'VolumeAttachment');

/** The resource volumeattributesclasses of storage/v1, under the names of one naming. */
export const storageV1VolumeAttributesClass = (names: Names): TypedResource<storage.VolumeAttributesClass> =>
  clusterResource(names, 'storage/v1/volumeattributesclasses', 'VolumeAttributesClass');

/** The resource csistoragecapacities of storage/v1alpha1, under the names of one naming. */
export const storageV1alpha1CSIStorageCapacity = (names: Names): TypedResource<storage.CSIStorageCapacity> =>
  namespacedResource(names, 'storage/v1alpha1/csistoragecapacities', 'CSIStorageCapacity');

/** The resource volumeattachments of storage/v1alpha1, under the names of one naming. */
export const storageV1alpha1VolumeAttachment = (names: Names): TypedResource<storage.VolumeAttachment> =>
  clusterResource(names, 'storage/v1alpha1/volumeattachments', 'VolumeAttachment');

/** The resource volumeattributesclasses of storage/v1alpha1, under the names of one naming. */
export const storageV1alpha1VolumeAttributesClass = (
  names: Names,
): TypedResource<storage.VolumeAttributesClass> =>
  clusterResource(names, 'storage/v1alpha1/volumeattributesclasses', 'VolumeAttributesClass');

/** The resource csidrivers of storage/v1beta1, under the names of one naming. */
export const storageV1beta1CSIDriver = (names: Names): TypedResource<storage.CSIDriverV1beta1> =>
  clusterResource(names, 'storage/v1beta1/csidrivers', 'CSIDriver');

/** The resource csinodes of storage/v1beta1, under the names of one naming. */
export const storageV1beta1CSINode = (names: Names): TypedResource<storage.CSINode> =>
  clusterResource(names, 'storage/v1beta1/csinodes', 'CSINode');

/** The resource csistoragecapacities of storage/v1beta1, under the names of one naming. */
export const storageV1beta1CSIStorageCapacity = (names: Names): TypedResource<storage.CSIStorageCapacity> =>
  namespacedResource(names, 'storage/v1beta1/csistoragecapacities', 'CSIStorageCapacity');

/** The resource storageclasses of storage/v1beta1, under the names of one naming. */
export const storageV1beta1StorageClass = (names: Names): TypedResource<storage.StorageClass> =>
  clusterResource(names, 'storage/v1beta1/storageclasses', 'StorageClass');

/** The resource volumeattachments of storage/v1beta1, under the names of one naming. */
export const storageV1beta1VolumeAttachment = (names: Names): TypedResource<storage.VolumeAttachment> =>
  clusterResource(names, 'storage/v1beta1/volumeattachments', 'VolumeAttachment');

/** The resource volumeattributesclasses of storage/v1beta1, under the names of one naming. */
export const storageV1beta1VolumeAttributesClass = (
  names: Names,
): TypedResource<storage.VolumeAttributesClass> =>
  clusterResource(names, 'storage/v1beta1/volumeattributesclasses', 'VolumeAttributesClass');

/** The resource storageversionmigrations of storagemigration/v1, under the names of one naming. */
export const storagemigrationV1StorageVersionMigration = (
  names: Names,
): TypedResource<storagemigration.StorageVersionMigration> =>
  clusterResource(names, 'storagemigration/v1/storageversionmigrations', 'StorageVersionMigration');

/** The resource storageversionmigrations of storagemigration/v1alpha1, under the names of one naming. */
export const storagemigrationV1alpha1StorageVersionMigration = (
  names: Names,
): TypedResource<storagemigration.StorageVersionMigrationV1alpha1> =>
  clusterResource(names, 'storagemigration/v1alpha1/storageversionmigrations', 'StorageVersionMigration');

/** The resource storageversionmigrations of storagemigration/v1beta1, under the names of one naming. */
export const storagemigrationV1beta1StorageVersionMigration = (
  names: Names,
): TypedResource<storagemigration.StorageVersionMigration> =>
  clusterResource(names, 'storagemigration/v1beta1/storageversionmigrations', 'StorageVersionMigration');
