import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { tempDir } from '@orch/storage/testing';
import { ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { create, expectCode, refused } from '../api/fixture.ts';

const names = namesFor('kubernetes');
const PSP = 'kubernetes.io/psp';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const pods = '/api/v1/namespaces/team/pods';
const policies = '/apis/policy/v1beta1/podsecuritypolicies';

const any = { rule: 'RunAsAny' };
const open = {
  privileged: true,
  hostPID: true,
  allowedCapabilities: ['*'],
  volumes: ['*'],
  seLinux: any,
  runAsUser: any,
  supplementalGroups: any,
  fsGroup: any,
};
const restricted = {
  ...open,
  privileged: false,
  hostPID: false,
  allowPrivilegeEscalation: false,
  allowedCapabilities: [],
  requiredDropCapabilities: ['ALL'],
  runAsUser: { rule: 'MustRunAsNonRoot' },
  volumes: ['secret', 'configMap', 'emptyDir'],
};
const policy = (name: string, spec: object): object => ({
  apiVersion: 'policy/v1beta1',
  kind: 'PodSecurityPolicy',
  metadata: { name },
  spec,
});

interface Pod {
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly { readonly securityContext?: object }[] };
}

const container = { name: 'c', image: 'registry.example/app:1' };
const violating = { ...container, securityContext: { privileged: true } };
const podNamed = (name: string, spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { serviceAccountName: 'builder', containers: [container], ...spec },
});
const podOf = (answer: ApiResponse): Pod => expectCode(201, answer).json as Pod;
const PRIVILEGED = 'securityContext.privileged: Invalid value: true: Privileged containers are not allowed';

