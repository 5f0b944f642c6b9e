import { groups } from './groups.ts';
import { annotations, auditAnnotations, finalizers, labelPrefixes, labels, taints } from './object-keys.ts';
import { api, extension, key, own, type Row, system } from './rows.ts';

const clusterRoles = {
  clusterAdmin: 'cluster-admin',
  admin: 'admin',
  edit: 'edit',
  view: 'view',
  basicUser: 'system:basic-user',
  discovery: 'system:discovery',
  publicInfoViewer: 'system:public-info-viewer',
  scheduler: system('orch-scheduler', 'kube-scheduler'),
  volumeScheduler: 'system:volume-scheduler',
  controllerManager: system('orch-controller-manager', 'kube-controller-manager'),
  node: 'system:node',
  nodeProxier: 'system:node-proxier',
  dns: system('orch-dns', 'kube-dns'),
  aggregator: system('orch-aggregator', 'kube-aggregator'),
  nodeagentApiAdmin: system('nodeagent-api-admin', 'kubelet-api-admin'),
  nodeBootstrapper: 'system:node-bootstrapper',
  nodeProblemDetector: 'system:node-problem-detector',
  persistentVolumeProvisioner: 'system:persistent-volume-provisioner',
  monitoring: 'system:monitoring',
  authDelegator: 'system:auth-delegator',
  heapster: 'system:heapster',
  serviceAccountIssuerDiscovery: 'system:service-account-issuer-discovery',
  legacyUnknownApprover: 'system:legacy-unknown-approver',
  nodeagentServingApprover: system('nodeagent-serving-approver', 'kubelet-serving-approver'),
  apiserverClientApprover: system('orch-apiserver-client-approver', 'kube-apiserver-client-approver'),
  apiserverClientNodeagentApprover: system(
    'orch-apiserver-client-nodeagent-approver',
    'kube-apiserver-client-kubelet-approver',
  ),
  csrNodeclient: system(
    'certificates.orch.io:certificatesigningrequests:nodeclient',
    'certificates.k8s.io:certificatesigningrequests:nodeclient',
  ),
  csrSelfnodeclient: system(
    'certificates.orch.io:certificatesigningrequests:selfnodeclient',
    'certificates.k8s.io:certificatesigningrequests:selfnodeclient',
  ),
  csrLegacyUnknownApprover: system(
    'certificates.orch.io:legacy-unknown-approver',
    'certificates.k8s.io:legacy-unknown-approver',
  ),
  csrNodeagentServingApprover: system(
    'certificates.orch.io:nodeagent-serving-approver',
    'certificates.k8s.io:kubelet-serving-approver',
  ),
  csrApiserverClientApprover: system(
    'certificates.orch.io:orch-apiserver-client-approver',
    'certificates.k8s.io:kube-apiserver-client-approver',
  ),
  csrApiserverClientNodeagentApprover: system(
    'certificates.orch.io:orch-apiserver-client-nodeagent-approver',
    'certificates.k8s.io:kube-apiserver-client-kubelet-approver',
  ),
  controllerPrefix: 'system:controller:',
} as const satisfies Record<string, Row>;

