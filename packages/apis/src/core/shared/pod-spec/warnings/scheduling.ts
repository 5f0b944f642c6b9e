import type { PodSpec } from '@orch/kinds/core';
import type { WarningContext } from '../../../../content-warning.ts';
import {
  deprecatedNodeLabel,
  nodePreferenceWarnings,
  nodeTermWarnings,
} from '../../../../node-label-warnings.ts';

const NO_SELECTOR = 'a null labelSelector results in matching no pod';

/** Warns of labels by which a pod selects nodes. */
export function nodeSelectionWarnings(
  path: string,
  { nodeSelector = {}, affinity, topologySpreadConstraints = [] }: PodSpec,
  context: WarningContext,
): readonly string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity?.nodeAffinity ?? {};
  const at = `${path}.affinity.nodeAffinity`;
  return [
    ...Object.keys(nodeSelector).flatMap((key) => {
      const message = deprecatedNodeLabel(key, context);
      return message === undefined ? [] : [`${path}.nodeSelector[${key}]: ${message}`];
    }),
    ...(required?.nodeSelectorTerms ?? []).flatMap((term, i) =>
      nodeTermWarnings(
        `${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${i}]`,
        term,
        context,
      ),
    ),
    ...preferred.flatMap(({ preference = {} }, i) =>
      nodePreferenceWarnings(
        `${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].preference`,
        preference,
        context,
      ),
    ),
    ...topologySpreadConstraints.flatMap(({ topologyKey = '', labelSelector }, i) => {
      const each = `${path}.topologySpreadConstraints[${i}]`;
      const message = deprecatedNodeLabel(topologyKey, context);
      return [
        ...(message === undefined ? [] : [`${each}.topologyKey: ${topologyKey} is ${message}`]),
        ...(labelSelector === undefined && context.since('1.28')
          ? [`${each}.labelSelector: ${NO_SELECTOR}`]
          : []),
      ];
    }),
  ];
}

/** Warns of terms about other pods that select none. */
export function podAffinityWarnings(
  path: string,
  { affinity }: PodSpec,
  { since }: WarningContext,
): readonly string[] {
  if (!since('1.28')) return [];
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((field) => {
    const {
      requiredDuringSchedulingIgnoredDuringExecution: required = [],
      preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
    } = affinity?.[field] ?? {};
    const at = `${path}.affinity.${field}`;
    return [
      ...required.flatMap(({ labelSelector }, i) =>
        labelSelector === undefined
          ? [`${at}.requiredDuringSchedulingIgnoredDuringExecution[${i}].labelSelector: ${NO_SELECTOR}`]
          : [],
      ),
      ...preferred.flatMap(({ podAffinityTerm }, i) =>
        podAffinityTerm?.labelSelector === undefined
          ? [
              `${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].podAffinityTerm.labelSelector: ${NO_SELECTOR}`,
            ]
          : [],
      ),
    ];
  });
}
