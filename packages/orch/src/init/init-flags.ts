import { apiServerFlags } from '@orch/apiserver';
import { managerFlags } from '@orch/controller-manager/flags';
import { choiceFlag, choicesFlag, durationFlag, listFlag, switchFlag, textFlag } from '@orch/program';
import { rotationIds } from './parts.ts';
import { DAY_MS } from './validity.ts';

const files = (name: string, help: string) => ({ name, help, section: 'Files' });
const certificates = (name: string, help: string) => ({ name, help, section: 'Certificates' });
const rotation = (name: string, help: string) => ({ name, help, section: 'Rotation' });

const secrets = (name: string, help: string) => ({ name, help, section: 'Secrets' });

const kept = 'Later runs without this flag use the same.';

/** Flags of `orch init`. */
export const initFlags = {
  help: apiServerFlags.help,
  version: apiServerFlags.version,
  config: apiServerFlags.config,
  logFormat: apiServerFlags.logFormat,
  naming: choiceFlag(
    files('naming', `Names of users and groups in certificates (default "orch"). ${kept}`),
    ['', 'orch', 'kubernetes'] as const,
    '',
  ),
  dir: textFlag(files('dir', 'Folder of the files. It is created for its owner only.'), '.orch/pki'),
  dryRun: switchFlag(files('dry-run', 'Report what would be done, and change nothing.')),
  output: choiceFlag(files('output', 'How the report is printed.'), ['text', 'json'] as const, 'text'),

  asSecrets: choiceFlag(
    secrets(
      'as-secrets',
      'cluster: keep the files in Secrets of the cluster of --client-config instead of a folder. manifests: print the Secrets for the files in the folder, instead of a report.',
    ),
    ['', 'cluster', 'manifests'] as const,
    '',
  ),
  clientConfig: {
    ...managerFlags.clientConfig,
    ...secrets(
      'client-config',
      'Client configuration file for the cluster with the Secrets. When empty, the in-cluster configuration is used.',
    ),
  },
  secretsNamespace: textFlag(
    secrets('secrets-namespace', 'Namespace of the Secrets; that of the client configuration when empty.'),
  ),
  secretsName: textFlag(secrets('secrets-name', 'Beginning of the names of the Secrets.'), 'orch'),
  secretsNaming: choiceFlag(
    secrets('secrets-naming', 'Naming of the cluster with the Secrets.'),
    ['orch', 'kubernetes'] as const,
    'kubernetes',
  ),

  server: textFlag(
    certificates(
      'server',
      `URL of the API server, or of the load balancer, in client configurations (default "https://127.0.0.1:6443"). Its host is in the serving certificate. ${kept}`,
    ),
  ),
  san: listFlag(
    certificates('san', `Further names and addresses of API servers, for the serving certificate. ${kept}`),
  ),
  serviceNames: listFlag(
    certificates(
      'service-names',
      `Names of the services through which API servers are reached, as name.namespace, for the serving certificate. ${kept}`,
    ),
  ),
  serviceClusterIpRange: textFlag(
    certificates(
      'service-cluster-ip-range',
      `Value of this flag of the API servers: the first address of each range is in the serving certificate (default ${apiServerFlags.serviceClusterIpRange.defaultText}). ${kept}`,
    ),
  ),
  etcdSan: listFlag(
    certificates(
      'etcd-san',
      `Names and addresses of the members of etcd: with them, certificates for etcd and its clients are made as well. ${kept}`,
    ),
  ),
  encryption: choiceFlag(
    certificates(
      'encryption',
      `Provider of the encryption configuration that is created for secrets, or none (default "aesgcm"). ${kept}`,
    ),
    ['', 'aesgcm', 'secretbox', 'none'] as const,
    '',
  ),
  renewBefore: durationFlag(
    certificates('renew-before', 'Certificates that expire within this time are renewed.'),
    30 * DAY_MS,
  ),

  rotate: choicesFlag(
    rotation(
      'rotate',
      'First step of replacing an authority or the key of tokens: the new one is made and trusted, and not used yet.',
    ),
    rotationIds,
    [],
  ),
  rotateSwitch: choicesFlag(
    rotation('rotate-switch', 'Second step: the new one is used, and the old one is still trusted.'),
    rotationIds,
    [],
  ),
  rotateFinish: choicesFlag(
    rotation('rotate-finish', 'Third step: the old one is no longer trusted.'),
    rotationIds,
    [],
  ),
  rotateWait: durationFlag(
    rotation(
      'rotate-wait',
      'Minimum time between two steps of a rotation, in which the changed files must reach all servers and clients.',
    ),
    60 * 60 * 1000,
  ),
} as const;
