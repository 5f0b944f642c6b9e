import type { ObjectSource } from '@orch/auth';
import type { Names } from '@orch/machinery';
import type { ConfigValue } from '@orch/machinery/yaml';
import { type ConfigurationParts, SHARED_FILE_FIELDS } from '../configuration/plugin-configuration.ts';
import { annotationOf, withNamespace } from '../shared/namespaces.ts';
import { podSpecOf } from '../shared/pods.ts';
import { podCreations } from '../shared/targets.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal, Verdict } from '../types.ts';
import { type NodeLabels, NodeLabelsError, parseNodeLabels } from './node-labels.ts';

export interface PodNodeSelectorParts extends ConfigurationParts {
  readonly source: ObjectSource;
  readonly names: Names;
}

const DEFAULT = 'clusterDefaultNodeSelector';
const CONFLICT = 'pod node label selector conflicts with its namespace node label selector';
const NOT_PERMITTED = 'pod node label selector labels conflict with its namespace whitelist';

/**
 * `PodNodeSelector`: pods run only on nodes with the labels that an annotation of their namespace requires, or the default
 * of the cluster without one. The configuration can restrict which labels pods of a namespace select.
 */
export function podNodeSelector({ source, names, configuration }: PodNodeSelectorParts): AdmissionPlugin {
  const selectors = readSelectors(configuration('PodNodeSelector'));
  const withSelector = (
    write: AdmissionAttributes,
    decide: (required: NodeLabels) => Refusal | undefined,
  ): Verdict =>
    withNamespace(source, write, (namespace) => {
      const own = annotationOf(namespace, names.annotations.schedulerNodeSelector);
      if (own === undefined) return decide(selectors.get(DEFAULT) ?? noLabels);
      const required = parsedOrProblem(own);
      return typeof required === 'string'
        ? `the node selector of namespace ${write.namespace}: ${required}`
        : decide(required);
    });
  return {
    name: 'PodNodeSelector',
    handles: podCreations,
    mutate: (write) => withSelector(write, (required) => addLabels(write, required)),
    validate: (write) =>
      withSelector(write, (required) =>
        refusalOf(write, required, selectors.get(write.namespace) ?? noLabels),
      ),
  };
}

const noLabels: NodeLabels = new Map();

const parsedOrProblem = (selector: string): NodeLabels | string => {
  try {
    return parseNodeLabels(selector);
  } catch (error) {
    if (error instanceof NodeLabelsError) return error.message;
    throw error;
  }
};

function addLabels(write: AdmissionAttributes, required: NodeLabels): Refusal | undefined {
  const spec = podSpecOf(write);
  if (spec === undefined || required.size === 0) return undefined;
  const own = new Map(Object.entries(spec.nodeSelector ?? {}));
  for (const [key, value] of required) if ((own.get(key) ?? value) !== value) return CONFLICT;
  spec.nodeSelector = Object.fromEntries([...own, ...required]);
  return undefined;
}

/** Checked again after other plugins and webhooks: a pod must still select all labels that its namespace requires. */
function refusalOf(
  write: AdmissionAttributes,
  required: NodeLabels,
  permitted: NodeLabels,
): Refusal | undefined {
  const own = new Map(Object.entries(podSpecOf(write)?.nodeSelector ?? {}));
  for (const [key, value] of required) if (own.get(key) !== value) return CONFLICT;
  if (permitted.size === 0) return undefined;
  return [...own].every(([key, value]) => permitted.get(key) === value) ? undefined : NOT_PERMITTED;
}

/** The default selector of the cluster, and the permitted labels by namespace. Throws `ConfigFileError`. */
function readSelectors(value: ConfigValue | undefined): ReadonlyMap<string, NodeLabels> {
  const entries = value?.object(SHARED_FILE_FIELDS)('podNodeSelectorPluginConfig').entries() ?? [];
  return new Map(entries.map(([name, selector]) => [name, readSelector(selector)]));
}

function readSelector(value: ConfigValue): NodeLabels {
  const selector = parsedOrProblem(value.text());
  return typeof selector === 'string' ? value.fail(selector) : selector;
}
