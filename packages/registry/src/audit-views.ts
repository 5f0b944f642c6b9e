import { atLeast, findKind } from '@orch/apis';
import { parseApiVersion } from '@orch/machinery';
import type { ProtobufKind, ResourceRequest } from '@orch/request';
import { openEnvelope, ProtobufError } from '@orch/schema';
import type { RegistryContext } from './context/registry-context.ts';
import { WARNINGS_SINCE } from './dispatch/deprecation.ts';

/** The registry's part of auditing. */
export interface AuditViews {
  /** A Protobuf body as JSON data; undefined for a kind that is not built in, and for an unreadable body. */
  readProtobuf(bytes: Buffer): unknown;
  /** The release that removes a deprecated version, empty when none does; undefined for one that is not deprecated. */
  deprecationOf(info: ResourceRequest): { readonly removed: string } | undefined;
}

export const auditViews = (context: RegistryContext): AuditViews => ({
  readProtobuf(bytes) {
    try {
      const { kind, apiVersion, raw } = openEnvelope(bytes);
      const found = protobufKind(context, apiVersion, kind);
      return found === undefined ? undefined : { kind, apiVersion, ...found.codec.decode(raw) };
    } catch (error) {
      if (error instanceof ProtobufError) return undefined;
      throw error;
    }
  },
  deprecationOf({ group, version, resource }) {
    const found = context.table.find(group, version, resource);
    const { deprecated, removed = '' } = found?.declared ?? {};
    if (deprecated === undefined || !atLeast(context.release, deprecated)) return undefined;
    return atLeast(context.release, WARNINGS_SINCE) ? { removed } : undefined;
  },
});

/** Options and Status objects belong to no group and may have the apiVersion of any group. */
function protobufKind(context: RegistryContext, apiVersion: string, kind: string): ProtobufKind | undefined {
  const { group = '', version = '' } = parseApiVersion(apiVersion) ?? {};
  const key = group === '' ? '' : context.names.groupKey(group);
  for (const [inGroup, inVersion] of [
    [key, version],
    ['meta', 'v1'],
  ]) {
    if (inGroup === undefined || inVersion === undefined) continue;
    if (findKind(inGroup, inVersion, kind) !== undefined)
      return context.auxiliaryProtobuf(inGroup, inVersion, kind);
  }
  return undefined;
}
