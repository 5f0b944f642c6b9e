import type { Names } from '@orch/machinery';

/** The authorities of a cluster. */
export const authorityIds = ['serving', 'clients', 'front-proxy', 'etcd'] as const;
export type AuthorityId = (typeof authorityIds)[number];

/** The parts that can be rotated: authorities, and the key pair of service account tokens. */
export const rotationIds = [...authorityIds, 'service-account'] as const;
export type RotationId = (typeof rotationIds)[number];

/** Name of the files of each authority, without their extension. */
export const authorityFiles: Readonly<Record<AuthorityId, string>> = {
  serving: 'serving-ca',
  clients: 'client-ca',
  'front-proxy': 'front-proxy-ca',
  etcd: 'etcd-ca',
};

export const fileNames = {
  state: 'init.json',
  tokenKey: 'service-account.key',
  tokenPublicKeys: 'service-account.pub',
  nextTokenKey: 'service-account.next.key',
  encryption: 'encryption.yaml',
  adminConfig: 'admin.conf',
  managerConfig: 'controller-manager.conf',
} as const;

/** A certificate that an authority issues. */
export interface LeafSpec {
  /** Name of its files, without their extension. */
  readonly file: string;
  readonly authority: AuthorityId;
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly use: 'server' | 'client' | 'peer';
  readonly hosts?: readonly string[];
}

/** Names and addresses in certificates of servers. */
export interface Hosts {
  readonly apiServer: readonly string[];
  /** Members of etcd; empty when its certificates are made elsewhere. */
  readonly etcd: readonly string[];
}

/** The certificates of a cluster. */
export function leafSpecs(names: Names, hosts: Hosts): readonly LeafSpec[] {
  const client = (file: string, authority: AuthorityId, commonName: string): LeafSpec => ({
    file,
    authority,
    commonName,
    use: 'client',
  });
  const all: LeafSpec[] = [
    {
      file: 'apiserver',
      authority: 'serving',
      commonName: `${names.product}-apiserver`,
      use: 'server',
      hosts: hosts.apiServer,
    },
    { ...client('admin', 'clients', names.users.admin), organizations: [names.userGroups.masters] },
    client('controller-manager', 'clients', names.users.controllerManager),
    client('front-proxy-client', 'front-proxy', 'front-proxy-client'),
  ];
  if (hosts.etcd.length === 0) return all;
  return [
    ...all,
    { file: 'etcd', authority: 'etcd', commonName: 'etcd', use: 'peer', hosts: hosts.etcd },
    client('etcd-client', 'etcd', `${names.product}-apiserver`),
  ];
}

/** Every file that is read; other files in the folder are ignored. */
export function knownFiles(names: Names): readonly string[] {
  const anyHosts: Hosts = { apiServer: [], etcd: ['localhost'] };
  const authorities = Object.values(authorityFiles).flatMap((file) => [file, `${file}.next`]);
  const leaves = leafSpecs(names, anyHosts).map(({ file }) => file);
  const pairs = [...authorities, ...leaves].flatMap((file) => [`${file}.crt`, `${file}.key`]);
  return [...Object.values(fileNames), ...pairs];
}

/** Reports whether a file must be readable by its owner only. */
export const isSecretFile = (file: string): boolean =>
  file.endsWith('.key') || file.endsWith('.conf') || file === fileNames.encryption;
