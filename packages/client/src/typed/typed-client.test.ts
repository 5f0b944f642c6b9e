import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor, namings } from '@orch/machinery';
import { configMaps, served } from '../rest/testing/served.ts';
import type { ResourceClient, TypedResource } from '../rest/types.ts';
import { builtinResources } from '../types/builtin-resources.ts';
import type * as kinds from '../types/kinds.ts';
import { type ObjectOf, type TypedClient, typed } from './typed-client.ts';

describe('built-in resources', () => {
  for (const naming of namings) {
    it(`built-in resources have the groups of their naming (${naming})`, () => {
      const names = namesFor(naming);
      for (const [key, versions] of Object.entries(builtinResources(names))) {
        for (const [version, resources] of Object.entries<Record<string, object>>(versions)) {
          for (const [plural, resource] of Object.entries(resources)) {
            const { kind, namespaced, ...rest } = resource as Record<string, unknown>;
            assert.deepEqual(rest, { group: names.group(key), version, resource: plural });
            assert.match(String(kind), /^[A-Z]/);
            assert.equal(typeof namespaced, 'boolean');
          }
        }
      }
    });
  }

  it('built-in resources are namespaced or cluster-scoped', () => {
    const { core, apps, rbac } = builtinResources(namesFor('orch'));
    const isNamespaced = [
      core.v1.pods,
      core.v1.nodes,
      apps.v1.deployments,
      rbac.v1.roles,
      rbac.v1.clusterroles,
    ];
    assert.deepEqual(
      isNamespaced.map(({ namespaced }) => namespaced),
      [true, false, true, true, false],
    );
  });
});

describe('typed clients', () => {
  it('a typed client uses the paths of its resources', async () => {
    await using api = await served(() => ({ body: { metadata: { name: 'a' } } }), { naming: 'kubernetes' });
    const all = typed(api.client);
    await all.core.v1.nodes.get('n');
    await all.coordination.v1.leases.in('ns').get('l');
    await typed(api.client, 'own').batch.v1beta1.cronjobs.get('c');
    assert.deepEqual(
      api.seen.map(({ target }) => target),
      [
        '/api/v1/nodes/n',
        `/apis/${namesFor('kubernetes').groups.coordination}/v1/namespaces/ns/leases/l`,
        '/apis/batch/v1beta1/namespaces/own/cronjobs/c',
      ],
    );
  });

  it('the client of a resource is made when it is first read, once', async () => {
    await using api = await served(() => ({ body: {} }));
    const made: string[] = [];
    const all = typed({
      ...api.client,
      names: api.client.names,
      resource<T extends ApiObject>(resource: TypedResource<T>, namespace?: string) {
        made.push(resource.resource);
        return api.client.resource(resource, namespace);
      },
    });
    assert.equal(all.core.v1.pods, all.core.v1.pods);
    assert.ok(Object.keys(all.core.v1).includes('secrets'));
    assert.deepEqual(made, ['pods']);
  });

  // The following lines are checked by the compiler; they would not build otherwise.
  it('the objects of a typed client have types', () => {
    const checks = async (api: TypedClient, plain: ResourceClient): Promise<void> => {
      const deployment = await api.apps.v1.deployments.get('web');
      deployment.spec?.template.spec?.containers[0]?.image?.at(0);
      // @ts-expect-error: no such field.
      deployment.spec?.replica;
      // @ts-expect-error: a number, not a string.
      deployment.spec?.replicas?.at(0);
      // @ts-expect-error: the selector is missing.
      await api.apps.v1.deployments.create({ metadata: {}, spec: { template: {} } });
      // @ts-expect-error: no such resource in this version.
      api.apps.v1.cronjobs;
      const older: kinds.apps.DeploymentV1beta1 = await api.apps.v1beta1.deployments.get('web');
      older.spec?.rollbackTo?.revision;
      const anything: ApiObject = deployment;
      const unknownField: unknown = (await plain.get('x'))['spec'];
      void [anything, unknownField];
    };
    assert.equal(typeof checks, 'function');
  });

  it('a resource has the type of its objects, or that of the caller', () => {
    type Pods = ReturnType<typeof builtinResources>['core']['v1']['pods'];
    const pod: ObjectOf<Pods> = { metadata: { name: 'a' }, spec: { containers: [{ name: 'main' }] } };
    const checks = async (client: Awaited<ReturnType<typeof served>>['client']): Promise<void> => {
      const { pods } = builtinResources(client.names).core.v1;
      const phase: string | undefined = (await client.resource(pods, 'ns').get('a')).status?.phase;
      const text: string | undefined = (await client.resource<kinds.core.ConfigMap>(configMaps).get('a'))
        .data?.['x'];
      // @ts-expect-error: objects of a resource without a type have no known fields.
      const none: string = (await client.resource(configMaps).get('a')).data;
      void [phase, text, none];
    };
    assert.deepEqual([typeof checks, pod.spec?.containers.length], ['function', 1]);
  });
});
