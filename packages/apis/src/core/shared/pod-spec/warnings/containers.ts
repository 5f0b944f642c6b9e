import type { EnvVar, PodSpec } from '@orch/kinds/core';
import { jsonEquals } from '@orch/machinery/json';
import { formatQuantity, isWholeQuantity, parseQuantity } from '@orch/machinery/quantity';
import type { WarningCollector, WarningContext } from '../../../../content-warning.ts';
import { containersOf, nameProfiles, type PlacedContainer, profileOfAnnotation } from '../profiles.ts';

type Amounts = Readonly<Record<string, string>> | undefined;

/** Warns of amounts of bytes that have a fraction. */
export const fractionWarnings = (
  path: string,
  amounts: Amounts,
  names: readonly string[],
): readonly string[] =>
  names.flatMap((name) => {
    const text = amounts?.[name];
    if (text === undefined) return [];
    const amount = parseQuantity(text);
    return isWholeQuantity(amount)
      ? []
      : [
          `${path}[${name}]: fractional byte value ${JSON.stringify(formatQuantity(amount))} is invalid, must be an integer`,
        ];
  });

/** Resources that are counted in bytes. */
export const BYTES = ['memory', 'ephemeral-storage'] as const;

/** A pod or a template of pods, with the path of its spec. */
export interface PodToWarnOf {
  /** `''` for a pod, `spec.template.` for a template. */
  readonly prefix: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** What became of annotations for seccomp. */
function seccompText(since: WarningContext['since']): string {
  const use = 'use the "seccompProfile" field instead';
  if (since('1.27')) return `non-functional in v1.27+; ${use}`;
  if (since('1.25')) return `deprecated since v1.19, non-functional in a future release; ${use}`;
  return since('1.23')
    ? `deprecated since v1.19, non-functional in v1.25+; ${use}`
    : `deprecated since v1.19; ${use}`;
}

/** Releases before 1.27 derive the fields of pods from annotations, and warn only of templates. */
const warnsOfSeccomp = (prefix: string, since: WarningContext['since']): boolean =>
  prefix !== '' || since('1.27');

/** Warns of annotations for seccomp and AppArmor that fields have replaced. */
function profileWarnings(
  { path, container }: PlacedContainer,
  { prefix, annotations, spec }: PodToWarnOf,
  { names, since }: WarningContext,
): readonly string[] {
  if (path.includes('.ephemeralContainers[') && prefix === '') return [];
  const { seccompContainerPrefix, apparmorContainerPrefix } = names.annotations;
  const at = (key: string): string => `${prefix}metadata.annotations[${key}]`;
  const found: string[] = [];
  const seccomp = `${seccompContainerPrefix}${container.name}`;
  if (
    annotations[seccomp] !== undefined &&
    container.securityContext?.seccompProfile === undefined &&
    warnsOfSeccomp(prefix, since)
  )
    found.push(`${at(seccomp)}: ${seccompText(since)}`);
  const appArmor = `${apparmorContainerPrefix}${container.name}`;
  const value = annotations[appArmor];
  // Pods are warned of while their fields are derived from their annotations.
  if (value === undefined || prefix === '' || !since('1.30', 'AppArmorFields')) return found;
  const ofPod = spec.securityContext?.appArmorProfile;
  const isSaid =
    container.securityContext?.appArmorProfile !== undefined ||
    (ofPod !== undefined && (!since('1.34') || jsonEquals(ofPod, profileOfAnnotation(value))));
  if (!isSaid) found.push(appArmorWarning(prefix, appArmor));
  return found;
}

/** Warns of an annotation for AppArmor. */
export const appArmorWarning = (prefix: string, key: string): string =>
  `${prefix}metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;

/** Warns of the seccomp annotation of a whole pod. */
export function podProfileWarnings(
  { prefix, annotations, spec }: PodToWarnOf,
  { names, since }: WarningContext,
): readonly string[] {
  const key = names.annotations.seccompPod;
  return annotations[key] === undefined ||
    spec.securityContext?.seccompProfile !== undefined ||
    !warnsOfSeccomp(prefix, since)
    ? []
    : [`${prefix}metadata.annotations[${key}]: ${seccompText(since)}`];
}

/** Warns of variables that hide another of the same name. */
function addEnvWarnings(
  found: WarningCollector,
  placed: PlacedContainer,
  since: WarningContext['since'],
): void {
  const known = new Set<string>();
  const { path } = placed;
  (placed.container.env ?? []).forEach((variable, i) => {
    const { name = '' } = variable;
    if (!known.has(name)) known.add(name);
    else if (!since('1.28')) found.add(`${path}.env[${i}].name: duplicate name ${JSON.stringify(name)}`);
    else if (hidesNamesake(variable))
      found.add(
        `${path}.env[${i}]: hides previous definition of ${JSON.stringify(name)}${
          since('1.30') ? ', which may be dropped when using apply' : ''
        }`,
      );
  });
}

/** To look for a longer name in a value may take their product. */
const MAX_SEARCHED_NAME = 253;

/** A value that adds to the former one of its name does not hide it. */
function hidesNamesake({ name = '', value = '', valueFrom }: EnvVar): boolean {
  const former = `$(${name})`;
  if (valueFrom !== undefined || value === former) return true;
  return name.length > MAX_SEARCHED_NAME || !value.includes(former);
}

/** Warns of the containers of a pod. */
export function addContainerWarnings(
  found: WarningCollector,
  pod: PodToWarnOf,
  context: WarningContext,
): void {
  const hasProfiles = nameProfiles(pod.annotations, context.names);
  for (const placed of containersOf(`${pod.prefix}spec`, pod.spec)) {
    if (found.isFull) return;
    const { container } = placed;
    if (hasProfiles) found.addAll(profileWarnings(placed, pod, context));
    addFractionWarnings(found, placed);
    if ((container.env ?? []).length > 1) addEnvWarnings(found, placed, context.since);
  }
}

function addFractionWarnings(found: WarningCollector, placed: PlacedContainer): void {
  const { limits, requests } = placed.container.resources ?? {};
  if (limits === undefined && requests === undefined) return;
  for (const name of BYTES) {
    found.addAll(fractionWarnings(`${placed.path}.resources.limits`, limits, [name]));
    found.addAll(fractionWarnings(`${placed.path}.resources.requests`, requests, [name]));
  }
}
