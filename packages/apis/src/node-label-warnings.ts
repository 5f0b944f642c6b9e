import type { NodeSelectorTerm } from '@orch/kinds/core';
import { labelValue } from '@orch/machinery/formats';
import { formatMessage, type WarningContext } from './content-warning.ts';

/** Reports what replaces a label of nodes; undefined for a label that is not deprecated. */
export function deprecatedNodeLabel(key: string, { names, since }: WarningContext): string | undefined {
  const { labels, labelPrefixes, annotations } = names;
  switch (key) {
    case labels.betaArch:
      return `deprecated since v1.14; use "${labels.arch}" instead`;
    case labels.betaOs:
      return `deprecated since v1.14; use "${labels.os}" instead`;
    case labels.failureDomainRegion:
      return `deprecated since v1.17; use "${labels.topologyRegion}" instead`;
    case labels.failureDomainZone:
      return `deprecated since v1.17; use "${labels.topologyZone}" instead`;
    case labels.betaInstanceType:
      return `deprecated since v1.17; use "${labels.instanceType}" instead`;
    case `${labelPrefixes.app}created-by`:
      return since('1.31') ? 'deprecated since v1.9' : undefined;
    case annotations.schedulerPreferAvoidPods:
      return since('1.31') ? 'deprecated since v1.22; use Taints and Tolerations instead' : undefined;
    case `${labelPrefixes.nodeRole}master`:
      return since('1.31') ? `use "${labelPrefixes.nodeRole}control-plane" instead` : undefined;
    default:
      return undefined;
  }
}

interface Requirement {
  readonly key?: string;
}

/** Warns of expressions about deprecated labels. */
export const expressionWarnings = (
  path: string,
  expressions: readonly Requirement[] = [],
  context: WarningContext,
): readonly string[] =>
  expressions.flatMap(({ key = '' }, i) => {
    const message = deprecatedNodeLabel(key, context);
    return message === undefined ? [] : [`${path}.matchExpressions[${i}].key: ${key} is ${message}`];
  });

/** Warns of the expressions of a term that selects nodes. */
export const nodeTermWarnings = (
  path: string,
  { matchExpressions }: NodeSelectorTerm,
  context: WarningContext,
): readonly string[] => expressionWarnings(path, matchExpressions, context);

/** As `nodeTermWarnings`, of a preference, whose values are not validated. */
export const nodePreferenceWarnings = (
  path: string,
  term: NodeSelectorTerm,
  context: WarningContext,
): readonly string[] => [
  ...nodeTermWarnings(path, term, context),
  ...(context.since('1.33') ? valueWarnings(path, term) : []),
];

const valueWarnings = (path: string, { matchExpressions = [] }: NodeSelectorTerm): readonly string[] =>
  matchExpressions.flatMap(({ values = [] }, i) =>
    values.flatMap((value, j) => {
      const wrong = labelValue(value);
      return wrong === undefined
        ? []
        : [`${path}.matchExpressions[${i}].values[${j}]: ${value} is invalid, ${formatMessage(wrong)}`];
    }),
  );
