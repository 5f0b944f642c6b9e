import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type kinds,
  typed,
} from '@orch/client';
import { memberSelectors, missingRules, selects } from './aggregate.ts';

type ClusterRole = kinds.rbac.ClusterRole;

const NAME = 'clusterrole-aggregation-controller';

/** Updates the rules of aggregated cluster roles. */
export function clusterRoleAggregationController({ client, informers }: ControllerContext): Controller {
  const { clusterroles } = typed(client).rbac.v1;
  const roles = informers.informer(clusterroles.resource);
  return controller({
    name: 'clusterrole-aggregation',
    sources: [informerSource(roles, { keys: (changed) => concerned(changed, roles.store.values()) })],
    async reconcile(name, signal) {
      const role = roles.store.get(name);
      const rules = role === undefined ? undefined : missingRules(role, roles.store.values());
      if (role === undefined || rules === undefined) return;
      const { uid, resourceVersion } = role.metadata;
      // The rules were computed from the selectors of this version: a newer one is reconciled again.
      await clusterroles.patch.merge(
        name,
        { metadata: { uid, resourceVersion }, rules },
        { fieldManager: NAME },
        signal,
      );
    },
  });
}

/** Names of the roles whose rules may change with this one: itself, and those that aggregate it. */
function concerned(changed: ClusterRole, all: Iterable<ClusterRole>): readonly string[] {
  const { name = '', labels } = changed.metadata;
  const names = memberSelectors(changed) === undefined ? [] : [name];
  for (const role of all) {
    const selectors = memberSelectors(role);
    if (selectors !== undefined && selects(selectors, labels)) names.push(role.metadata.name ?? '');
  }
  return names;
}
