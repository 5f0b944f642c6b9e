import { applyMergePatch } from '@orch/apply';
import type { ApiObject } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import type { VersionedResource } from '../versioned-resource.ts';

export interface TestResource {
  /** `apps/v1/deployments`, `v1/pods/exec`. */
  readonly path: string;
  readonly kind?: string;
  readonly namespaced?: boolean;
  readonly hasMetadata?: boolean;
  readonly holdsCredentials?: boolean;
  /** Other versions of the resource, `extensions/v1beta1`: all have the same fields. */
  readonly equivalents?: readonly string[];
}

interface Parts {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
}

/** A group is recognized by its version, which begins with `v` and a digit. */
function partsOf(path: string): Parts {
  const parts = path.split('/');
  const at = parts.findIndex((part) => /^v\d/.test(part));
  const [version = '', resource = '', subresource = ''] = parts.slice(at);
  return { group: at === 0 ? '' : (parts[0] ?? ''), version, resource, subresource };
}

/** A resource whose versions differ by their names only. */
export function testResource(options: TestResource): VersionedResource {
  const { path, kind = 'Thing', namespaced = true, equivalents = [] } = options;
  const { hasMetadata = true, holdsCredentials = false } = options;
  const { subresource, ...resource } = partsOf(path);
  const apiVersion = [resource.group, resource.version].filter((part) => part !== '').join('/');
  const others = equivalents.map((version) =>
    testResource({
      ...options,
      path: [version, resource.resource, subresource].filter((part) => part !== '').join('/'),
      equivalents: [],
    }),
  );
  return {
    resource,
    subresource,
    kind: { group: resource.group, version: resource.version, kind },
    namespaced,
    hasMetadata,
    holdsCredentials,
    equivalents: () => others,
    fromHub: (hub) => ({ ...hub, kind, apiVersion }),
    merge: (object, configuration) => applyMergePatch(object, configuration) as JsonObject,
    toHub: (value) => ({ ...(value as ApiObject), apiVersion: 'hub' }),
  };
}
