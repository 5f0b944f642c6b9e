import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isImplemented, pluginNames } from '@orch/admission';
import { encodeYaml } from '@orch/machinery/yaml';
import { ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';
import { type ApiItem, create, expectCode, list, refused } from '../api/fixture.ts';
import { ImagePolicyBackend } from './image-policy-backend.ts';
import { creations, type PodFields, updates, type Writes } from './pod-writes.ts';

/** A pod that one plugin refuses, and no other one. */
interface Refused {
  readonly plugin: string;
  readonly message: RegExp;
  readonly user?: 'bob' | 'node';
  /** Annotations and labels of the namespace of the pods. */
  readonly namespace?: { readonly annotations?: object; readonly labels?: object };
  /** Objects of the namespace, by resource. */
  readonly objects?: Readonly<Record<string, object>>;
  /** Status of the quota `q`, as the controller of quotas calculates it. */
  readonly quotaStatus?: object;
  readonly created: PodFields | ((owner: object) => PodFields);
  /** The field that is refused when it is set in a stored pod; absent when a pod cannot be changed to be refused. */
  readonly updated?: (kept: ApiItem, owner: object) => PodFields;
  /** An ephemeral container that is refused. */
  readonly ephemeral?: object;
}

const image = 'allowed:1';
const addsCapability = { image, securityContext: { capabilities: { add: ['CHOWN'] } } };
const secretEnv = [{ secretRef: { name: 'others' } }];
const affinity = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'topology.orch.io/zone', labelSelector: {} },
    ],
  },
};
const usual = ['not-ready', 'unreachable'].map((name) => ({
  key: `node.orch.io/${name}`,
  operator: 'Exists',
}));
const everything = { operator: 'Exists' };

/** The owner is a config map that exists in every namespace. */
const owned = (owner: object): PodFields => ({ metadata: { ownerReferences: [owner] } });

const cases: readonly Refused[] = [
  {
    plugin: 'SecurityContextDeny',
    message: /runAsUser is forbidden/,
    created: { spec: { securityContext: { runAsUser: 7 } } },
    ephemeral: { image, securityContext: { runAsUser: 7 } },
  },
  {
    plugin: 'LimitPodHardAntiAffinityTopology',
    message: /has a topologyKey other than/,
    created: { spec: { affinity } },
  },
  {
    plugin: 'LimitRanger',
    message: /maximum cpu usage per Container is 1, but limit is 2/,
    objects: {
      limitranges: {
        kind: 'LimitRange',
        metadata: { name: 'l' },
        spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] },
      },
    },
    created: { spec: { containers: [{ name: 'main', image, resources: { limits: { cpu: '2' } } }] } },
  },
  {
    plugin: 'ResourceQuota',
    message: /exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0$/,
    objects: {
      resourcequotas: {
        kind: 'ResourceQuota',
        metadata: { name: 'q' },
        spec: { hard: { pods: '0' }, scopes: ['Terminating'] },
      },
    },
    quotaStatus: { hard: { pods: '0' }, used: { pods: '0' } },
    created: { spec: { activeDeadlineSeconds: 60 } },
    updated: () => ({ spec: { activeDeadlineSeconds: 60 } }),
  },
  {
    plugin: 'ServiceAccount',
    message: /does not reference that secret$/,
    objects: {
      serviceaccounts: {
        kind: 'ServiceAccount',
        metadata: { name: 'default', annotations: { 'orch.io/enforce-mountable-secrets': 'true' } },
      },
    },
    created: { spec: { containers: [{ name: 'main', image, envFrom: secretEnv }] } },
    ephemeral: { image, envFrom: secretEnv },
  },
  {
    plugin: 'NodeRestriction',
    message: /^.*node "n1" can only (create mirror pods|create and delete pods|write the subresources)/,
    user: 'node',
    created: {},
    updated: () => ({ metadata: { labels: { a: 'b' } } }),
    ephemeral: { image },
  },
  {
    plugin: 'ImagePolicyWebhook',
    message: /denied one or more images: not signed$/,
    created: { spec: { containers: [{ name: 'main', image: 'denied:1' }] } },
    updated: ({ spec }) => ({
      spec: { containers: (spec['containers'] as object[]).map((each) => ({ ...each, image: 'denied:1' })) },
    }),
    ephemeral: { image: 'denied:1' },
  },
  {
    plugin: 'PodSecurity',
    message: /violates PodSecurity "baseline:latest"/,
    namespace: { labels: { 'pod-security.orch.io/enforce': 'baseline' } },
    created: { spec: { hostNetwork: true } },
    ephemeral: { image, securityContext: { privileged: true } },
  },
  {
    plugin: 'PodSecurityPolicy',
    message: /capability may not be added|unconfined is not an allowed seccomp profile/,
    created: { spec: { containers: [{ name: 'main', ...addsCapability }] } },
    updated: () => ({ metadata: { annotations: { 'seccomp.security.alpha.orch.io/pod': 'unconfined' } } }),
    ephemeral: addsCapability,
  },
  {
    plugin: 'PodNodeSelector',
    message: /conflicts with its namespace node label selector$/,
    namespace: { annotations: { 'scheduler.alpha.orch.io/node-selector': 'pool=a' } },
    created: { spec: { nodeSelector: { pool: 'b' } } },
  },
  {
    plugin: 'Priority',
    message: /the integer value of priority \(1000\) must not be provided/,
    created: { spec: { priority: 1000 } },
  },
  {
    plugin: 'PodTolerationRestriction',
    message: /conflict with its namespace whitelist$/,
    namespace: { annotations: { 'scheduler.alpha.orch.io/tolerationsWhitelist': JSON.stringify(usual) } },
    created: { spec: { tolerations: [everything] } },
    updated: ({ spec }) => ({ spec: { tolerations: [...(spec['tolerations'] as object[]), everything] } }),
  },
  {
    plugin: 'OwnerReferencesPermissionEnforcement',
    message:
      /cannot set owner references on an object that you may not delete|you may not update the finalizers/,
    user: 'bob',
    created: owned,
    updated: (_, owner) => owned(owner),
  },
  {
    plugin: 'RuntimeClass',
    message: /RuntimeClass "none" not found$/,
    created: { spec: { runtimeClassName: 'none' } },
  },
];

