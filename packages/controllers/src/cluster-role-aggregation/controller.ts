import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type Resource,
} from '@orch/client';
import type { ApiObject, Names } from '@orch/machinery';
import { memberSelectors, missingRules, selects } from './aggregate.ts';

const NAME = 'clusterrole-aggregation-controller';

const clusterRoles = (names: Names): Resource => ({
  group: names.group('rbac'),
  version: 'v1',
  resource: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
});

/** Fills the rules of cluster roles that are made of others. Writes one only when its rules are not what they should be. */
export function clusterRoleAggregationController({ client, informers }: ControllerContext): Controller {
  const roles = informers.informer(clusterRoles(client.names));
  const api = client.resource(roles.resource);
  return controller({
    name: 'clusterrole-aggregation',
    sources: [informerSource(roles, { keys: (changed) => concerned(changed, roles.store.values()) })],
    async reconcile(name, signal) {
      const role = roles.store.get(name);
      const rules = role === undefined ? undefined : missingRules(role, roles.store.values());
      if (role === undefined || rules === undefined) return;
      const { uid, resourceVersion } = role.metadata;
      // The selectors that were looked at are those of this version: another one is looked at anew.
      await api.patch.merge(
        name,
        { metadata: { uid, resourceVersion }, rules },
        { fieldManager: NAME },
        signal,
      );
    },
  });
}

/** Names of the roles whose rules may change with this one: itself, and those that it is part of. */
function concerned(changed: ApiObject, all: Iterable<ApiObject>): readonly string[] {
  const { name = '', labels } = changed.metadata;
  const names = memberSelectors(changed) === undefined ? [] : [name];
  for (const role of all) {
    const selectors = memberSelectors(role);
    if (selectors !== undefined && selects(selectors, labels)) names.push(role.metadata.name ?? '');
  }
  return names;
}
