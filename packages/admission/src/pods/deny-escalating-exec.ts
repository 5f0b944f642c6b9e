import type { ObjectSource } from '@orch/auth';
import type { PodSpec } from '@orch/kinds/core';
import { containersOf, storedPod } from '../shared/pods.ts';
import type { AdmissionPlugin, Refusal, ResourceTarget } from '../types.ts';

export interface DenyExecParts {
  readonly source: ObjectSource;
}

const commands: ReadonlySet<string> = new Set(['exec', 'attach']);

const handles = ({ operation, group, resource, subresource }: ResourceTarget): boolean =>
  operation === 'CONNECT' && group === '' && resource === 'pods' && commands.has(subresource);

/** The reason why commands must not run in a pod; undefined when they may. */
function escalation(spec: PodSpec): Refusal | undefined {
  if (spec.hostPID === true)
    return 'cannot exec into or attach to a container that uses the host PID namespace';
  if (spec.hostIPC === true)
    return 'cannot exec into or attach to a container that uses the host IPC namespace';
  return containersOf(spec).some(({ securityContext }) => securityContext?.privileged === true)
    ? 'cannot exec into or attach to a privileged container'
    : undefined;
}

const denying =
  (name: string) =>
  ({ source }: DenyExecParts): AdmissionPlugin => ({
    name,
    handles,
    async validate(write) {
      const pod = await storedPod(source, write);
      // A pod that does not exist is reported when the connection is made.
      return pod === undefined ? undefined : escalation(pod.spec ?? {});
    },
  });

/** `DenyEscalatingExec` (deprecated): refuses commands in privileged pods and in pods with host namespaces. */
export const denyEscalatingExec = denying('DenyEscalatingExec');

/** `DenyExecOnPrivileged` (deprecated): the same rule under its earlier name. */
export const denyExecOnPrivileged = denying('DenyExecOnPrivileged');
