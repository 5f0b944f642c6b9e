import type { DaemonSetUpdateStrategy, DeploymentStrategy } from '@orch/kinds/apps';
import type { Draft } from '@orch/kinds/draft';
import type { JsonObject } from '@orch/machinery/json';
import type { Derive } from '@orch/schema';

type UpdateStrategy = DaemonSetUpdateStrategy | DeploymentStrategy;

/** Defaults of absent fields of `rollingUpdate`. */
export const rollingUpdateDefaults =
  (values: Readonly<Record<string, number | string>>): Derive<Draft<UpdateStrategy>> =>
  (strategy) => {
    if (strategy.type !== 'RollingUpdate') return false;
    const given: JsonObject = strategy.rollingUpdate ?? {};
    if (Object.keys(values).every((name) => given[name] !== undefined)) return false;
    strategy.rollingUpdate = { ...values, ...given };
    return true;
  };
