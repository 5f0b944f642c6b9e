import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
  describe('kubectl auth', () => {
    it.skip('kubectl auth works unmodified: no kubectl on this machine', () => {});
  });
}

const policy = (namespace: string) => `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: ${namespace}}
rules:
- {apiGroups: [""], resources: [pods, pods/log], verbs: [get, list]}
- {apiGroups: [apps], resources: ["*/scale"], verbs: [update]}
- {apiGroups: [""], resources: [configmaps], resourceNames: [one], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader, namespace: ${namespace}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects:
- {kind: User, apiGroup: rbac.authorization.k8s.io, name: jane}
- {kind: Group, apiGroup: rbac.authorization.k8s.io, name: readers}
- {kind: ServiceAccount, name: robot, namespace: ${namespace}}
`;

for (const kubectl of kubectls) {
  describe(`kubectl auth, ${kubectl.release}`, { timeout: 120_000 }, () => {
    const home = mkdtempSync(join(tmpdir(), 'kubectl-auth-'));
    let server: LaunchedServer;

    const kube = (args: readonly string[], input?: string): Promise<CommandResult> =>
      run(kubectl.path, args, {
        env: { KUBECONFIG: server.adminConfig, HOME: home },
        ...(input === undefined ? {} : { input }),
      });
    /** With the token of a user instead of the administrator's certificate. */
    const as = (user: string, ...args: string[]): Promise<CommandResult> =>
      run(kubectl.path, ['--kubeconfig', join(home, `${user}.conf`), ...args], { env: { HOME: home } });
    const ok = async (result: Promise<CommandResult>): Promise<string> => {
      const { code, stdout, stderr } = await result;
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      return stdout.trim();
    };

    before(async () => {
      const tokens = join(home, 'tokens.csv');
      writeFileSync(tokens, 'jane-token,jane,1\njoe-token,joe,2,"readers"\nlead-token,lead,3\n');
      server = await launchServer({
        naming: 'kubernetes',
        args: [`--token-auth-file=${tokens}`, '--authorization-mode=RBAC'],
      });
      for (const user of ['jane', 'joe', 'lead']) {
        writeFileSync(
          join(home, `${user}.conf`),
          JSON.stringify({
            apiVersion: 'v1',
            kind: 'Config',
            clusters: [{ name: 'c', cluster: { server: server.url, 'insecure-skip-tls-verify': true } }],
            users: [{ name: user, user: { token: `${user}-token` } }],
            contexts: [{ name: 'x', context: { cluster: 'c', user, namespace: 'team' } }],
            'current-context': 'x',
          }),
        );
      }
      await ok(kube(['create', 'namespace', 'team']));
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    });

    it(`kubectl ${kubectl.release} is refused for a user without rules and permitted everything for the administrator`, async () => {
      const { code, stderr } = await as('jane', 'get', 'pods');
      assert.equal(code, 1);
      assert.match(
        stderr,
        /pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "team"/,
      );
      assert.equal(await ok(kube(['auth', 'can-i', '*', '*', '--all-namespaces'])), 'yes');
    });

    it(`kubectl ${kubectl.release} auth reconcile creates roles and bindings, adds missing rules, and writes nothing when run again`, async () => {
      const created = await ok(kube(['auth', 'reconcile', '-f', '-'], policy('team')));
      assert.match(created, /role.*reader reconciled/);
      assert.match(created, /rolebinding.*reader reconciled/);
      await ok(
        kube([
          '-n',
          'team',
          'patch',
          'role',
          'reader',
          '--type=json',
          '-p',
          '[{"op":"remove","path":"/rules/0"}]',
        ]),
      );
      await ok(kube(['auth', 'reconcile', '-f', '-'], policy('team')));
      const { rules } = JSON.parse(await ok(kube(['-n', 'team', 'get', 'role', 'reader', '-o', 'json']))) as {
        rules: { resources: string[] }[];
      };
      assert.ok(rules.flatMap(({ resources }) => resources).includes('pods/log'));
      const before = await ok(
        kube([
          '-n',
          'team',
          'get',
          'role,rolebinding',
          '-o',
          'jsonpath={.items[*].metadata.resourceVersion}',
        ]),
      );
      await ok(kube(['auth', 'reconcile', '-f', '-'], policy('team')));
      const after = await ok(
        kube([
          '-n',
          'team',
          'get',
          'role,rolebinding',
          '-o',
          'jsonpath={.items[*].metadata.resourceVersion}',
        ]),
      );
      assert.equal(after, before);
    });

    for (const [question, jane, joe] of [
      [['get', 'pods'], 'yes', 'yes'],
      [['get', 'pods', '--subresource=log'], 'yes', 'yes'],
      [['get', 'pods', '--subresource=exec'], 'no', 'no'],
      [['delete', 'pods'], 'no', 'no'],
      [['get', 'pods', '-n', 'default'], 'no', 'no'],
      [['update', 'deployments.apps', '--subresource=scale'], 'yes', 'yes'],
      [['get', 'configmaps/one'], 'yes', 'yes'],
      [['get', 'configmaps/two'], 'no', 'no'],
      [['get', 'configmaps'], 'no', 'no'],
      [['get', '/version'], 'yes', 'yes'],
      [['get', '/metrics'], 'no', 'no'],
      [['create', 'selfsubjectaccessreviews.authorization.k8s.io'], 'yes', 'yes'],
    ] as const) {
      it(`kubectl ${kubectl.release} auth can-i ${question.join(' ')} answers as the rules state`, async () => {
        for (const [user, expected] of [
          ['jane', jane],
          ['joe', joe],
        ] as const) {
          const { stdout, code, stderr } = await as(user, 'auth', 'can-i', ...question);
          assert.match(stdout, new RegExp(`^${expected}\\b`), `${user}: ${stdout} ${stderr}`);
          assert.equal(code, expected === 'yes' ? 0 : 1);
        }
      });
    }

    it(`kubectl ${kubectl.release} auth can-i --list shows the rules of the namespace and the non-resource paths`, async () => {
      const text = await ok(as('jane', 'auth', 'can-i', '--list'));
      for (const line of [
        /^pods\s+\[\]\s+\[\]\s+\[get list\]$/m,
        /^pods\/log\s+\[\]\s+\[\]\s+\[get list\]$/m,
        /^\*\.apps\/scale\s|^\*\/scale\.apps\s+\[\]\s+\[\]\s+\[update\]$/m,
        /^configmaps\s+\[\]\s+\[one\]\s+\[get\]$/m,
        /^selfsubjectaccessreviews\.authorization\.k8s\.io\s+\[\]\s+\[\]\s+\[create\]$/m,
        /\[\/healthz\]\s+\[\]\s+\[get\]$/m,
      ])
        assert.match(text, line);
      assert.doesNotMatch(await ok(as('jane', 'auth', 'can-i', '--list', '-n', 'default')), /^pods/m);
      assert.match(await ok(kube(['auth', 'can-i', '--list'])), /^\*\.\*\s+\[\]\s+\[\]\s+\[\*\]$/m);
    });

    it(`kubectl ${kubectl.release} auth can-i --as and --as-group answer for the impersonated user`, async () => {
      const asked = async (...who: string[]): Promise<string> =>
        (await kube(['-n', 'team', 'auth', 'can-i', 'list', 'pods', ...who])).stdout.trim();
      assert.equal(await asked('--as=jane'), 'yes');
      assert.equal(await asked('--as=without-roles'), 'no');
      assert.equal(await asked('--as=without-roles', '--as-group=readers'), 'yes');
      assert.equal(await asked('--as=system:serviceaccount:team:robot'), 'yes');
      assert.equal(await asked('--as=system:serviceaccount:other:robot'), 'no');
    });

    it(`kubectl ${kubectl.release} create role and rolebinding are refused, with the missing permission, when they would escalate privileges`, async () => {
      await ok(
        kube([
          '-n',
          'team',
          'create',
          'role',
          'lead',
          '--verb=create,get,list',
          '--resource=roles.rbac.authorization.k8s.io,rolebindings.rbac.authorization.k8s.io',
        ]),
      );
      await ok(kube(['-n', 'team', 'create', 'rolebinding', 'lead', '--role=lead', '--user=lead']));
      const role = await as('lead', 'create', 'role', 'secrets', '--verb=get', '--resource=secrets');
      assert.equal(role.code, 1);
      assert.match(role.stderr, /cannot grant permissions without having them: get of "secrets"/);
      const binding = await as(
        'lead',
        'create',
        'rolebinding',
        'up',
        '--clusterrole=cluster-admin',
        '--user=lead',
      );
      assert.equal(binding.code, 1);
      assert.match(binding.stderr, /\* of "\*" in group "\*"/);
      await ok(as('lead', 'create', 'rolebinding', 'same', '--role=lead', '--user=joe'));
    });
  });
}