/** All parts of `Names` that are plain records. */
export const table = {
  groups,
  labels,
  labelPrefixes,
  annotations,
  taints,
  finalizers,
  auditAnnotations,
  clusterRoles,
  /** Word of the product; also the name of the Service in the default namespace whose endpoints are the API servers. */
  product: ['orch', 'kubernetes'],
  defaultService: ['orch', 'kubernetes'],
  title: ['Orch', 'Kubernetes'],
  roles: {
    leaderLockingControllerManager: system(
      ':leader-locking-orch-controller-manager',
      ':leader-locking-kube-controller-manager',
    ),
    leaderLockingScheduler: system(':leader-locking-orch-scheduler', ':leader-locking-kube-scheduler'),
  },
  /** The prefixes of stored values of one kind. */
  storedPrefixes: {
    encrypted: ['orch:enc:', 'k8s:enc:'],
  },
  namespaces: {
    default: 'default',
    system: ['orch-system', 'kube-system'],
    public: ['orch-public', 'kube-public'],
    nodeLease: ['orch-node-lease', 'kube-node-lease'],
  },
  users: {
    anonymous: 'system:anonymous',
    admin: 'system:admin',
    apiserver: 'system:apiserver',
    aggregator: system('orch-aggregator', 'kube-aggregator'),
    controllerManager: system('orch-controller-manager', 'kube-controller-manager'),
    scheduler: system('orch-scheduler', 'kube-scheduler'),
    proxy: system('orch-proxy', 'kube-proxy'),
    nodePrefix: 'system:node:',
    bootstrapPrefix: 'system:bootstrap:',
    serviceAccountPrefix: 'system:serviceaccount:',
  },
  userGroups: {
    authenticated: 'system:authenticated',
    unauthenticated: 'system:unauthenticated',
    masters: 'system:masters',
    nodes: 'system:nodes',
    bootstrappers: 'system:bootstrappers',
    serviceAccounts: 'system:serviceaccounts',
    /** Followed by the namespace. */
    serviceAccountsPrefix: 'system:serviceaccounts:',
    monitoring: 'system:monitoring',
  },
  signers: {
    apiserverClient: ['orch.io/orch-apiserver-client', 'kubernetes.io/kube-apiserver-client'],
    apiserverClientNodeagent: [
      'orch.io/orch-apiserver-client-nodeagent',
      'kubernetes.io/kube-apiserver-client-kubelet',
    ],
    apiserverServing: ['orch.io/orch-apiserver-serving', 'kubernetes.io/kube-apiserver-serving'],
    nodeagentServing: ['orch.io/nodeagent-serving', 'kubernetes.io/kubelet-serving'],
    legacyUnknown: own('legacy-unknown'),
  },
  nameSuffixes: {
    /** Of the configurations of admission that files have. */
    staticConfig: api('.static'),
  },
  secretTypes: {
    opaque: 'Opaque',
    serviceAccountToken: own('service-account-token'),
    dockercfg: own('dockercfg'),
    dockerconfigjson: own('dockerconfigjson'),
    basicAuth: own('basic-auth'),
    sshAuth: own('ssh-auth'),
    tls: own('tls'),
    bootstrapToken: key('bootstrap', 'token'),
  },
  conditionTypes: {
    /** Condition of definitions of custom resources in protected groups. */
    apiApprovalPolicyConformant: ['OrchAPIApprovalPolicyConformant', 'KubernetesAPIApprovalPolicyConformant'],
  },
  /** Names and name prefixes of objects that the control plane makes. */
  objects: {
    rootCa: ['orch-root-ca.crt', 'kube-root-ca.crt'],
    clusterInfo: 'cluster-info',
    bootstrapTokenPrefix: 'bootstrap-token-',
    extensionAuthentication: 'extension-apiserver-authentication',
    servingAuthorities: ['orch-serving-authorities', 'kube-serving-authorities'],
    apiAccessPrefix: ['orch-api-access-', 'kube-api-access-'],
  },
  priorityClasses: {
    nodeCritical: 'system-node-critical',
    clusterCritical: 'system-cluster-critical',
  },
  resourceNames: {
    requestsPrefix: 'requests.',
    limitsPrefix: 'limits.',
    countPrefix: 'count/',
    hugepagesPrefix: 'hugepages-',
    storageClassRequestsSuffix: [
      '.storageclass.storage.orch.io/requests.storage',
      '.storageclass.storage.k8s.io/requests.storage',
    ],
    /** Resource names below this domain are not extended resources. */
    nativePrefix: own(''),
  },
  mediaTypes: {
    protobuf: ['application/vnd.orch.protobuf', 'application/vnd.kubernetes.protobuf'],
    protobufWatch: [
      'application/vnd.orch.protobuf;stream=watch',
      'application/vnd.kubernetes.protobuf;stream=watch',
    ],
    openApiProtobuf: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    openApiV3Protobuf: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
  },
  headers: {
    flowSchemaUid: ['X-Orch-PF-FlowSchema-UID', 'X-Kubernetes-PF-FlowSchema-UID'],
    priorityLevelUid: ['X-Orch-PF-PriorityLevel-UID', 'X-Kubernetes-PF-PriorityLevel-UID'],
  },
  schemaExtensions: {
    listType: extension('list-type'),
    listMapKeys: extension('list-map-keys'),
    mapType: extension('map-type'),
    preserveUnknownFields: extension('preserve-unknown-fields'),
    embeddedResource: extension('embedded-resource'),
    intOrString: extension('int-or-string'),
    validations: extension('validations'),
    groupVersionKind: extension('group-version-kind'),
    action: extension('action'),
    patchStrategy: extension('patch-strategy'),
    patchMergeKey: extension('patch-merge-key'),
    unions: extension('unions'),
  },
  webSocketProtocols: {
    bearerPrefix: ['base64url.bearer.authorization.orch.io.', 'base64url.bearer.authorization.k8s.io.'],
    channel: api('channel'),
    base64Channel: api('base64.channel'),
    channelV4: api('v4.channel'),
    channelV5: api('v5.channel'),
    binary: api('binary'),
    base64Binary: api('base64.binary'),
    portForward: api('portforward'),
  },
  /** Fields in the claims of service account tokens. The `legacy` ones are in tokens that are stored in secrets. */
  tokenClaims: {
    private: ['orch.io', 'kubernetes.io'],
    legacyIssuer: ['orch/serviceaccount', 'kubernetes/serviceaccount'],
    legacyNamespace: own('serviceaccount/namespace'),
    legacySecretName: own('serviceaccount/secret.name'),
    legacyAccountName: own('serviceaccount/service-account.name'),
    legacyAccountUid: own('serviceaccount/service-account.uid'),
  },
  /** Keys of `extra`, the attributes of users beside their names. */
  userExtras: {
    podName: key('authentication', 'pod-name'),
    podUid: key('authentication', 'pod-uid'),
    nodeName: key('authentication', 'node-name'),
    nodeUid: key('authentication', 'node-uid'),
    credentialId: key('authentication', 'credential-id'),
  },
  paths: {
    serviceAccount: [
      '/var/run/secrets/orch.io/serviceaccount',
      '/var/run/secrets/kubernetes.io/serviceaccount',
    ],
    certDir: ['/var/run/orch', '/var/run/kubernetes'],
  },
  environment: {
    execInfo: ['ORCH_EXEC_INFO', 'KUBERNETES_EXEC_INFO'],
    serviceHost: ['ORCH_SERVICE_HOST', 'KUBERNETES_SERVICE_HOST'],
    servicePort: ['ORCH_SERVICE_PORT', 'KUBERNETES_SERVICE_PORT'],
    clientConfig: ['ORCHCONFIG', 'KUBECONFIG'],
    preferences: ['ORCHRC', 'KUBERC'],
    externalDiff: ['ORCHCTL_EXTERNAL_DIFF', 'KUBECTL_EXTERNAL_DIFF'],
    editor: ['ORCHCTL_EDITOR', 'KUBE_EDITOR'],
  },
  /** As in user agents (`kubectl/…`) and as component names. */
  /** In fields that name the controller of an object. */
  controllers: {
    job: own('job-controller'),
    endpointSlice: api('endpointslice-controller'),
    ipAllocator: api('ipallocator'),
  },
  programs: {
    apiserver: ['orch-apiserver', 'kube-apiserver'],
    controllerManager: ['orch-controller-manager', 'kube-controller-manager'],
    scheduler: ['orch-scheduler', 'kube-scheduler'],
    ctl: ['orchctl', 'kubectl'],
    nodeagent: ['nodeagent', 'kubelet'],
  },
  /** Field managers of objects that the API server maintains. */
  fieldManagers: {
    flowControlSettings: 'api-priority-and-fairness-config-producer-v1',
    flowControlStatus: 'api-priority-and-fairness-config-consumer-v1',
  },
} as const;
