import type { kinds } from '@orch/client';
import type { Io } from '../../io.ts';
import type { Pod } from '../connect/pods.ts';

/** Warns when a container has privileges that the user of its pod, who is not root, cannot use. */
export function warnOfUser(
  pod: Pod,
  { securityContext }: Pick<kinds.core.Container, 'securityContext'>,
  { err }: Pick<Io, 'err'>,
): void {
  const user = pod.spec?.securityContext?.runAsUser ?? 0;
  const isPrivileged =
    securityContext?.privileged === true || (securityContext?.capabilities?.add ?? []).length > 0;
  if (user === 0 || securityContext?.runAsUser === 0 || !isPrivileged) return;
  err.write(
    `Warning: the pod runs as user ${user}, for whom privileges of the profile may have no effect; --custom with "securityContext: {runAsUser: 0}" changes that\n`,
  );
}
