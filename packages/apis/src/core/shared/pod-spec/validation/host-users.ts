import type { PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { CheckContext } from '@orch/schema';
import { containersOf, type PlacedContainer } from '../profiles.ts';

const ofNode = ['hostNetwork', 'hostPID', 'hostIPC'] as const;

/** For compatibility, errors name some fields in another case. */
const namesInErrors = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' } as const;

/**
 * Checks that a pod with its own user namespace shares no other namespace with the node and has no block devices, and
 * that another pod does not see the whole of /proc.
 */
export function checkHostUsers(
  { path, since }: Pick<CheckContext, 'path' | 'since'>,
  spec: PodSpec,
): readonly FieldError[] {
  const containers = containersOf(path, spec);
  if (spec.hostUsers !== false) return since('1.30') ? containers.flatMap(checkProcMount) : [];
  const why = 'when `hostUsers` is false';
  const mayUseNetwork = since('never', 'UserNamespacesHostNetworkSupport');
  return [
    ...ofNode
      .filter((field) => spec[field] === true && !(field === 'hostNetwork' && mayUseNetwork))
      .map((field) => fieldError.forbidden(`${path}.${namesInErrors[field]}`, why)),
    ...containers
      .filter(({ container }) => since('1.34') && (container.volumeDevices ?? []).length > 0)
      .map((one) => fieldError.forbidden(`${one.path}.volumeDevices`, why)),
  ];
}

function checkProcMount({ path, container }: PlacedContainer): readonly FieldError[] {
  const { procMount } = container.securityContext ?? {};
  if (procMount !== 'Unmasked') return [];
  const why = '`hostUsers` must be false to use `Unmasked`';
  return [fieldError.invalid(`${path}.securityContext.procMount`, procMount, why)];
}
