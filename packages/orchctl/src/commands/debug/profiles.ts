import type { kinds } from '@orch/client';

type PodSpec = kinds.core.PodSpec;
type Container = kinds.core.Container;
type Metadata = kinds.core.Pod['metadata'];

export const profileNames = ['legacy', 'general', 'baseline', 'netadmin', 'restricted', 'sysadmin'] as const;
export type ProfileName = (typeof profileNames)[number];

/** The place of the debugging container. */
export type DebugStyle = 'ephemeral' | 'copy' | 'node';

/** The parts of the pod that its copy keeps. */
export interface Kept {
  readonly keepLabels: boolean;
  readonly keepAnnotations: boolean;
  readonly keepLiveness: boolean;
  readonly keepReadiness: boolean;
  readonly keepStartup: boolean;
  readonly keepInitContainers: boolean;
}

/** The parts of a container that profiles change, which ephemeral containers have, too. */
type Secured = Pick<Container, 'securityContext'>;

/** A container with the privileges of a profile. */
export function profiledContainer<C extends Secured>(
  container: C,
  profile: ProfileName,
  style: DebugStyle,
): C {
  switch (profile) {
    case 'legacy':
      return container;
    case 'general':
      return style === 'node' ? withoutSecurity(container) : withCapabilities(container, ['SYS_PTRACE']);
    case 'baseline':
      return withoutSecurity(container);
    case 'restricted':
      return { ...container, securityContext: restricted };
    case 'netadmin':
      return withCapabilities(container, ['NET_ADMIN', 'NET_RAW']);
    case 'sysadmin':
      return { ...container, securityContext: { ...container.securityContext, privileged: true } };
  }
}

const restricted = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

function withoutSecurity<C extends Secured>(container: C): C {
  const { securityContext: _, ...rest } = container;
  return rest as C;
}

function withCapabilities<C extends Secured>(container: C, added: readonly string[]): C {
  const { securityContext = {} } = container;
  const { capabilities = {} } = securityContext;
  const add = [...(capabilities.add ?? []), ...added];
  return { ...container, securityContext: { ...securityContext, capabilities: { ...capabilities, add } } };
}

const ROOT_VOLUME = 'host-root';

/** The pod of a node with the parts of the host that a profile shares with it: namespaces of the host, and its root folder at `/host`. */
export function profiledNodeSpec(spec: PodSpec, profile: ProfileName): PodSpec {
  const sharesHost = profile !== 'baseline' && profile !== 'restricted';
  const mountsRoot = sharesHost && profile !== 'netadmin';
  const mount = { mountPath: '/host', name: ROOT_VOLUME };
  return {
    ...spec,
    ...(sharesHost && { hostNetwork: true, hostPID: true, hostIPC: true }),
    ...(mountsRoot && {
      volumes: [{ name: ROOT_VOLUME, hostPath: { path: '/' } }],
      containers: spec.containers.map((one) => ({ ...one, volumeMounts: [mount] })),
    }),
  };
}

/** A copy of a pod without the fields that a profile removes, and with the namespaces that it shares. */
export function profiledCopy<P extends { readonly metadata: Metadata; readonly spec: PodSpec }>(
  pod: P,
  profile: ProfileName,
  kept: Kept,
): P {
  const { labels, annotations, ...metadata } = pod.metadata;
  if (profile === 'legacy')
    return { ...pod, metadata: { ...metadata, ...(annotations !== undefined && { annotations }) } };
  const { initContainers, ...spec } = pod.spec;
  return {
    ...pod,
    metadata: {
      ...metadata,
      ...(kept.keepLabels && labels !== undefined && { labels }),
      ...(kept.keepAnnotations && annotations !== undefined && { annotations }),
    },
    spec: {
      ...spec,
      ...(kept.keepInitContainers && initContainers !== undefined && { initContainers }),
      containers: spec.containers.map((one) => withoutProbes(one, kept)),
      shareProcessNamespace: spec.shareProcessNamespace ?? true,
    },
  };
}

function withoutProbes(container: Container, kept: Kept): Container {
  const { livenessProbe, readinessProbe, startupProbe, ...rest } = container;
  return {
    ...rest,
    ...(kept.keepLiveness && livenessProbe !== undefined && { livenessProbe }),
    ...(kept.keepReadiness && readinessProbe !== undefined && { readinessProbe }),
    ...(kept.keepStartup && startupProbe !== undefined && { startupProbe }),
  };
}
