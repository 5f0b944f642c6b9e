/**
 * Names that are looked up by their canonical form because they occur as data: `[orch, kubernetes]` rows. Other names
 * are the same under both namings. /
 */
type AliasRows = readonly (readonly [orch: string, kubernetes: string])[];

/** JSON field names of API objects. */
const fields: AliasRows = [
  ['nodeagentVersion', 'kubeletVersion'],
  ['orchProxyVersion', 'kubeProxyVersion'],
  ['nodeagentEndpoint', 'kubeletEndpoint'],
  ['nodeagentConfigKey', 'kubeletConfigKey'],
  ['xOrchEmbeddedResource', 'xKubernetesEmbeddedResource'],
  ['xOrchIntOrString', 'xKubernetesIntOrString'],
  ['xOrchListMapKeys', 'xKubernetesListMapKeys'],
  ['xOrchListType', 'xKubernetesListType'],
  ['xOrchMapType', 'xKubernetesMapType'],
  ['xOrchPreserveUnknownFields', 'xKubernetesPreserveUnknownFields'],
  ['xOrchValidations', 'xKubernetesValidations'],
  ['x-orch-list-type', 'x-kubernetes-list-type'],
  ['x-orch-list-map-keys', 'x-kubernetes-list-map-keys'],
  ['x-orch-map-type', 'x-kubernetes-map-type'],
  ['x-orch-preserve-unknown-fields', 'x-kubernetes-preserve-unknown-fields'],
  ['x-orch-embedded-resource', 'x-kubernetes-embedded-resource'],
  ['x-orch-int-or-string', 'x-kubernetes-int-or-string'],
  ['x-orch-validations', 'x-kubernetes-validations'],
];

const metrics: AliasRows = [
  ['orch_build_info', 'kubernetes_build_info'],
  ['orch_feature_enabled', 'kubernetes_feature_enabled'],
  [
    'apiserver_orch_aggregator_x509_insecure_sha1_total',
    'apiserver_kube_aggregator_x509_insecure_sha1_total',
  ],
  ['apiserver_orch_aggregator_x509_missing_san_total', 'apiserver_kube_aggregator_x509_missing_san_total'],
];

const featureGates: AliasRows = [
  ['AllowInsecureNodeagentCertificateSigningRequests', 'AllowInsecureKubeletCertificateSigningRequests'],
  ['ChangeContainerStatusOnNodeagentRestart', 'ChangeContainerStatusOnKubeletRestart'],
  ['DisableNodeOrchProxyVersion', 'DisableNodeKubeProxyVersion'],
  ['DisableNodeagentCloudCredentialProviders', 'DisableKubeletCloudCredentialProviders'],
  ['DynamicNodeagentConfig', 'DynamicKubeletConfig'],
  ['ExtendWebSocketsToNodeagent', 'ExtendWebSocketsToKubelet'],
  ['NodeagentAllocatedPodsEndpoint', 'KubeletAllocatedPodsEndpoint'],
  ['NodeagentCgroupDriverFromCRI', 'KubeletCgroupDriverFromCRI'],
  ['NodeagentCrashLoopBackOffMax', 'KubeletCrashLoopBackOffMax'],
  ['NodeagentCredentialProviders', 'KubeletCredentialProviders'],
  ['NodeagentEnsureSecretPulledImages', 'KubeletEnsureSecretPulledImages'],
  ['NodeagentFineGrainedAuthz', 'KubeletFineGrainedAuthz'],
  ['NodeagentInUserNamespace', 'KubeletInUserNamespace'],
  ['NodeagentPSI', 'KubeletPSI'],
  ['NodeagentPodResources', 'KubeletPodResources'],
  ['NodeagentPodResourcesDynamicResources', 'KubeletPodResourcesDynamicResources'],
  ['NodeagentPodResourcesGet', 'KubeletPodResourcesGet'],
  ['NodeagentPodResourcesGetAllocatable', 'KubeletPodResourcesGetAllocatable'],
  ['NodeagentPodResourcesListUseActivePods', 'KubeletPodResourcesListUseActivePods'],
  ['NodeagentRegistrationGetOnExistsOnly', 'KubeletRegistrationGetOnExistsOnly'],
  ['NodeagentSeparateDiskGC', 'KubeletSeparateDiskGC'],
  ['NodeagentServiceAccountTokenForCredentialProviders', 'KubeletServiceAccountTokenForCredentialProviders'],
  ['NodeagentTracing', 'KubeletTracing'],
  ['OrchProxyDrainingTerminatingNodes', 'KubeProxyDrainingTerminatingNodes'],
  ['OrchProxyIPVS', 'KubeProxyIPVS'],
  ['OrchProxyNFTablesLocalhostNodePorts', 'KubeProxyNFTablesLocalhostNodePorts'],
  ['PodLevelResourcesFixNodeagentQOSClass', 'PodLevelResourcesFixKubeletQOSClass'],
  ['ReloadNodeagentClientCAFile', 'ReloadKubeletClientCAFile'],
  ['ReloadNodeagentServerCertificateFile', 'ReloadKubeletServerCertificateFile'],
  ['RotateNodeagentServerCertificate', 'RotateKubeletServerCertificate'],
];

const postStartHooks: AliasRows = [
  ['orch-apiserver-autoregistration', 'kube-apiserver-autoregistration'],
  ['start-orch-aggregator-informers', 'start-kube-aggregator-informers'],
  ['start-orch-apiserver-admission-initializer', 'start-kube-apiserver-admission-initializer'],
];

const flags: AliasRows = [
  ['nodeagent-client-certificate', 'kubelet-client-certificate'],
  ['nodeagent-client-key', 'kubelet-client-key'],
  ['nodeagent-certificate-authority', 'kubelet-certificate-authority'],
  ['nodeagent-preferred-address-types', 'kubelet-preferred-address-types'],
  ['nodeagent-timeout', 'kubelet-timeout'],
  ['orch-service-node-port', 'kubernetes-service-node-port'],
  ['client-config', 'kubeconfig'],
  ['cluster-signing-orch-apiserver-client-cert-file', 'cluster-signing-kube-apiserver-client-cert-file'],
  ['cluster-signing-orch-apiserver-client-key-file', 'cluster-signing-kube-apiserver-client-key-file'],
  ['cluster-signing-nodeagent-client-cert-file', 'cluster-signing-kubelet-client-cert-file'],
  ['cluster-signing-nodeagent-client-key-file', 'cluster-signing-kubelet-client-key-file'],
  ['cluster-signing-nodeagent-serving-cert-file', 'cluster-signing-kubelet-serving-cert-file'],
  ['cluster-signing-nodeagent-serving-key-file', 'cluster-signing-kubelet-serving-key-file'],
];

export const aliases = { fields, metrics, featureGates, postStartHooks, flags } as const;