/** Plugins that refuse no pods: their effect on pods, or the other objects that they decide on. */
const elsewhere: Readonly<Record<string, string>> = {
  AlwaysAdmit: 'admits everything',
  AlwaysDeny: 'refuses everything, in its own test',
  AlwaysPullImages: 'changes pods',
  CertificateApproval: 'certificate signing requests',
  CertificateSigning: 'certificate signing requests',
  CertificateSubjectRestriction: 'certificate signing requests',
  DefaultIngressClass: 'ingresses',
  DefaultStorageClass: 'claims',
  DefaultTolerationSeconds: 'changes pods',
  DenyEscalatingExec: 'connections to pods',
  DenyExecOnPrivileged: 'connections to pods',
  DenyServiceExternalIPs: 'services',
  EventRateLimit: 'events',
  ExtendedResourceToleration: 'changes pods',
  MutatingAdmissionPolicy: 'changes what policies select, in its own test',
  MutatingAdmissionWebhook: 'changes what webhooks select, in its own test',
  NamespaceAutoProvision: 'creates namespaces',
  NamespaceExists: 'writes in namespaces that do not exist, in its own test',
  NamespaceLifecycle: 'writes in namespaces, in its own test',
  PersistentVolumeClaimResize: 'claims',
  PersistentVolumeLabel: 'changes volumes',
  PodGroupProtection: 'changes groups of pods',
  StorageObjectInUseProtection: 'changes volumes and claims',
  TaintNodesByCondition: 'changes nodes',
  ValidatingAdmissionPolicy: 'refuses what policies select, in its own test',
  ValidatingAdmissionWebhook: 'refuses what webhooks select, in its own test',
};

const any = { rule: 'RunAsAny' };

/** A policy that admits all pods of these cases, other than those with capabilities and profiles. */
const wide = {
  apiVersion: 'policy/v1beta1',
  kind: 'PodSecurityPolicy',
  metadata: { name: 'wide' },
  spec: {
    privileged: true,
    hostNetwork: true,
    volumes: ['*'],
    seLinux: any,
    runAsUser: any,
    supplementalGroups: any,
    fsGroup: any,
  },
};

const users = { bob: 'bob-token', node: 'node-token' } as const;
const rbac = { apiVersion: 'rbac.authorization.orch.io/v1' };
const rbacPath = '/apis/rbac.authorization.orch.io/v1';

