import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Naming, namings } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { findKubectls, run } from '@orch/testkit';
import { expectCode } from '../api/fixture.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

interface Role {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly managedFields?: readonly { manager: string }[];
  };
  readonly rules:
    | readonly { readonly resources?: readonly string[]; readonly verbs: readonly string[] }[]
    | null;
}

for (const naming of namings) {
  describe(`aggregated cluster roles, ${naming}`, { timeout: 60_000 }, () => {
    let cluster: Controlled;
    let base: string;
    let label: (into: string) => Record<string, string>;
    const role = async (name: string): Promise<Role> =>
      expectCode(200, await cluster.client.get(`${base}/${name}`)).json as Role;
    const resources = ({ rules }: Role): readonly string[] =>
      (rules ?? []).flatMap((rule) => rule.resources ?? []);
    const roleObject = (name: string, metadata: object, rest: object): object => ({
      apiVersion: `${cluster.names.group('rbac')}/v1`,
      kind: 'ClusterRole',
      metadata: { name, ...metadata },
      ...rest,
    });
    const create = async (name: string, metadata: object, rest: object): Promise<void> =>
      void expectCode(201, await cluster.client.post(base, roleObject(name, metadata, rest)));
    const widgets = { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] };

    before(async () => {
      cluster = await controlled({ naming: naming as Naming });
      base = `/apis/${cluster.names.group('rbac')}/v1/clusterroles`;
      label = (into) => ({ [`${cluster.names.group('rbac')}/aggregate-to-${into}`]: 'true' });
      assert.equal((await role('admin')).rules, null);
      await cluster.run('clusterrole-aggregation');
    });
    after(() => cluster[Symbol.asyncDispose]());

    it('aggregated roles have rules: edit includes view, and admin includes both', async () => {
      const admin = await eventually(
        () => role('admin'),
        (seen) => resources(seen).includes('rolebindings') && resources(seen).includes('pods/log'),
      );
      const [view, edit] = [await role('view'), await role('edit')];
      assert.ok(resources(view).includes('pods') && !resources(view).includes('secrets'));
      assert.ok(resources(edit).includes('secrets') && !resources(edit).includes('rolebindings'));
      for (const one of resources(view)) assert.ok(resources(edit).includes(one), one);
      for (const one of resources(edit)) assert.ok(resources(admin).includes(one), one);
    });

    it('the rules of a labelled role are added to all roles that aggregate it, and removed when it is deleted', async () => {
      await create('widgets-reader', { labels: label('view') }, { rules: [widgets] });
      for (const name of ['view', 'edit', 'admin']) {
        await eventually(
          () => role(name),
          (seen) => resources(seen).includes('widgets'),
        );
      }
      expectCode(200, await cluster.client.delete(`${base}/widgets-reader`));
      for (const name of ['view', 'edit', 'admin']) {
        await eventually(
          () => role(name),
          (seen) => !resources(seen).includes('widgets'),
        );
      }
    });

    it('aggregated roles follow changes of rules and labels', async () => {
      const path = `${base}/gadgets`;
      const merge = { contentType: 'application/merge-patch+json' };
      await create('gadgets', { labels: label('admin') }, { rules: [] });
      expectCode(
        200,
        await cluster.client.send('PATCH', path, {
          ...merge,
          body: { rules: [{ ...widgets, resources: ['gadgets'] }] },
        }),
      );
      await eventually(
        () => role('admin'),
        (seen) => resources(seen).includes('gadgets'),
      );
      assert.ok(!resources(await role('edit')).includes('gadgets'));
      expectCode(
        200,
        await cluster.client.send('PATCH', path, { ...merge, body: { metadata: { labels: null } } }),
      );
      await eventually(
        () => role('admin'),
        (seen) => !resources(seen).includes('gadgets'),
      );
    });

    it('rules written into an aggregated role are replaced, and correct roles are not written', async () => {
      await create(
        'made',
        {},
        { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { made: 'yes' } }] }, rules: [widgets] },
      );
      const empty = await eventually(
        () => role('made'),
        (seen) => seen.rules === null || seen.rules.length === 0,
      );
      await create('part', { labels: { made: 'yes' } }, { rules: [widgets] });
      const full = await eventually(
        () => role('made'),
        (seen) => resources(seen).includes('widgets'),
      );
      assert.notEqual(full.metadata.resourceVersion, empty.metadata.resourceVersion);
      assert.ok(
        full.metadata.managedFields?.some(({ manager }) => manager === 'clusterrole-aggregation-controller'),
      );
      // Another role with the same rules changes nothing; a later role that changes another one shows that it was processed.
      await create('part-again', { labels: { made: 'yes' } }, { rules: [widgets] });
      await create('part-else', { labels: { made: 'yes', late: 'yes' } }, { rules: [widgets] });
      await create(
        'later',
        {},
        { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { late: 'yes' } }] }, rules: null },
      );
      await eventually(
        () => role('later'),
        (seen) => resources(seen).includes('widgets'),
      );
      assert.equal((await role('made')).metadata.resourceVersion, full.metadata.resourceVersion);
    });
  });
}

