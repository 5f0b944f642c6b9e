import type { DaemonSetUpdateStrategy, DeploymentStrategy } from '@orch/kinds/apps';
import type { Draft } from '@orch/kinds/draft';
import type { JsonObject } from '@orch/machinery/json';
import type { Derive } from '@orch/schema';

type UpdateStrategy = DaemonSetUpdateStrategy | DeploymentStrategy;

/** Amounts by field. */
type Amounts = Readonly<Record<string, number | string>>;

/** Defaults of absent fields of `rollingUpdate`: `ofUpdates` in rolling updates, otherwise `unused` where the field is present. */
export const rollingUpdateDefaults =
  (ofUpdates: Amounts, unused?: Amounts): Derive<Draft<UpdateStrategy>> =>
  (strategy) => {
    const isUsed = strategy.type === 'RollingUpdate';
    const values = isUsed ? ofUpdates : unused;
    if (values === undefined || (!isUsed && (strategy.rollingUpdate ?? undefined) === undefined))
      return false;
    const given: JsonObject = strategy.rollingUpdate ?? {};
    if (Object.keys(values).every((name) => given[name] !== undefined)) return false;
    strategy.rollingUpdate = { ...values, ...given };
    return true;
  };
