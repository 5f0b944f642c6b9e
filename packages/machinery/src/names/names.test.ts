import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor, namings } from './names.ts';

const orch = namesFor('orch');
const kubernetes = namesFor('kubernetes');

/** Every string of a resolved table with its place. */
function flatten(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, member]): [string, string][] => {
    const place = path === '' ? key : `${path}.${key}`;
    if (typeof member === 'string') return [[place, member]];
    return typeof member === 'object' && member !== null ? flatten(member, place) : [];
  });
}

describe('tables of names', () => {
  for (const [read, inOrch, inKubernetes] of [
    [(n) => n.groups.coordination, 'coordination.orch.io', 'coordination.k8s.io'],
    [(n) => n.groups.flowcontrol, 'flowcontrol.apiserver.orch.io', 'flowcontrol.apiserver.k8s.io'],
    [(n) => n.groups.abac, 'abac.authorization.orch.io', 'abac.authorization.kubernetes.io'],
    [(n) => n.groups.core, '', ''],
    [(n) => n.groups.apps, 'apps', 'apps'],
    [(n) => n.labels.hostname, 'orch.io/hostname', 'kubernetes.io/hostname'],
    [(n) => n.labels.topologyZone, 'topology.orch.io/zone', 'topology.kubernetes.io/zone'],
    [
      (n) => n.labels.aggregateToAdmin,
      'rbac.authorization.orch.io/aggregate-to-admin',
      'rbac.authorization.k8s.io/aggregate-to-admin',
    ],
    [
      (n) => n.annotations.rbacAutoupdate,
      'rbac.authorization.orch.io/autoupdate',
      'rbac.authorization.kubernetes.io/autoupdate',
    ],
    [
      (n) => n.annotations.lastApplied,
      'orchctl.orch.io/last-applied-configuration',
      'kubectl.kubernetes.io/last-applied-configuration',
    ],
    [(n) => n.taints.notReady, 'node.orch.io/not-ready', 'node.kubernetes.io/not-ready'],
    [(n) => n.namespaces.system, 'orch-system', 'kube-system'],
    [(n) => n.namespaces.nodeLease, 'orch-node-lease', 'kube-node-lease'],
    [(n) => n.users.controllerManager, 'system:orch-controller-manager', 'system:kube-controller-manager'],
    [(n) => n.userGroups.masters, 'system:masters', 'system:masters'],
    [(n) => n.finalizers.namespace, 'orch', 'kubernetes'],
    [(n) => n.finalizers.pvcProtection, 'orch.io/pvc-protection', 'kubernetes.io/pvc-protection'],
    [(n) => n.finalizers.vacProtection, 'orch.io/vac-protection', 'kubernetes.io/vac-protection'],
    [
      (n) => n.finalizers.serviceCidr,
      'networking.orch.io/service-cidr-finalizer',
      'networking.k8s.io/service-cidr-finalizer',
    ],
    [(n) => n.mediaTypes.protobuf, 'application/vnd.orch.protobuf', 'application/vnd.kubernetes.protobuf'],
    [(n) => n.headers.flowSchemaUid, 'X-Orch-PF-FlowSchema-UID', 'X-Kubernetes-PF-FlowSchema-UID'],
    [(n) => n.schemaExtensions.listType, 'x-orch-list-type', 'x-kubernetes-list-type'],
    [(n) => n.secretTypes.tls, 'orch.io/tls', 'kubernetes.io/tls'],
    [(n) => n.secretTypes.bootstrapToken, 'bootstrap.orch.io/token', 'bootstrap.kubernetes.io/token'],
    [(n) => n.signers.nodeagentServing, 'orch.io/nodeagent-serving', 'kubernetes.io/kubelet-serving'],
    [(n) => n.auditAnnotations.deprecated, 'orch.io/deprecated', 'k8s.io/deprecated'],
    [
      (n) => n.auditAnnotations.policyFailure,
      'validation.policy.admission.orch.io/validation_failure',
      'validation.policy.admission.k8s.io/validation_failure',
    ],
    [(n) => n.environment.clientConfig, 'ORCHCONFIG', 'KUBECONFIG'],
    [(n) => n.environment.preferences, 'ORCHRC', 'KUBERC'],
    [(n) => n.programs.ctl, 'orchctl', 'kubectl'],
    [(n) => n.storedPrefixes.encrypted, 'orch:enc:', 'k8s:enc:'],
    [(n) => n.defaultService, 'orch', 'kubernetes'],
    [(n) => n.group('rbac'), 'rbac.authorization.orch.io', 'rbac.authorization.k8s.io'],
    [(n) => n.apiVersion('core', 'v1'), 'v1', 'v1'],
    [(n) => n.apiVersion('coordination', 'v1'), 'coordination.orch.io/v1', 'coordination.k8s.io/v1'],
    [(n) => n.field('nodeagentVersion'), 'nodeagentVersion', 'kubeletVersion'],
    [(n) => n.field('metadata'), 'metadata', 'metadata'],
    [(n) => n.metric('orch_build_info'), 'orch_build_info', 'kubernetes_build_info'],
    [(n) => n.featureGate('DynamicNodeagentConfig'), 'DynamicNodeagentConfig', 'DynamicKubeletConfig'],
    [(n) => n.flag('nodeagent-timeout'), 'nodeagent-timeout', 'kubelet-timeout'],
    [(n) => n.definitionName('core.v1.Pod'), 'io.orch.api.core.v1.Pod', 'io.k8s.api.core.v1.Pod'],
    [
      (n) => n.definitionName('meta.v1.ObjectMeta'),
      'io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta',
      'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    ],
    [
      (n) => n.definitionName('apiregistration.v1.APIService'),
      'io.orch.orch-aggregator.pkg.apis.apiregistration.v1.APIService',
      'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService',
    ],
    [
      (n) => n.definitionName('resource.Quantity'),
      'io.orch.apimachinery.pkg.api.resource.Quantity',
      'io.k8s.apimachinery.pkg.api.resource.Quantity',
    ],
    [
      (n) => n.definitionName('resource.v1alpha2.ResourceClaim'),
      'io.orch.api.resource.v1alpha2.ResourceClaim',
      'io.k8s.api.resource.v1alpha2.ResourceClaim',
    ],
  ] as [(n: typeof orch) => string, string, string][]) {
    it(`${inOrch || '(empty)'} is ${inKubernetes || '(empty)'} under the other naming`, () => {
      assert.equal(read(orch), inOrch);
      assert.equal(read(kubernetes), inKubernetes);
    });
  }

  it('the table of names holds no word of the product in the kubernetes column, and no word of the other in the orch column', () => {
    for (const [place, value] of flatten(kubernetes)) assert.doesNotMatch(value, /orch|nodeagent/i, place);
    for (const [place, value] of flatten(orch)) assert.doesNotMatch(value, /k8s|kube/i, place);
  });

  it('the table of names has the same places under both namings', () => {
    const places = (n: typeof orch): string[] => flatten(n).map(([place]) => place);
    assert.deepEqual(places(orch), places(kubernetes));
  });

  it('the table of names finds every group key from its API group, and no other', () => {
    for (const naming of namings) {
      const names = namesFor(naming);
      for (const key of Object.keys(names.groups)) assert.equal(names.groupKey(names.group(key)), key);
      assert.equal(names.groupKey('example.com'), undefined);
    }
    assert.equal(orch.groupKey('coordination.k8s.io'), undefined);
  });

  it('a table of names reads the empty key as the core group and refuses an unknown one', () => {
    assert.equal(orch.group(''), '');
    for (const key of ['nope', 'toString', '__proto__']) assert.throws(() => orch.group(key), TypeError);
  });

  it('a table of names reverses served field names and definition names', () => {
    assert.equal(kubernetes.canonicalField('kubeletVersion'), 'nodeagentVersion');
    assert.equal(orch.canonicalField('kubeletVersion'), 'kubeletVersion');
    for (const name of [
      'core.v1.Pod',
      'meta.v1.Status',
      'runtime.RawExtension',
      'resource.Quantity',
      'version.Info',
    ]) {
      assert.equal(kubernetes.schemaName(kubernetes.definitionName(name)), name);
    }
    assert.equal(kubernetes.schemaName('io.orch.api.core.v1.Pod'), undefined);
    assert.equal(kubernetes.schemaName('io.k8s.elsewhere.Pod'), undefined);
  });

  it('a table of names names custom kinds by their reversed group', () => {
    assert.equal(
      orch.customDefinitionName('stable.example.com', 'v1', 'CronTab'),
      'com.example.stable.v1.CronTab',
    );
  });

  it('the tables cannot be changed', () => {
    assert.throws(() => Object.assign(orch, { product: 'x' }), TypeError);
    assert.throws(() => Object.assign(orch.labels, { hostname: 'x' }), TypeError);
  });
});