// The answers come from the server: the oldest and the newest are enough.
const found = await findKubectls(join(import.meta.dirname, '..', '..'));
const kubectls = found.filter((_, i) => i === 0 || i === found.length - 1);
if (kubectls.length === 0) {
  describe('kubectl and aggregated roles', () => {
    it.skip('kubectl permits users what their roles state: no kubectl on this machine', () => {});
  });
} else {
  describe('kubectl and aggregated roles', { timeout: 120_000 }, () => {
    const home = mkdtempSync(join(tmpdir(), 'kubectl-roles-'));
    let cluster: Controlled;
    before(async () => {
      const tokens = join(home, 'tokens.csv');
      writeFileSync(tokens, 'vera-token,vera,1\neddi-token,eddi,2\nada-token,ada,3\n');
      cluster = await controlled({ args: [`--token-auth-file=${tokens}`] });
      await cluster.run('clusterrole-aggregation');
      for (const [user, name] of [
        ['vera', 'view'],
        ['eddi', 'edit'],
        ['ada', 'admin'],
      ] as const) {
        const group = cluster.names.group('rbac');
        const binding = {
          apiVersion: `${group}/v1`,
          kind: 'RoleBinding',
          metadata: { name: user },
          roleRef: { apiGroup: group, kind: 'ClusterRole', name },
          subjects: [{ kind: 'User', apiGroup: group, name: user }],
        };
        expectCode(
          201,
          await cluster.client.post(`/apis/${group}/v1/namespaces/default/rolebindings`, binding),
        );
      }
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    });

    for (const kubectl of kubectls) {
      it(`users of kubectl ${kubectl.release} have the permissions of the view, edit and admin roles they are bound to`, async () => {
        const as = (user: string, ...args: string[]) =>
          run(
            kubectl.path,
            [
              `--server=${cluster.server.url}`,
              '--insecure-skip-tls-verify',
              `--token=${user}-token`,
              ...args,
            ],
            { env: { HOME: home } },
          );
        const can = async (user: string, ...question: string[]): Promise<string> =>
          (await as(user, 'auth', 'can-i', ...question)).stdout.trim();
        await eventually(
          () => can('ada', 'create', 'rolebindings'),
          (answer) => answer === 'yes',
        );
        for (const [question, vera, eddi, ada] of [
          [['list', 'pods'], 'yes', 'yes', 'yes'],
          [['get', 'pods', '--subresource=log'], 'yes', 'yes', 'yes'],
          [['create', 'deployments.apps'], 'no', 'yes', 'yes'],
          [['get', 'secrets'], 'no', 'yes', 'yes'],
          [['create', 'roles.rbac.authorization.k8s.io'], 'no', 'no', 'yes'],
          [['update', 'resourcequotas'], 'no', 'no', 'no'],
          [['list', 'pods', '-n', 'kube-system'], 'no', 'no', 'no'],
        ] as const) {
          assert.deepEqual(
            await Promise.all(['vera', 'eddi', 'ada'].map((user) => can(user, ...question))),
            [vera, eddi, ada],
            question.join(' '),
          );
        }
        const described = await as('ada', 'describe', 'quota');
        assert.equal(described.code, 0, described.stderr);
      });
    }
  });
}
