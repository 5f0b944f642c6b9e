import type {
  ServerStorageVersionV1alpha1,
  StorageVersionStatusV1alpha1,
} from '@orch/kinds/apiserverinternal';
import { type FieldError, fieldError } from '@orch/machinery';
import { validateFormat } from '@orch/machinery/formats';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../validation-rules.ts';

/** `v1`, or `group/v1`. */
function checkApiVersion(path: string, text: string): readonly FieldError[] {
  const slash = text.lastIndexOf('/');
  const group = text.slice(0, Math.max(0, slash));
  const wrong =
    (slash < 0 ? undefined : validateFormat('dns1123subdomain', group)) ??
    validateFormat('dns1035label', text.slice(slash + 1));
  return wrong === undefined ? [] : [fieldError.invalid(path, text, wrong)];
}

function checkServed(path: string, version: string, decodable: readonly string[]): readonly FieldError[] {
  const undecoded = decodable.includes(version)
    ? []
    : [fieldError.invalid(path, version, 'must be included in decodableVersions')];
  return [...checkApiVersion(path, version), ...undecoded];
}

/** Checks that a server can decode the version that it encodes, and those that it serves. */
export const checkServerVersion: Check<ServerStorageVersionV1alpha1> = (server, { path }) => {
  const encoding = server.encodingVersion ?? '';
  const decodable = server.decodableVersions ?? [];
  const served = server.servedVersions ?? [];
  const why = `decodableVersions must include encodingVersion ${encoding}`;
  return [
    ...checkFormat('dns1123subdomain', `${path}.apiServerID`, server.apiServerID ?? ''),
    ...checkApiVersion(`${path}.encodingVersion`, encoding),
    ...decodable.flatMap((version, i) => checkApiVersion(`${path}.decodableVersions[${i}]`, version)),
    ...(decodable.includes(encoding)
      ? []
      : [fieldError.invalid(`${path}.decodableVersions`, decodable, why)]),
    ...served.flatMap((version, i) => checkServed(`${path}.servedVersions[${i}]`, version, decodable)),
  ];
};

/** The version in which all servers encode objects; undefined when they do not agree, or there are none. */
function agreed(servers: readonly ServerStorageVersionV1alpha1[]): string | undefined {
  const all = new Set(servers.map((server) => server.encodingVersion ?? ''));
  const [only] = all;
  return all.size === 1 ? only : undefined;
}

export const checkVersionStatus: Check<StorageVersionStatusV1alpha1> = (status, { path }) => {
  const common = agreed(status.storageVersions ?? []);
  const reported = status.commonEncodingVersion;
  if (common === reported) return [];
  const why =
    common === undefined ? 'must be absent while servers do not agree' : `the common version is ${common}`;
  return [fieldError.invalid(`${path}.commonEncodingVersion`, reported ?? null, why)];
};
