import type { AnyContainer } from '../../shared/pods.ts';
import { type Check, type CheckedPod, containersWhere, listed, quoted, sortedSet } from './check.ts';

/** The capabilities that container runtimes grant by default. */
const DEFAULT: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const RESTRICTED: ReadonlySet<string> = new Set(['NET_BIND_SERVICE']);

/** Checks that containers add only default capabilities. */
export const capabilitiesBaseline: Check = (pod) => {
  const detail = addedText(pod, DEFAULT);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

/** Checks that containers drop all capabilities, and add at most the one for privileged ports. */
export const capabilitiesRestricted: Check = (pod) => {
  const keeping = containersWhere(
    pod,
    ({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL') !== true,
  );
  const added = addedText(pod, RESTRICTED);
  const details = [
    ...(keeping.length === 0
      ? []
      : [`${listed('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(added === undefined ? [] : [added]),
  ];
  return details.length === 0
    ? undefined
    : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const addedBeyond = ({ securityContext }: AnyContainer, allowed: ReadonlySet<string>): readonly string[] =>
  (securityContext?.capabilities?.add ?? []).filter((capability) => !allowed.has(capability));

/** The containers that add forbidden capabilities, and these capabilities. */
function addedText(pod: CheckedPod, allowed: ReadonlySet<string>): string | undefined {
  const names = containersWhere(pod, (container) => addedBeyond(container, allowed).length > 0);
  if (names.length === 0) return undefined;
  const added = sortedSet(pod.containers.flatMap((container) => addedBeyond(container, allowed)));
  return `${listed('container', names)} must not include ${quoted(added)} in securityContext.capabilities.add`;
}
