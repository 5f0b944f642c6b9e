import { networkInterfaces } from 'node:os';
import { type Naming, namesFor } from '@orch/machinery';
import type { ApiClient } from './api-client.ts';

/**
 * An address of this machine that pods may have; undefined on a machine with a loopback address only, which API servers do not
 * connect to for pods.
 */
export const podAddressOfMachine = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(
      ({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'),
    )?.address;

/** An extension API server that listens on this machine, and its group version. */
export interface ExtensionRegistration {
  /** Name of the service, its pod and its endpoints, in the namespace `default`. */
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly group: string;
  readonly version: string;
  /** In base64; the serving certificate is not verified when it is absent. */
  readonly caBundle?: string;
  /** The version in which the API service is created; `v1` when it is absent. */
  readonly registrationVersion?: string;
}

const namespaced = '/api/v1/namespaces/default';

/** Creates the service of an extension API server with its pod and endpoints, and its API service. */
export async function registerExtension(
  client: ApiClient,
  naming: Naming,
  registration: ExtensionRegistration,
): Promise<void> {
  await createService(client, registration);
  const { name, group, version, caBundle, registrationVersion = 'v1' } = registration;
  const apiVersion = namesFor(naming).apiVersion('apiregistration', registrationVersion);
  await create(client, `/apis/${apiVersion}/apiservices`, {
    ...{ kind: 'APIService', apiVersion, metadata: { name: `${version}.${group}` } },
    spec: {
      ...{ group, version, groupPriorityMinimum: 100, versionPriority: 15 },
      service: { namespace: 'default', name },
      ...(caBundle === undefined ? { insecureSkipTLSVerify: true } : { caBundle }),
    },
  });
}

async function createService(
  client: ApiClient,
  { name, address, port }: ExtensionRegistration,
): Promise<void> {
  const metadata = { name };
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await create(client, `${namespaced}/pods`, { kind: 'Pod', apiVersion: 'v1', metadata, spec });
  const status = { phase: 'Running', podIP: address, podIPs: [{ ip: address }] };
  await client.send('PATCH', `${namespaced}/pods/${name}/status`, {
    body: { status },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  const ports = [{ name: 'https', port: 443 }];
  await create(client, `${namespaced}/services`, {
    ...{ kind: 'Service', apiVersion: 'v1', metadata, spec: { clusterIP: 'None', ports } },
  });
  const targetRef = { kind: 'Pod', namespace: 'default', name };
  await create(client, `${namespaced}/endpoints`, {
    ...{ kind: 'Endpoints', apiVersion: 'v1', metadata },
    subsets: [{ addresses: [{ ip: address, targetRef }], ports: [{ name: 'https', port }] }],
  });
}

async function create(client: ApiClient, path: string, body: object): Promise<void> {
  const { status, text } = await client.send('POST', path, { body });
  if (status !== 201) throw new Error(`POST ${path}: ${text}`);
}
