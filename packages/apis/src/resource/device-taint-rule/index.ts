import type { Draft } from '@orch/kinds/draft';
import type * as kinds from '@orch/kinds/resource';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, StrategyContext, TableDefinition } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { DeviceTaintRule } from './v1.ts';

type Rule = kinds.DeviceTaintRule;

const taintRuleTable: TableDefinition<Rule> = {
  columns: [
    nameColumn,
    column('Key', 'Key of the taint.'),
    column('Value', 'Value of the taint.'),
    column('Effect', 'Effect of the taint.'),
    column('TimeAdded', 'Time since the taint was added.'),
    ageColumn,
  ],
  cells(rule) {
    const { key = '', value = '', effect = '', timeAdded } = rule.spec?.taint ?? {};
    return [
      nameCell(rule),
      key,
      value,
      effect,
      timeAdded === undefined ? '' : { age: timeAdded },
      ageCell(rule),
    ];
  },
};

function setTime(rule: Draft<Rule>, { now }: StrategyContext): void {
  if (rule.spec?.taint !== undefined) rule.spec.taint.timeAdded ??= now;
}

/** The time is that of the present effect. */
function renewTime(next: Draft<Rule>, old: Rule, { now }: StrategyContext): void {
  const [taint, before] = [next.spec?.taint, old.spec?.taint];
  if (taint !== undefined && taint.effect !== before?.effect && taint.timeAdded === before?.timeAdded)
    taint.timeAdded = now;
}

export const deviceTaintRules: ResourceType = defineResource({
  group: 'resource',
  resource: 'devicetaintrules',
  kind: 'DeviceTaintRule',
  namespaced: false,
  versions: [
    { version: 'v1', schema: DeviceTaintRule, introduced: '1.37' },
    {
      version: 'v1beta2',
      schema: DeviceTaintRule,
      introduced: '1.36',
      deprecated: '1.39',
      removed: '1.42',
      servedByDefault: false,
    },
    {
      version: 'v1alpha3',
      schema: DeviceTaintRule,
      introduced: '1.33',
      deprecated: '1.36',
      removed: '1.39',
      replacement: 'none',
    },
  ],
  table: taintRuleTable,
  strategy: strategyOf<Rule>({
    generation: 'spec',
    resetStatus: true,
    prepareForCreate: setTime,
    prepareForUpdate(next, old, context) {
      keepStatus(next, old, context);
      setTime(next, context);
      renewTime(next, old, context);
    },
    through: { status: statusOnlyRules() },
  }),
  subresources: [{ ...statusSubresource('DeviceTaintRule', 'resource'), introduced: '1.35' }],
});
