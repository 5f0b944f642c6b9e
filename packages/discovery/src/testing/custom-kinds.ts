import { builtinTypes, ObjectMeta, typeIn, typesAt } from '@orch/apis';
import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { structuralKind } from '@orch/schema';
import type { DocumentedResource } from '../openapi/input.ts';

export interface CustomKindOptions {
  readonly group: string;
  readonly kind: string;
  /** Its `openAPIV3Schema`. */
  readonly document: () => Work<JsonObject | undefined>;
}

/** A resource as declared by a definition, in version `v1`. */
export function customKind({ group, kind, document }: CustomKindOptions): DocumentedResource {
  const [row] = typesAt('1.27', builtinTypes, () => true).filter(({ resource }) => resource === 'leases');
  const [served] = row?.served ?? [];
  if (row === undefined || served === undefined) throw new Error('leases are not declared');
  const schema = structuralKind({
    name: `${group}.v1.${kind}`,
    doc: '',
    metadata: ObjectMeta,
    structural: () => ({}),
    custom: { group, version: 'v1', kind, listKind: `${kind}List`, document },
  });
  const type = { ...typeIn(row, served), group, resource: `${kind.toLowerCase()}s`, kind };
  return { type, group, groupKey: group, version: 'v1', schema };
}
