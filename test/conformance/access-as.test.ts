import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  type CommandResult,
  type LaunchedServer,
  launchServer,
  representativeKubectls,
  run,
} from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const kubectls = await representativeKubectls(root);

if (kubectls.length === 0) {
  describe('kubectl --as', () => {
    it.skip('kubectl --as works unmodified: no kubectl on this machine', () => {});
  });
}

/** Impersonation rights: each attribute of the impersonated user needs a separate permission. */
const policy = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: deputy}
rules:
- {apiGroups: [""], resources: [users], verbs: [impersonate], resourceNames: [jane]}
- {apiGroups: [""], resources: [groups], verbs: [impersonate], resourceNames: [readers]}
- {apiGroups: [""], resources: [serviceaccounts], verbs: [impersonate], resourceNames: [robot]}
- {apiGroups: [authentication.k8s.io], resources: [uids], verbs: [impersonate], resourceNames: ["7"]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: deputy}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: deputy}
subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: lead}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: pod-reader}
rules: [{apiGroups: [""], resources: [pods], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: pod-reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: pod-reader}
subjects:
- {kind: Group, apiGroup: rbac.authorization.k8s.io, name: readers}
- {kind: ServiceAccount, name: robot, namespace: default}
`;

interface AuditLine {
  readonly stage: string;
  readonly user: { readonly username: string };
  readonly impersonatedUser?: {
    readonly username: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
  };
  readonly objectRef?: { readonly resource: string };
}

for (const kubectl of kubectls) {
  const hasUid = Number(kubectl.release.split('.')[1]) >= 24;

  describe(`kubectl --as, ${kubectl.release}`, { timeout: 120_000 }, () => {
    const home = mkdtempSync(join(tmpdir(), 'kubectl-as-'));
    const auditLog = join(home, 'audit.log');
    let server: LaunchedServer;

    const lead = (...args: readonly string[]): Promise<CommandResult> =>
      run(kubectl.path, ['--kubeconfig', join(home, 'lead.conf'), ...args], { env: { HOME: home } });
    const events = (): AuditLine[] =>
      readFileSync(auditLog, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as AuditLine);

    before(async () => {
      writeFileSync(join(home, 'tokens.csv'), 'lead-token,lead,3\n');
      server = await launchServer({
        naming: 'kubernetes',
        args: [
          `--token-auth-file=${join(home, 'tokens.csv')}`,
          '--authorization-mode=RBAC',
          `--audit-log-path=${auditLog}`,
        ],
      });
      writeFileSync(
        join(home, 'lead.conf'),
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [{ name: 'c', cluster: { server: server.url, 'insecure-skip-tls-verify': true } }],
          users: [{ name: 'lead', user: { token: 'lead-token' } }],
          contexts: [{ name: 'x', context: { cluster: 'c', user: 'lead' } }],
          'current-context': 'x',
        }),
      );
      const applied = await run(kubectl.path, ['create', '-f', '-'], {
        env: { HOME: home, KUBECONFIG: server.adminConfig },
        input: policy,
      });
      assert.equal(applied.code, 0, applied.stderr);
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    });

    const uid = (value: string): readonly string[] => (hasUid ? [`--as-uid=${value}`] : []);
    for (const [what, who, message] of [
      ['a user with a permitted group', ['--as=jane', '--as-group=readers'], undefined],
      [
        'a service account, with the groups of service accounts',
        ['--as=system:serviceaccount:default:robot'],
        undefined,
      ],
      ['a user with a uid', ['--as=jane', '--as-group=readers', ...uid('7')], undefined],
      ['a user without permissions', ['--as=jane'], /User "jane" cannot list resource "pods"/],
      [
        'a user that the client must not impersonate',
        ['--as=root', '--as-group=readers'],
        /User "lead" cannot impersonate resource "users" in API group "" at the cluster scope/,
      ],
      [
        'a member of system:masters',
        ['--as=jane', '--as-group=system:masters'],
        /User "lead" cannot impersonate resource "groups"/,
      ],
      [
        'a service account that the client must not impersonate',
        ['--as=system:serviceaccount:default:other'],
        /cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"/,
      ],
      ...(hasUid
        ? ([
            [
              'a user with a uid that the client must not impersonate',
              ['--as=jane', '--as-group=readers', '--as-uid=8'],
              /cannot impersonate resource "uids" in API group "authentication\.k8s\.io"/,
            ],
          ] as const)
        : []),
    ] as const) {
      it(`kubectl ${kubectl.release} --as ${message === undefined ? 'lists pods' : 'is refused to list pods'} as ${what}`, async () => {
        const { code, stderr } = await lead('get', 'pods', ...who);
        if (message === undefined) assert.equal(code, 0, stderr);
        else {
          assert.equal(code, 1);
          assert.match(stderr, message);
        }
      });
    }

    it(`kubectl ${kubectl.release} auth can-i --as answers single questions and lists all rules of the impersonated user`, async () => {
      const asked = (...args: readonly string[]): Promise<CommandResult> =>
        lead('auth', 'can-i', ...args, '--as=jane', '--as-group=readers', ...uid('7'));
      assert.equal((await asked('list', 'pods')).stdout.trim(), 'yes');
      assert.equal((await asked('delete', 'pods')).stdout.trim(), 'no');
      const { code, stdout, stderr } = await asked('--list');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^pods\s+\[\]\s+\[\]\s+\[list\]$/m);
      assert.doesNotMatch(stdout, /impersonate/);
    });

    it(`requests of kubectl ${kubectl.release} --as are audited with the original and the impersonated user`, async () => {
      await lead('get', 'pods', '--as=jane', '--as-group=readers', ...uid('7'));
      const found = events().filter(
        ({ objectRef, stage, impersonatedUser }) =>
          objectRef?.resource === 'pods' && stage === 'ResponseComplete' && impersonatedUser !== undefined,
      );
      assert.ok(found.length > 0);
      assert.deepEqual([...new Set(found.map(({ user }) => user.username))], ['lead']);
      assert.deepEqual(found.at(-1)?.impersonatedUser, {
        username: 'jane',
        ...(hasUid ? { uid: '7' } : {}),
        groups: ['readers', 'system:authenticated'],
      });
    });
  });
}
