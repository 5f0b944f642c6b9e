import type { PodSpec, PodTemplateSpec } from '@orch/kinds/core';
import type { ObjectMeta } from '@orch/machinery';
import { approximateNumber } from '@orch/machinery/json';
import { addressWarnings } from '../../../../address-warnings.ts';
import { WarningCollector, type WarningContext } from '../../../../content-warning.ts';
import {
  addContainerWarnings,
  BYTES,
  fractionWarnings,
  type PodToWarnOf,
  podProfileWarnings,
} from './containers.ts';
import { addPortWarnings } from './ports.ts';
import { nodeSelectionWarnings, podAffinityWarnings } from './scheduling.ts';
import { addPathWarnings } from './virtual-paths.ts';
import { volumeWarnings } from './volumes.ts';

/** Warns of annotations that have no effect any more. */
function annotationWarnings(
  { prefix, annotations }: PodToWarnOf,
  { names }: WarningContext,
): readonly string[] {
  const { schedulerCriticalPod, sysctls, unsafeSysctls } = names.annotations;
  const useSysctls = 'non-functional in v1.11+; use the "sysctls" field instead';
  const texts = [
    [schedulerCriticalPod, 'non-functional in v1.16+; use the "priorityClassName" field instead'],
    [sysctls, useSysctls],
    [unsafeSysctls, useSysctls],
  ] as const;
  return texts.flatMap(([key, text]) =>
    annotations[key] === undefined ? [] : [`${prefix}metadata.annotations[${key}]: ${text}`],
  );
}

/** Warns of items of a list with the same text in a field. */
function duplicateWarnings<T>(
  path: string,
  items: readonly T[],
  { field, of, what = field }: { readonly field: string; readonly what?: string; of(item: T): string },
): readonly string[] {
  const known = new Set<string>();
  return items.flatMap((item, i) => {
    const text = of(item);
    if (!known.has(text)) {
      known.add(text);
      return [];
    }
    return [`${path}[${i}].${field}: duplicate ${what} ${JSON.stringify(text)}`];
  });
}

/** Warns of lists of a pod whose items are repeated or empty. */
function listWarnings(path: string, spec: PodSpec, { since }: WarningContext): readonly string[] {
  const { hostAliases = [], imagePullSecrets = [], volumes = [] } = spec;
  const secrets = `${path}.imagePullSecrets`;
  const named = { field: 'name', of: ({ name = '' }: { readonly name?: string }) => name };
  return [
    ...duplicateWarnings(`${path}.hostAliases`, hostAliases, { field: 'ip', of: ({ ip = '' }) => ip }),
    ...duplicateWarnings(secrets, imagePullSecrets, named),
    ...imagePullSecrets.flatMap(({ name = '' }, i) =>
      name === '' ? [`${secrets}[${i}].name: invalid empty name ""`] : [],
    ),
    ...(since('1.28') ? [] : duplicateWarnings(`${path}.volumes`, volumes, named)),
  ];
}

/** Warns of addresses that a pod uses. */
const addressesOf = (path: string, spec: PodSpec, { since }: WarningContext): readonly string[] => [
  ...(spec.dnsConfig?.nameservers ?? []).flatMap((ip, i) =>
    addressWarnings(`${path}.dnsConfig.nameservers[${i}]`, ip, since),
  ),
  ...(spec.hostAliases ?? []).flatMap(({ ip = '' }, i) =>
    addressWarnings(`${path}.hostAliases[${i}].ip`, ip, since),
  ),
];

const graceWarnings = (path: string, spec: PodSpec, { since }: WarningContext): readonly string[] =>
  since('1.27') && (approximateNumber(spec.terminationGracePeriodSeconds) ?? 0) < 0
    ? [
        `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
      ]
    : [];

/** Warns of the content of a pod (`prefix` is empty) or of a template of pods. */
export function podWarnings(
  prefix: string,
  { metadata, spec = {} }: { readonly metadata?: ObjectMeta; readonly spec?: PodSpec },
  context: WarningContext,
): readonly string[] {
  if (!context.since('1.22')) return [];
  const pod: PodToWarnOf = { prefix, annotations: metadata?.annotations ?? {}, spec };
  const path = `${prefix}spec`;
  const found = new WarningCollector();
  found.addAll(nodeSelectionWarnings(path, spec, context));
  found.addAll(annotationWarnings(pod, context));
  found.addAll(
    (spec.volumes ?? []).flatMap((one, i) => volumeWarnings(`${path}.volumes[${i}]`, one, context)),
  );
  addPathWarnings(found, spec.volumes ?? [], context);
  found.addAll(listWarnings(path, spec, context));
  found.addAll(fractionWarnings(`${path}.overhead`, spec.overhead, BYTES));
  found.addAll(podProfileWarnings(pod, context));
  addContainerWarnings(found, pod, context);
  addPortWarnings(found, path, spec, context);
  found.addAll(graceWarnings(path, spec, context));
  found.addAll(podAffinityWarnings(path, spec, context));
  found.addAll(addressesOf(path, spec, context));
  return found.texts;
}

/** Warns of the template at a path of a workload. */
export const templateWarnings = (
  path: string,
  template: PodTemplateSpec | undefined,
  context: WarningContext,
): readonly string[] => (template === undefined ? [] : podWarnings(`${path}.`, template, context));
