import type { PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { presentOf } from '../../../../validation-rules.ts';

/** Fields of the security context that apply to only one operating system. */
const linuxOnlyOfSpec = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'];
const linuxOnlyOfPod = [
  'appArmorProfile',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
  'seLinuxOptions',
  'fsGroup',
  'fsGroupChangePolicy',
  'seccompProfile',
  'supplementalGroups',
  'sysctls',
  'runAsUser',
  'runAsGroup',
];
const linuxOnlyOfContainer = [
  'appArmorProfile',
  'seLinuxOptions',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'seccompProfile',
  'runAsUser',
  'runAsGroup',
];
const windowsOnly = ['windowsOptions'];

interface Excluded {
  readonly spec: readonly string[];
  readonly pod: readonly string[];
  readonly container: readonly string[];
  readonly why: string;
}

const excluded: Readonly<Record<string, Excluded>> = {
  linux: {
    spec: [],
    pod: windowsOnly,
    container: windowsOnly,
    why: 'windows options cannot be set for a linux pod',
  },
  windows: {
    spec: linuxOnlyOfSpec,
    pod: linuxOnlyOfPod,
    container: linuxOnlyOfContainer,
    why: 'cannot be set for a windows pod',
  },
};

/** Checks that a pod with an operating system does not set fields of another one. */
export function checkOs(path: string, spec: PodSpec): readonly FieldError[] {
  const os = spec.os?.name;
  if (os === undefined || os === '') return [];
  const rules = Object.hasOwn(excluded, os) ? excluded[os] : undefined;
  if (rules === undefined) return [fieldError.notSupported(`${path}.os`, os, Object.keys(excluded))];
  const forbid = (
    at: string,
    value: JsonObject = {},
    fields: readonly string[] = [],
  ): readonly FieldError[] =>
    presentOf(value, fields).map((field) => fieldError.forbidden(`${at}.${field}`, rules.why));
  return [
    ...forbid(path, spec, rules.spec),
    ...forbid(`${path}.securityContext`, spec.securityContext, rules.pod),
    ...(['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, i) =>
        forbid(`${path}.${list}[${i}].securityContext`, container.securityContext, rules.container),
      ),
    ),
  ];
}
