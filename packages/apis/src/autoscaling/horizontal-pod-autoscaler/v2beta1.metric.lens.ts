import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';

/** The conversion of one struct to the other version. */
type Change = (from: MutableJsonObject) => MutableJsonObject;

interface Both {
  readonly toHub: Change;
  readonly fromHub: Change;
}

const inner = (value: unknown): MutableJsonObject => (isJsonObject(value) ? value : {});

/** The fields that are set. */
const present = (fields: MutableJsonObject): MutableJsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const identifier = (name: unknown, selector: unknown): MutableJsonObject => present({ name, selector });

/** The total value of a metric; undefined when it is `0` beside an average, since the field is always written. */
const whole = (value: unknown, average: unknown): unknown =>
  average !== undefined && value === '0' ? undefined : value;

const target = (type: string, fields: MutableJsonObject): MutableJsonObject => present({ type, ...fields });

const valueTarget = (value: unknown, averageValue: unknown): MutableJsonObject =>
  target(averageValue === undefined ? 'Value' : 'AverageValue', { value, averageValue });

const resourceTarget: Both = {
  toHub: ({ targetAverageUtilization, targetAverageValue, ...rest }) => ({
    ...rest,
    target: target(targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization', {
      averageValue: targetAverageValue,
      averageUtilization: targetAverageUtilization,
    }),
  }),
  fromHub({ target: hub, ...rest }) {
    const { averageUtilization, averageValue } = inner(hub);
    return present({
      ...rest,
      targetAverageUtilization: averageUtilization,
      targetAverageValue: averageValue,
    });
  },
};

const resourceUse: Both = {
  toHub: ({ currentAverageUtilization, currentAverageValue, ...rest }) => ({
    ...rest,
    current: present({ averageValue: currentAverageValue, averageUtilization: currentAverageUtilization }),
  }),
  fromHub({ current, ...rest }) {
    const { averageUtilization, averageValue } = inner(current);
    return present({
      ...rest,
      currentAverageUtilization: averageUtilization,
      currentAverageValue: averageValue,
    });
  },
};

const sources: Readonly<Record<string, Both>> = {
  object: {
    toHub: ({ target: describedObject, metricName, targetValue, selector, averageValue }) =>
      present({
        describedObject,
        metric: identifier(metricName, selector),
        target: valueTarget(whole(targetValue, averageValue), averageValue),
      }),
    fromHub({ describedObject, metric, target: hub }) {
      const { name: metricName, selector } = inner(metric);
      const { value: targetValue, averageValue } = inner(hub);
      return present({ target: describedObject, metricName, targetValue, selector, averageValue });
    },
  },
  pods: {
    toHub: ({ metricName, targetAverageValue, selector }) => ({
      metric: identifier(metricName, selector),
      target: target('AverageValue', { averageValue: targetAverageValue }),
    }),
    fromHub({ metric, target: hub }) {
      const { name: metricName, selector } = inner(metric);
      return present({ metricName, targetAverageValue: inner(hub).averageValue, selector });
    },
  },
  resource: resourceTarget,
  containerResource: resourceTarget,
  external: {
    toHub: ({ metricName, metricSelector, targetValue, targetAverageValue }) => ({
      metric: identifier(metricName, metricSelector),
      target: valueTarget(targetValue, targetAverageValue),
    }),
    fromHub({ metric, target: hub }) {
      const { name: metricName, selector: metricSelector } = inner(metric);
      const { value: targetValue, averageValue: targetAverageValue } = inner(hub);
      return present({ metricName, metricSelector, targetValue, targetAverageValue });
    },
  },
};

const states: Readonly<Record<string, Both>> = {
  object: {
    toHub: ({ target: describedObject, metricName, currentValue, selector, averageValue }) =>
      present({
        describedObject,
        metric: identifier(metricName, selector),
        current: present({ value: whole(currentValue, averageValue), averageValue }),
      }),
    fromHub({ describedObject, metric, current }) {
      const { name: metricName, selector } = inner(metric);
      const { value: currentValue, averageValue } = inner(current);
      return present({ target: describedObject, metricName, currentValue, selector, averageValue });
    },
  },
  pods: {
    toHub: ({ metricName, currentAverageValue, selector }) => ({
      metric: identifier(metricName, selector),
      current: present({ averageValue: currentAverageValue }),
    }),
    fromHub({ metric, current }) {
      const { name: metricName, selector } = inner(metric);
      return present({ metricName, currentAverageValue: inner(current).averageValue, selector });
    },
  },
  resource: resourceUse,
  containerResource: resourceUse,
  external: {
    toHub: ({ metricName, metricSelector, currentValue, currentAverageValue }) => ({
      metric: identifier(metricName, metricSelector),
      current: present({
        value: whole(currentValue, currentAverageValue),
        averageValue: currentAverageValue,
      }),
    }),
    fromHub({ metric, current }) {
      const { name: metricName, selector: metricSelector } = inner(metric);
      const { value: currentValue, averageValue: currentAverageValue } = inner(current);
      return present({ metricName, metricSelector, currentValue, currentAverageValue });
    },
  },
};

/** Converts the field of each source of a metric; its type is the same in both versions. */
const changed =
  (table: Readonly<Record<string, Both>>, direction: keyof Both): Change =>
  (metric) =>
    Object.fromEntries(
      Object.entries(metric).map(([name, value]) => {
        const change = Object.hasOwn(table, name) ? table[name]?.[direction] : undefined;
        return [name, change !== undefined && isJsonObject(value) ? change(value) : value];
      }),
    );

/** One metric of a spec. */
export const metricSpec: Both = {
  toHub: changed(sources, 'toHub'),
  fromHub: changed(sources, 'fromHub'),
};

/** One metric of a status. */
export const metricStatus: Both = {
  toHub: changed(states, 'toHub'),
  fromHub: changed(states, 'fromHub'),
};

/** Converts every metric; returns an empty list if the value is not a list of objects. */
export const changeAll = (list: unknown, change: Change): MutableJsonObject[] | undefined =>
  Array.isArray(list) && list.every(isJsonObject) ? list.map(change) : undefined;
