import type { KindDeclaration } from './kind-declaration.ts';
import { kindsOf } from './registry.ts';

const keyOf = (group: string, version: string, kind: string): string => `${group}/${version}/${kind}`;

/** Built-in kinds by key; the first declaration where several have the same one. */
const kindsByKey: ReadonlyMap<string, KindDeclaration> = new Map(
  kindsOf()
    .toReversed()
    .map((one) => [keyOf(one.group, one.version, one.kind), one]),
);

/** The schema of a kind: of a resource, of a subresource body, or of a request option. */
export const findKind = (group: string, version: string, kind: string): KindDeclaration | undefined =>
  kindsByKey.get(keyOf(group, version, kind));
