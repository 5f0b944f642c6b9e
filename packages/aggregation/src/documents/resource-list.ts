import type { DiscoveredResource, DiscoveredSubresource } from '@orch/discovery';
import type { GroupVersion, GroupVersionKind } from '@orch/machinery';
import { asObjects, asStrings, asText, isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';
import { OutboundFailure } from '@orch/outbound';

/** Resources and subresources of one group version that are taken from a document. */
const MAX_RESOURCES = 2_000;
const MAX_NAME_LENGTH = 253;

/** A resource whose subresources are being collected. */
type Collected = DiscoveredResource & { readonly subresources: DiscoveredSubresource[] };

/**
 * The resources that the discovery document of a group version (`APIResourceList`) names. Only known fields are taken.
 * Throws `OutboundFailure` for anything else.
 */
export function discoveredResources(body: Buffer, of: GroupVersion): readonly DiscoveredResource[] {
  const list = parsed(body);
  if (!isJsonObject(list) || list['kind'] !== 'APIResourceList')
    throw new OutboundFailure('its discovery document is not a list of resources');
  const found = new Map<string, Collected>();
  const all = asObjects(list['resources']);
  if (all.length > MAX_RESOURCES) throw new OutboundFailure(`it has more than ${MAX_RESOURCES} resources`);
  for (const one of all) {
    const name = asText(one['name']);
    if (!isName(name)) continue;
    const [resource = '', ...rest] = name.split('/');
    // The parent of a subresource may follow it, or be absent.
    if (rest.length === 0) found.set(resource, resourceOf(one, of, found.get(resource)?.subresources ?? []));
    else collect(found, resource, { one, of, subresource: rest.join('/') });
  }
  return [...found.values()].map(({ subresources, ...own }) => ({
    ...own,
    ...(subresources.length === 0 ? {} : { subresources }),
  }));
}

/** Segments of paths, which are also labels of metrics. */
const isName = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && /^[a-z0-9][-a-z0-9._]*(\/[a-z0-9][-a-z0-9._]*)*$/i.test(name);

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (cause) {
    throw new OutboundFailure('its discovery document is not JSON', { cause });
  }
}

function resourceOf(one: JsonObject, of: GroupVersion, subresources: DiscoveredSubresource[]): Collected {
  const shortNames = asStrings(one['shortNames']);
  const categories = asStrings(one['categories']);
  return {
    resource: asText(one['name']),
    responseKind: kindOf(one, of),
    scope: scopeOf(one),
    singularResource: asText(one['singularName']),
    verbs: asStrings(one['verbs']),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    subresources,
  };
}

interface Subresource {
  readonly one: JsonObject;
  readonly of: GroupVersion;
  readonly subresource: string;
}

function collect(
  found: Map<string, Collected>,
  resource: string,
  { one, of, subresource }: Subresource,
): void {
  const parent = found.get(resource) ?? {
    ...resourceOf({ name: resource }, noVersion, []),
    scope: scopeOf(one),
  };
  parent.subresources.push({ subresource, responseKind: kindOf(one, of), verbs: asStrings(one['verbs']) });
  found.set(resource, parent);
}

const noVersion: GroupVersion = { group: '', version: '' };

const scopeOf = (one: JsonObject): DiscoveredResource['scope'] =>
  one['namespaced'] === true ? 'Namespaced' : 'Cluster';

/** Group and version are given only where they differ from those of the document. */
const kindOf = (one: JsonObject, of: GroupVersion): GroupVersionKind => ({
  group: asText(one['group']) || of.group,
  version: asText(one['version']) || of.version,
  kind: asText(one['kind']),
});
