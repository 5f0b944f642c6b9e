import type { Names } from '@orch/machinery';
import { growthOf, holds, isInScope, readConditions, type ScopeCondition } from '@orch/quota';
import type { PluginConfiguration } from '../configuration/plugin-configuration.ts';
import type { Refusal } from '../types.ts';
import type { QuotaRequest } from './demand.ts';
import { boundsFor, type QuotaState } from './quota-state.ts';

/** A resource that may be used only if a quota limits it. */
export interface LimitedResource {
  /** Served name. */
  readonly group: string;
  readonly resource: string;
  /** Usage whose names contain one of these must be limited. */
  readonly matchContains: readonly string[];
  /** Objects for which one of these holds must be limited by a quota with that scope. */
  readonly matchScopes: readonly ScopeCondition[];
}

const KIND = 'ResourceQuotaConfiguration';
const OLDER_KIND = 'Configuration';

/** The configuration of the plugin. Throws `ConfigFileError`. */
export function limitedResources(
  configuration: PluginConfiguration,
  names: Names,
): readonly LimitedResource[] {
  const value = configuration('ResourceQuota');
  if (value === undefined) return [];
  const isOlder = value.entries().some(([name, entry]) => name === 'kind' && entry.value === OLDER_KIND);
  const older = ['v1', 'v1beta1', 'v1alpha1'].map((version) => names.apiVersion('resourcequota', version));
  const field = value.document(
    { kind: isOlder ? OLDER_KIND : KIND, apiVersions: [names.apiVersion('apiserverconfig', 'v1'), ...older] },
    ['limitedResources'],
  );
  return field('limitedResources')
    .list()
    .map((entry) => {
      const of = entry.object(['apiGroup', 'resource', 'matchContains', 'matchScopes']);
      const resource = of('resource').text();
      if (resource === '') of('resource').fail('is required');
      for (const condition of of('matchScopes').list()) {
        const part = condition.object(['scopeName', 'operator', 'values']);
        part('scopeName').text();
        part('operator').oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist']);
        part('values').texts();
      }
      return {
        group: of('apiGroup').text(),
        resource,
        matchContains: of('matchContains').texts(),
        matchScopes: readConditions(of('matchScopes').value),
      };
    });
}

/** The reason why a write uses a limited resource that no quota of its namespace limits. */
export function uncovered(
  request: QuotaRequest,
  quotas: readonly QuotaState[],
  limited: readonly LimitedResource[],
): Refusal | undefined {
  const { group, resource } = request.evaluator;
  const rules = limited.filter((rule) => rule.group === group && rule.resource === resource);
  if (rules.length === 0 || growthOf(request, { conditions: [] }, request.nowMs).size === 0) return undefined;
  return uncoveredAmounts(request, quotas, rules) ?? uncoveredScopes(request, quotas, rules);
}

function uncoveredAmounts(
  { evaluator, next, nowMs }: QuotaRequest,
  quotas: readonly QuotaState[],
  rules: readonly LimitedResource[],
): Refusal | undefined {
  const covered = new Set(
    quotas
      .filter(({ conditions }) => isInScope(next.scopes, conditions))
      .flatMap((quota) => boundsFor(quota, evaluator)),
  );
  const parts = rules.flatMap(({ matchContains }) => matchContains);
  const used = [...growthOf({ next, old: undefined }, { conditions: [] }, nowMs).keys()];
  const missing = used.filter((name) => !covered.has(name) && parts.some((part) => name.includes(part)));
  return missing.length === 0 ? undefined : `insufficient quota to consume: ${missing.sort().join(',')}`;
}

function uncoveredScopes(
  { next: { scopes } }: QuotaRequest,
  quotas: readonly QuotaState[],
  rules: readonly LimitedResource[],
): Refusal | undefined {
  if (scopes === undefined) return undefined;
  const covered = new Set(
    quotas
      .flatMap(({ conditions }) => conditions.filter((condition) => holds(scopes, condition)))
      .map(({ scope }) => scope),
  );
  const missing = rules
    .flatMap(({ matchScopes }) => matchScopes)
    .filter((condition) => holds(scopes, condition) && !covered.has(condition.scope));
  const texts = missing.map(({ scope, operator, values }) => `{${scope} ${operator} [${values.join(' ')}]}`);
  return texts.length === 0 ? undefined : `insufficient quota to match these scopes: [${texts.join(' ')}]`;
}