describe('pods that an admission plugin refuses', { timeout: 120_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-pod-refusals-'));
  const backend = new ImagePolicyBackend();
  const clients = new Map<string, ApiClient>();
  let server: LaunchedServer;

  before(async () => {
    await backend.start();
    writeFileSync(join(work, 'backend.conf'), backend.clientConfig());
    writeFileSync(
      join(work, 'admission.yaml'),
      encodeYaml({ imagePolicy: { kubeConfigFile: 'backend.conf' } }),
    );
    writeFileSync(join(work, 'tokens'), 'bob-token,bob,1\nnode-token,system:node:n1,2,"system:nodes"\n');
    server = await launchServer({
      requiresAccounts: true,
      args: [
        `--enable-admission-plugins=${cases.map(({ plugin }) => plugin).join()}`,
        `--admission-control-config-file=${join(work, 'admission.yaml')}`,
        `--token-auth-file=${join(work, 'tokens')}`,
        '--authorization-mode=RBAC',
      ],
    });
    await create(server.client, '/apis/policy/v1beta1/podsecuritypolicies', wide);
    await permitPodWrites();
    for (const [name, token] of Object.entries(users))
      clients.set(name, new ApiClient({ ...server.config, cert: undefined, key: undefined, token }));
  });
  after(async () => {
    for (const client of clients.values()) client[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    backend[Symbol.dispose]();
    rmSync(work, { recursive: true, force: true });
  });

  /** Both users may write pods, and not delete them. */
  async function permitPodWrites(): Promise<void> {
    const rules = [
      {
        apiGroups: [''],
        resources: ['pods', 'pods/ephemeralcontainers'],
        verbs: ['get', 'create', 'update', 'patch'],
      },
      {
        apiGroups: ['policy'],
        resources: ['podsecuritypolicies'],
        resourceNames: ['wide'],
        verbs: ['use'],
      },
    ];
    const role = { ...rbac, kind: 'ClusterRole', metadata: { name: 'pods' }, rules };
    await create(server.client, `${rbacPath}/clusterroles`, role);
    await create(server.client, `${rbacPath}/clusterrolebindings`, {
      ...rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'pods' },
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'pods' },
      subjects: ['bob', 'system:node:n1'].map((name) => ({
        apiGroup: 'rbac.authorization.orch.io',
        kind: 'User',
        name,
      })),
    });
  }

  /** The namespace of a case with its objects; the reference to an owner in it. */
  async function prepared({ plugin, namespace, objects = {} }: Refused): Promise<{
    readonly path: string;
    readonly owner: object;
  }> {
    const name = plugin.toLowerCase();
    const core = '/api/v1/namespaces';
    await create(server.client, core, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, ...namespace },
    });
    const all = {
      serviceaccounts: { kind: 'ServiceAccount', metadata: { name: 'default' } },
      configmaps: { kind: 'ConfigMap', metadata: { name: 'owner' } },
      ...objects,
    };
    let uid = '';
    for (const [resource, object] of Object.entries(all)) {
      const created = await create(server.client, `${core}/${name}/${resource}`, {
        apiVersion: 'v1',
        ...object,
      });
      if (resource === 'configmaps') ({ uid } = created.metadata);
    }
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true };
    return { path: `${core}/${name}/pods`, owner };
  }

  /** Writes the status of a quota, and waits until the server has it in its cache, by which it decides. */
  async function calculated(quota: string, status: object): Promise<void> {
    const body = { status };
    const contentType = 'application/merge-patch+json';
    const { client } = server;
    expectCode(200, await client.send('PATCH', `${quota}/status`, { body, contentType }));
    expectCode(200, await client.get(quota));
  }

  async function allRefused(writes: Writes, message: RegExp): Promise<void> {
    for (const [write, send] of Object.entries(writes)) {
      const answer = await send();
      assert.equal(answer.status, 403, `${write}: ${answer.text}`);
      assert.match(refused(answer, 403, 'Forbidden').message, message, write);
    }
  }

  for (const each of cases)
    it(`no write stores a pod that ${each.plugin} refuses`, async () => {
      const { user, message, created, updated, ephemeral, quotaStatus } = each;
      const { path, owner } = await prepared(each);
      if (quotaStatus !== undefined) await calculated(path.replace(/pods$/, 'resourcequotas/q'), quotaStatus);
      const client = (user === undefined ? undefined : clients.get(user)) ?? server.client;
      const fields = typeof created === 'function' ? created(owner) : created;
      await allRefused(creations(client, path, fields), message);

      const kept = await create(server.client, path, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'kept' },
        spec: { containers: [{ name: 'main', image }] },
      });
      if (updated !== undefined)
        await allRefused(updates(client, `${path}/kept`, { kept, fields: updated(kept, owner) }), message);
      if (ephemeral !== undefined) {
        const spec = { ephemeralContainers: [{ name: 'debug', ...ephemeral }] };
        await allRefused(
          updates(client, `${path}/kept/ephemeralcontainers`, { kept, fields: { spec } }),
          message,
        );
      }
      assert.deepEqual(
        list(await server.client.get(path)).items.map(({ metadata }) => [
          metadata.name,
          metadata.resourceVersion,
        ]),
        [['kept', kept.metadata.resourceVersion]],
      );
    });

  it('every plugin has a case here, or a reason why it refuses no pods', () => {
    const known = [...cases.map(({ plugin }) => plugin), ...Object.keys(elsewhere)];
    assert.deepEqual(known.toSorted(), pluginNames.filter(isImplemented).toSorted());
  });
});