describe('pods under pod security policies', { timeout: 120_000 }, () => {
  let work: Awaited<ReturnType<typeof tempDir>>;
  let server: LaunchedServer;
  let admin: ApiClient;
  /** May write pods, as a controller of workloads does, and may use no policy. */
  let controller: ApiClient;
  const log = (): string => join(work.path, 'audit.log');

  before(async () => {
    work = await tempDir('orch-policies-');
    const [tokens, audit] = [join(work.path, 'tokens.csv'), join(work.path, 'audit.yaml')];
    writeFileSync(tokens, 'controller-token,controller,1\n');
    writeFileSync(
      audit,
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, resources: [{group: "", resources: [pods]}]}]\n',
    );
    server = await launchServer({
      naming: 'kubernetes',
      args: [
        '--enable-admission-plugins=PodSecurityPolicy',
        '--authorization-mode=RBAC',
        `--token-auth-file=${tokens}`,
        `--audit-policy-file=${audit}`,
        `--audit-log-path=${log()}`,
      ],
    });
    admin = server.client;
    const { ca } = server.config;
    controller = new ApiClient({
      server: server.url,
      ca,
      cert: undefined,
      key: undefined,
      token: 'controller-token',
    });
    for (const name of ['team', 'other']) await create(admin, '/api/v1/namespaces', { metadata: { name } });
    await create(admin, policies, policy('restricted', restricted));
    await create(admin, policies, policy('unrestricted', open));
    await grant('writes-pods', { apiGroups: [''], resources: ['pods', 'pods/*'], verbs: ['*'] });
    await grant('uses-restricted', {
      apiGroups: ['policy'],
      resources: ['podsecuritypolicies'],
      resourceNames: ['restricted'],
      verbs: ['use'],
    });
    const user = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'controller' };
    for (const namespace of ['team', 'other']) await bind(namespace, 'writes-pods', user);
    const account = { kind: 'ServiceAccount', namespace: 'team', name: 'builder' };
    await bind('team', 'uses-restricted', account);
  });
  after(async () => {
    controller[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  const grant = (name: string, rule: object): Promise<unknown> =>
    create(admin, `${rbac}/clusterroles`, { metadata: { name }, rules: [rule] });
  const bind = (namespace: string, role: string, subject: object): Promise<unknown> =>
    create(admin, `${rbac}/namespaces/${namespace}/rolebindings`, {
      metadata: { name: role },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [subject],
    });

  const patch = (path: string, body: object, type = 'application/strategic-merge-patch+json') =>
    controller.send('PATCH', path, { body: JSON.stringify(body), contentType: type });
  const apply = (path: string, body: object): Promise<ApiResponse> =>
    patch(`${path}?fieldManager=m&force=true`, body, 'application/apply-patch+yaml');
  const messageOf = (answer: ApiResponse): string => refused(answer, 403, 'Forbidden').message;

  it('pods that a controller creates are judged by the policies of their service account, and get its defaults', async () => {
    const pod = podOf(await controller.post(pods, podNamed('good')));
    assert.equal(pod.metadata.annotations[PSP], 'restricted');
    assert.deepEqual(pod.spec.containers[0]?.securityContext, {
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
    });
    const annotations = await poll('an audit event', 20_000, () => {
      const events = readFileSync(log(), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"good"'));
      return events.map((line) => JSON.parse(line)).find(({ stage }) => stage === 'ResponseComplete')
        ?.annotations;
    });
    const { pspAdmit, pspValidate } = names.auditAnnotations;
    assert.deepEqual([annotations[pspAdmit], annotations[pspValidate]], ['restricted', 'restricted']);
  });

  it('a pod of an account without a policy is refused, also where the account has one in another namespace', async () => {
    const inTeam = podNamed('p', { serviceAccountName: 'other' });
    const message = 'pods "p" is forbidden: PodSecurityPolicy: unable to admit pod: []';
    assert.equal(messageOf(await controller.post(pods, inTeam)), message);
    const other = '/api/v1/namespaces/other/pods';
    assert.equal(messageOf(await controller.post(other, podNamed('p'))), message);
  });

  it('an administrator may use all policies: a pod gets the first one that admits it unchanged', async () => {
    const pod = podOf(await admin.post(pods, podNamed('of-admin', { containers: [violating] })));
    assert.equal(pod.metadata.annotations[PSP], 'unrestricted');
    assert.equal(
      podOf(await admin.post(pods, podNamed('of-admin-2'))).metadata.annotations[PSP],
      'unrestricted',
    );
  });

  it('a violating pod is refused in whichever way it is created', async () => {
    const spec = { containers: [violating] };
    const forged = { annotations: { [PSP]: 'unrestricted' } };
    const ways: Readonly<Record<string, Promise<ApiResponse>>> = {
      create: controller.post(pods, podNamed('bad', spec)),
      'dry run': controller.post(`${pods}?dryRun=All`, podNamed('bad', spec)),
      apply: apply(`${pods}/bad`, podNamed('bad', spec)),
      'generated name': controller.post(pods, {
        ...podNamed('', spec),
        metadata: { generateName: 'bad-' },
      }),
      'forged annotation': controller.post(pods, podNamed('bad', spec, forged)),
      'init container': controller.post(
        pods,
        podNamed('bad', { initContainers: [{ ...violating, name: 'i' }] }),
      ),
    };
    for (const [way, answer] of Object.entries(ways))
      assert.ok(messageOf(await answer).includes(PRIVILEGED), way);
    assert.equal((await admin.get(`${pods}/bad`)).status, 404);
  });

  it('an ephemeral container that violates the policy, or leaves its defaults out, is refused', async () => {
    podOf(await controller.post(pods, podNamed('debugged')));
    const path = `${pods}/debugged/ephemeralcontainers`;
    const add = (fields: object): Promise<ApiResponse> =>
      patch(path, { spec: { ephemeralContainers: [{ ...container, name: 'd', ...fields }] } });
    const securityContext = {
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    };
    const missing = messageOf(await add({}));
    assert.match(missing, /unable to validate pod: \[spec: Forbidden: policy "restricted" sets defaults/);
    const context = { ...securityContext, allowPrivilegeEscalation: undefined, privileged: true };
    const ephemeral = await add({ securityContext: { ...context, allowPrivilegeEscalation: true } });
    assert.ok(messageOf(ephemeral).includes(`spec.ephemeralContainers[0].${PRIVILEGED}`));
    assert.doesNotMatch((await admin.get(`${pods}/debugged`)).text, /ephemeralContainers/);
    expectCode(200, await add({ securityContext }));
  });

  it('a pod of a policy that neither its account nor the user may use cannot be changed by this user', async () => {
    podOf(await admin.post(pods, podNamed('older', { containers: [violating] })));
    const path = `${pods}/older`;
    const metadata = { name: 'older' };
    for (const change of [
      { metadata, spec: { containers: [{ ...violating, image: 'registry.example/other:1' }] } },
      { metadata: { ...metadata, labels: { a: 'b' } } },
      { metadata: { ...metadata, annotations: { [PSP]: 'unrestricted', a: 'b' } } },
    ]) {
      assert.ok(messageOf(await patch(path, change)).includes(`spec.containers[0].${PRIVILEGED}`));
      const applied = await apply(path, { apiVersion: 'v1', kind: 'Pod', ...change });
      assert.ok(messageOf(applied).includes(`spec.containers[0].${PRIVILEGED}`));
    }
    const owners = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }];
    expectCode(200, await patch(path, { metadata: { ownerReferences: owners } }));
    expectCode(200, await controller.delete(`${path}?gracePeriodSeconds=0`));
  });

  it('a profile that the policy does not allow is refused in annotations and fields, on creation and later', async () => {
    const { seccompPod } = names.annotations;
    const annotations = { [seccompPod]: 'unconfined' };
    const wrong = /unconfined is not an allowed seccomp profile/;
    assert.match(messageOf(await controller.post(pods, podNamed('p', {}, { annotations }))), wrong);
    const securityContext = { seccompProfile: { type: 'Unconfined' } };
    assert.match(messageOf(await controller.post(pods, podNamed('p', { securityContext }))), wrong);
    podOf(await controller.post(pods, podNamed('profiled')));
    assert.match(messageOf(await patch(`${pods}/profiled`, { metadata: { annotations } })), wrong);
  });

  it('a policy that is changed applies to the next write', async () => {
    const name = 'z-changing';
    await create(admin, policies, policy(name, open));
    await bind('other', 'writes-policies', {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'User',
      name: 'controller',
    });
    await grant('writes-policies', {
      apiGroups: ['policy'],
      resources: ['podsecuritypolicies'],
      resourceNames: [name],
      verbs: ['use'],
    });
    const other = '/api/v1/namespaces/other/pods?dryRun=All';
    const spec = { containers: [violating] };
    assert.equal(podOf(await controller.post(other, podNamed('p', spec))).metadata.annotations[PSP], name);
    expectCode(
      200,
      await admin.send('PATCH', `${policies}/${name}`, {
        body: { spec: { privileged: false } },
        contentType: 'application/merge-patch+json',
      }),
    );
    assert.ok(messageOf(await controller.post(other, podNamed('p', spec))).includes(PRIVILEGED));
    expectCode(200, await admin.delete(`${policies}/${name}`));
    assert.match(messageOf(await controller.post(other, podNamed('p'))), /unable to admit pod: \[\]$/);
  });
});

describe('pod security policies of release 1.15', { timeout: 120_000 }, () => {
  it('policies of the older group apply to pods, and pods are refused without one', async () => {
    await using server = await launchServer({
      naming: 'kubernetes',
      args: ['--emulated-version=1.15', '--enable-admission-plugins=PodSecurityPolicy'],
    });
    const path = '/api/v1/namespaces/default/pods';
    const { message } = refused(await server.client.post(path, podNamed('p')), 403, 'Forbidden');
    assert.match(message, /no providers available to validate pod request$/);
    await create(server.client, '/apis/extensions/v1beta1/podsecuritypolicies', {
      ...policy('older', open),
      apiVersion: 'extensions/v1beta1',
    });
    const { annotations } = podOf(await server.client.post(path, podNamed('p'))).metadata;
    assert.equal(annotations[PSP], 'older');
  });
});
