import type { Pod } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import fc from 'fast-check';

/** Mostly absent, so that most pods violate few rules. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const flag = sometimes(fc.boolean());
const profile = sometimes(fc.record({ type: fc.constantFrom('RuntimeDefault', 'Localhost', 'Unconfined') }));
const seLinuxOptions = sometimes(
  fc.record({
    type: sometimes(fc.constantFrom('container_t', 'container_engine_t', 'spc_t')),
    user: sometimes(fc.constant('u')),
    role: sometimes(fc.constant('r')),
  }),
);
const windowsOptions = sometimes(fc.record({ hostProcess: flag }));
const runAsUser = sometimes(fc.constantFrom(0, 1000));

const capability = fc.constantFrom('ALL', 'NET_BIND_SERVICE', 'CHOWN', 'SYS_ADMIN', 'NET_RAW');
const capabilities = sometimes(
  fc.record({
    add: sometimes(fc.array(capability, { maxLength: 3 })),
    drop: sometimes(fc.constantFrom(['ALL'], ['NET_RAW'], ['all', 'ALL'])),
  }),
);

const containerContext = fc.record({
  privileged: flag,
  allowPrivilegeEscalation: fc.constantFrom(undefined, false, true),
  procMount: sometimes(fc.constantFrom('Default', 'Unmasked')),
  seccompProfile: profile,
  appArmorProfile: profile,
  seLinuxOptions,
  windowsOptions,
  runAsUser,
  runAsNonRoot: flag,
  capabilities,
});

/** The fields that a container must set at the strictest level. */
const compliant = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

const host = fc.constantFrom(undefined, '', '10.0.0.1', 'example.com');
const handler = fc.oneof(
  fc.record({ httpGet: fc.record({ host, port: fc.constant(1) }) }),
  fc.record({ tcpSocket: fc.record({ host, port: fc.constant(1) }) }),
);

const container = (name: string) =>
  fc.record({
    name: fc.constant(name),
    image: fc.constant('i'),
    ports: sometimes(
      fc.array(
        fc.record({ containerPort: fc.constant(1), hostPort: fc.constantFrom(undefined, 0, 80, 9090) }),
        {
          maxLength: 2,
        },
      ),
    ),
    livenessProbe: sometimes(handler),
    startupProbe: sometimes(handler),
    lifecycle: sometimes(fc.record({ preStop: handler })),
    securityContext: fc.oneof(
      fc.constantFrom(undefined, compliant),
      containerContext,
      containerContext.map((context) => ({ ...context, ...compliant })),
    ),
  });

const containers = (kind: string) =>
  fc
    .integer({ min: 0, max: 2 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => container(`${kind}${i}`))));

const sources = [
  'hostPath',
  'emptyDir',
  'nfs',
  'configMap',
  'image',
  'csi',
  'scaleIO',
  'projected',
  'azureDisk',
];

const volumes = fc
  .array(fc.constantFrom(...sources), { maxLength: 3 })
  .map((kinds) => kinds.map((source, i) => ({ name: `v${i}`, [source]: {} })));

const sysctl = fc.constantFrom(
  'kernel.shm_rmid_forced',
  'kernel.msgmax',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_wmem',
);

const podContext = sometimes(
  fc.record({
    seccompProfile: profile,
    appArmorProfile: profile,
    seLinuxOptions,
    windowsOptions,
    runAsUser,
    runAsNonRoot: flag,
    sysctls: sometimes(
      fc.array(sysctl, { maxLength: 3 }).map((all) => all.map((name) => ({ name, value: '1' }))),
    ),
  }),
);

const spec = fc.record({
  hostNetwork: flag,
  hostPID: flag,
  hostIPC: flag,
  hostUsers: flag,
  os: sometimes(fc.record({ name: fc.constantFrom('linux', 'windows') })),
  initContainers: containers('init'),
  containers: containers('main'),
  ephemeralContainers: containers('debug'),
  volumes,
  securityContext: podContext,
});

const profileText = fc.constantFrom('runtime/default', 'docker/default', 'localhost/p', 'unconfined', '');

function annotations({ annotations: keys }: Names) {
  return fc.dictionary(
    fc.constantFrom(
      keys.seccompPod,
      `${keys.seccompContainerPrefix}main0`,
      `${keys.seccompContainerPrefix}debug0`,
      `${keys.seccompContainerPrefix}other`,
      `${keys.apparmorContainerPrefix}main0`,
      `${keys.apparmorContainerPrefix}other`,
    ),
    profileText,
    { maxKeys: 2 },
  );
}

/** Pods with any combination of what the Pod Security Standards are about. They need not be valid otherwise. */
export const generatedPods = (names: Names): fc.Arbitrary<Pick<Pod, 'metadata' | 'spec'>> =>
  fc.record({
    metadata: fc.record({ name: fc.constant('p'), annotations: annotations(names) }),
    spec,
  }) as fc.Arbitrary<Pick<Pod, 'metadata' | 'spec'>>;
