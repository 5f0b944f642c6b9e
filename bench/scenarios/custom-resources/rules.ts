import { asObject } from '@orch/machinery/json';

type Schema = Readonly<Record<string, unknown>>;

interface Rule {
  /** Names of fields from the root; `*` stands for the items of a list. */
  readonly at: string;
  readonly rules: readonly string[];
}

/** Ten rules, as definitions of operators have them: most on the spec, some on every item of a list, one on a change. */
export const deploymentRules: readonly Rule[] = [
  {
    at: 'spec',
    rules: [
      'self.replicas >= 0 && self.replicas <= 1000',
      'self.selector == oldSelf.selector',
      'self.selector.matchLabels.app == self.template.metadata.labels.app',
      'self.strategy.type != "Recreate" || !has(self.strategy.rollingUpdate)',
      'self.progressDeadlineSeconds > 0 && self.revisionHistoryLimit >= 0',
    ],
  },
  {
    at: 'spec.template.spec',
    rules: [
      'self.containers.exists(c, c.name == "main")',
      'self.restartPolicy in ["Always", "OnFailure"]',
      'self.terminationGracePeriodSeconds <= 600',
    ],
  },
  {
    at: 'spec.template.spec.containers.*',
    rules: [
      'self.image.contains(":") && !self.image.endsWith(":latest")',
      '!has(self.ports) || self.ports.all(p, p.containerPort > 0 && p.containerPort < 65536)',
    ],
  },
];

export const configMapRules: readonly Rule[] = [
  {
    at: 'data',
    rules: [
      'self.field0 != self.field1',
      'size(self.field2) > 0',
      'self.field3.startsWith("value-")',
      'self.field4 == oldSelf.field4',
      'self.field5 in ["value-5-of-200", "other"]',
      'has(self.field6) || has(self.field8)',
      'self.field7.matches("^[a-z]+-[0-9]+$")',
      'self.field8.contains("-of-") && size(self.field9) < 100',
      '!has(self.field10) || self.field10 != ""',
      'self.field11 + self.field12 != self.field13',
    ],
  },
];

const withRulesAt = (
  schema: Schema,
  [name, ...rest]: readonly string[],
  rules: readonly string[],
): Schema => {
  if (name === undefined) {
    const key = 'x-kubernetes-validations';
    return { ...schema, [key]: rules.map((rule) => ({ rule, message: `must satisfy: ${rule}` })) };
  }
  if (name === '*') return { ...schema, items: withRulesAt(asObject(schema['items']), rest, rules) };
  const properties = asObject(schema['properties']);
  return {
    ...schema,
    properties: { ...properties, [name]: withRulesAt(asObject(properties[name]), rest, rules) },
  };
};

/** The schemas of fields with rules added. */
export function withRules(fields: Schema, all: readonly Rule[]): Schema {
  const root = all.reduce((schema: Schema, { at, rules }) => withRulesAt(schema, at.split('.'), rules), {
    properties: fields,
  });
  return asObject(root['properties']);
}
