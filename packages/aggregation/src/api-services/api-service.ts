import type { ServicePort } from '@orch/connect';
import type { ApiPriority } from '@orch/discovery';
import type { APIService } from '@orch/kinds/apiregistration';
import type { Names } from '@orch/machinery';

/** Value of the label for local API services that servers reconcile at each start: those of built-in group versions. */
export const ON_START = 'onstart';
/** Value of the label for local API services that servers reconcile at all times: those of custom resources. */
export const ALWAYS = 'true';

/** Value of the label of API services that servers reconcile; undefined for those of users. */
export const managementOf = ({ metadata }: APIService, { labels }: Names): string | undefined =>
  metadata.labels?.[labels.aggregatorAutomanaged];

/** A group version that an extension API server serves. */
export interface RemoteApiService {
  /** Name of the API service: `version.group`. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly service: ServicePort;
  readonly trust: BackendTrust;
}

/** The verification of the certificate of an extension API server. */
export interface BackendTrust {
  /** Certificates in PEM; those of the system when empty. */
  readonly authorities: string;
  /** The certificate is not verified. */
  readonly insecure: boolean;
}

const DEFAULT_PORT = 443;

/** Reports whether an API service names a service, and is therefore not served by this server itself. */
export const namesService = ({ spec }: APIService): boolean => spec?.service !== undefined;

/**
 * The API service of an extension API server; undefined for a local one. The names follow from its own name, which
 * validation keeps equal to those of its spec.
 */
export function remoteApiService({ spec = {} }: APIService): RemoteApiService | undefined {
  const { group = '', version = '', service, caBundle = '', insecureSkipTLSVerify } = spec;
  if (service === undefined) return undefined;
  const { namespace = '', name = '', port } = service;
  return {
    name: `${version}.${group}`,
    group,
    version,
    service: { namespace, name, port: port || DEFAULT_PORT },
    trust: {
      authorities: Buffer.from(caBundle, 'base64').toString(),
      insecure: insecureSkipTLSVerify === true,
    },
  };
}

/** Where an API service puts its group version in discovery. */
export function priorityOf({ spec = {} }: APIService): ApiPriority {
  return { group: spec.groupPriorityMinimum ?? 0, version: spec.versionPriority ?? 0 };
}

/** The path under which a group version is served. */
export const pathOf = ({ group, version }: Pick<RemoteApiService, 'group' | 'version'>): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** For messages: `service "metrics" in namespace "system"`. */
export const serviceTitle = ({ namespace, name }: ServicePort): string =>
  `service ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`;
