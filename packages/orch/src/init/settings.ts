import { isIP } from 'node:net';
import { apiServerFlags } from '@orch/apiserver';
import { messageOf, type Names, namesFor } from '@orch/machinery';
import { dns1123subdomain, wildcardSubdomain } from '@orch/machinery/formats';
import { type FlagValues, StartError, UsageError } from '@orch/program';
import { addressRanges } from '@orch/service-networking';
import type { initFlags } from './init-flags.ts';
import type { Hosts, RotationId } from './parts.ts';
import type { PlanOptions } from './plan.ts';
import type { RotationRequest } from './rotation-steps.ts';
import type { InitSettings } from './state.ts';
import { LEAF_MS } from './validity.ts';

export type InitFlags = FlagValues<typeof initFlags>;

/** Validates the flags that do not depend on the folder. Throws `UsageError`. */
export function checkFlags(flags: InitFlags): void {
  if (flags.dir === '') throw new UsageError('--dir must not be empty');
  if (flags.asSecrets === 'manifests' && flags.dryRun)
    throw new UsageError(
      '--dry-run cannot be used with --as-secrets=manifests: it would print files that do not exist',
    );
  if (dns1123subdomain(flags.secretsName) !== undefined)
    throw new UsageError(
      `invalid value ${JSON.stringify(flags.secretsName)} for --secrets-name: ${dns1123subdomain(flags.secretsName)}`,
    );
  if (flags.renewBefore >= LEAF_MS)
    throw new UsageError(
      'invalid value for --renew-before: must be less than 365d, for which certificates are valid: each run would renew all of them',
    );
  if (flags.server !== '') checkServer(flags.server);
  for (const [flag, hosts] of [
    ['san', flags.san],
    ['service-names', flags.serviceNames],
    ['etcd-san', flags.etcdSan],
  ] as const)
    for (const host of hosts) checkHost(flag, host);
  if (flags.serviceClusterIpRange !== '') rangesOf(flags.serviceClusterIpRange);
  const requested = requestsOf(flags).map(({ id }) => id);
  const twice = requested.find((id, at) => requested.indexOf(id) !== at);
  if (twice !== undefined)
    throw new UsageError(`only one step of the rotation of ${twice} can be made at once`);
}

function checkServer(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError(
      `invalid value ${JSON.stringify(text)} for --server: must be a URL such as https://api.example.com:6443`,
    );
}

function checkHost(flag: string, host: string): void {
  const isGood =
    isIP(host) !== 0 ||
    dns1123subdomain(host.toLowerCase()) === undefined ||
    wildcardSubdomain(host.toLowerCase()) === undefined;
  if (!isGood)
    throw new UsageError(
      `invalid value ${JSON.stringify(host)} for --${flag}: must be a DNS name or an IP address, without a port`,
    );
}

function rangesOf(text: string): ReturnType<typeof addressRanges> {
  try {
    return addressRanges(text);
  } catch (error) {
    throw new UsageError(
      `invalid value ${JSON.stringify(text)} for --service-cluster-ip-range: ${messageOf(error)}`,
    );
  }
}

export const requestsOf = ({ rotate, rotateSwitch, rotateFinish }: InitFlags): PlanOptions['requests'] => {
  const all = (request: RotationRequest, ids: readonly RotationId[]) => ids.map((id) => ({ id, request }));
  return [
    ...all('rotate', rotate),
    ...all('rotate-switch', rotateSwitch),
    ...all('rotate-finish', rotateFinish),
  ];
};

/** Flags take precedence over the settings of earlier runs. Throws a `StartError` for another naming than before. */
export function settingsFrom(flags: InitFlags, earlier: Partial<InitSettings>): InitSettings {
  const { naming: before } = earlier;
  const naming = flags.naming === '' ? (before ?? 'orch') : flags.naming;
  if (before !== undefined && before !== naming)
    throw new StartError(
      `--naming=${naming}: the files in ${flags.dir} were made with --naming=${before}: use another --dir`,
    );
  const list = (given: readonly string[], known: readonly string[] = []): readonly string[] =>
    given.length > 0 ? given : known;
  const defaultRange = apiServerFlags.serviceClusterIpRange.initial;
  return {
    naming,
    server: flags.server || earlier.server || 'https://127.0.0.1:6443',
    san: list(flags.san, earlier.san),
    serviceNames: list(flags.serviceNames, earlier.serviceNames),
    serviceClusterIpRange: flags.serviceClusterIpRange || earlier.serviceClusterIpRange || defaultRange,
    etcdSan: list(flags.etcdSan, earlier.etcdSan),
    encryption: flags.encryption || earlier.encryption || 'aesgcm',
  };
}

/** Names and addresses for certificates of servers. */
export function hostsOf(settings: InitSettings, names: Names = namesFor(settings.naming)): Hosts {
  const service = `${names.defaultService}.${names.namespaces.default}`;
  const own = [...settings.serviceNames, service].flatMap((name) => [
    name,
    ...(name.endsWith('.svc') ? [] : [`${name}.svc`]),
  ]);
  const local = ['localhost', '127.0.0.1', '::1'];
  const server = new URL(settings.server).hostname.replace(/^\[|\]$/g, '');
  const first = rangesOf(settings.serviceClusterIpRange).map((range) => range.at(0));
  const apiServer = [server, ...settings.san, ...local, names.defaultService, ...own, ...first];
  const { etcdSan } = settings;
  return {
    apiServer: [...new Set(apiServer)],
    etcd: etcdSan.length === 0 ? [] : [...new Set([...etcdSan, ...local])],
  };
}
