import type { ExecCluster } from '../credentials/exec/index.ts';
import { problemOfAuthorities } from '../files/pem.ts';
import type { ConnectionSettings } from '../transport/connection-settings.ts';
import { parseEndpoint } from '../transport/endpoint.ts';
import { parseProxy } from '../transport/proxy.ts';
import type { Fields } from './fields.ts';
import { fieldOf, pemSource, readPem } from './file-pem.ts';
import { parseProblem } from './parse-problem.ts';

/** The settings of a cluster in a client configuration file. */
export type ClusterSettings = Omit<ConnectionSettings, 'credentials' | 'namespace'>;

/** Decodes `clusters[].cluster`. Throws a ConfigError. */
export function clusterSettings(cluster: Fields): ClusterSettings {
  const server = cluster.needed('server');
  check(cluster, 'server', () => parseEndpoint(server));
  const proxyUrl = cluster.text('proxy-url');
  if (proxyUrl !== undefined) check(cluster, 'proxy-url', () => parseProxy(proxyUrl));
  const ca = authoritiesOf(cluster);
  const insecureSkipTlsVerify = cluster.flag('insecure-skip-tls-verify');
  if (ca !== undefined && insecureSkipTlsVerify)
    cluster.fail('insecure-skip-tls-verify', 'contradicts certificate-authority: give one of them');
  const tlsServerName = cluster.text('tls-server-name');
  return {
    server,
    ...(ca !== undefined && { ca }),
    ...(tlsServerName !== undefined && { tlsServerName }),
    insecureSkipTlsVerify,
    ...(proxyUrl !== undefined && { proxyUrl }),
    disableCompression: cluster.flag('disable-compression'),
  };
}

/** The cluster information for plugins, with the extension for them. */
export function execCluster(cluster: Fields, extensionName: string): ExecCluster {
  const settings = clusterSettings(cluster);
  const config = extensionOf(cluster, extensionName);
  return {
    server: settings.server,
    ...(settings.tlsServerName !== undefined && { 'tls-server-name': settings.tlsServerName }),
    ...(settings.insecureSkipTlsVerify && { 'insecure-skip-tls-verify': true }),
    ...(settings.ca !== undefined && {
      'certificate-authority-data': Buffer.from(settings.ca).toString('base64'),
    }),
    ...(settings.proxyUrl !== undefined && { 'proxy-url': settings.proxyUrl }),
    ...(config !== undefined && { config }),
  };
}

function extensionOf(cluster: Fields, name: string): unknown {
  const found = cluster.objects('extensions').find((one) => one.text('name') === name);
  return found?.raw('extension');
}

function authoritiesOf(cluster: Fields): string | undefined {
  const name = 'certificate-authority';
  const source = pemSource(cluster, name);
  if (source === undefined) return undefined;
  const pem = readPem(cluster, name, source);
  const problem = problemOfAuthorities(pem);
  return problem === undefined ? pem : cluster.fail(fieldOf(source, name), problem);
}

function check(fields: Fields, name: string, parse: () => unknown): void {
  const problem = parseProblem(name, parse);
  if (problem !== undefined) fields.fail(name, problem);
}
