import type { PodSpec } from '@orch/apis/types/core';
import type { ObjectSource } from '@orch/auth';
import { containersOf, storedPod } from '../shared/pods.ts';
import type { AdmissionPlugin, Refusal, WriteTarget } from '../types.ts';

interface DenyExecParts {
  readonly source: ObjectSource;
}

const commands: ReadonlySet<string> = new Set(['exec', 'attach']);

const handles = ({ operation, group, resource, subresource }: WriteTarget): boolean =>
  operation === 'CONNECT' && group === '' && resource === 'pods' && commands.has(subresource);

const isPrivileged = (spec: PodSpec): boolean =>
  containersOf(spec).some(({ securityContext }) => securityContext?.privileged === true);

type Rule = (spec: PodSpec) => Refusal | undefined;

const privileged: Rule = (spec) =>
  isPrivileged(spec) ? 'cannot exec into or attach to a privileged container' : undefined;

const escalating: Rule = (spec) => {
  if (spec.hostPID === true)
    return 'cannot exec into or attach to a container that uses the host PID namespace';
  if (spec.hostIPC === true)
    return 'cannot exec into or attach to a container that uses the host IPC namespace';
  return privileged(spec);
};

const denying = (name: string, rule: Rule, { source }: DenyExecParts): AdmissionPlugin => ({
  name,
  handles,
  async validate(write) {
    const pod = await storedPod(source, write);
    // A pod that does not exist is reported when the connection is made.
    return pod === undefined ? undefined : rule(pod.spec ?? {});
  },
});

/** `DenyEscalatingExec` (deprecated): no commands in privileged pods and in pods that use namespaces of the host. */
export const denyEscalatingExec = (parts: DenyExecParts): AdmissionPlugin =>
  denying('DenyEscalatingExec', escalating, parts);

/** `DenyExecOnPrivileged` (deprecated): the same, also for pods with host namespaces. */
export const denyExecOnPrivileged = (parts: DenyExecParts): AdmissionPlugin =>
  denying('DenyExecOnPrivileged', escalating, parts);
