import type { DeclType } from '../decl/decl-type.ts';
import type { Range } from '../functions/range.ts';

/**
 * The declaration of a value: undefined when it is unknown, `outside` when the value is a part that its declaration
 * does not contain.
 */
export type SizePath = DeclType | 'outside' | undefined;

export type PathStep = { readonly field: string } | 'items' | 'values' | 'keys' | 'indices';

/**
 * The declaration of a part of a value. As in the reference, a part of a value without a declaration counts as the
 * whole of the variable (`root`): estimates decide which rules are accepted, so they must be equal to those of the
 * reference.
 */
export function stepInto(path: SizePath, step: PathStep, root: SizePath): SizePath {
  if (path === undefined) return root;
  if (path === 'outside') return path;
  if (typeof step === 'object') {
    const field = path.kind === 'object' ? path.fields.get(step.field) : undefined;
    return field?.type ?? 'outside';
  }
  switch (step) {
    case 'items':
    case 'values':
      if (path.kind === 'list') return path.element;
      return path.kind === 'map' ? path.value : 'outside';
    case 'keys':
      return path.kind === 'map' ? keyDecl : 'outside';
    case 'indices':
      return 'outside';
  }
}

const keyDecl: DeclType = { kind: 'string', maxElements: 0, minSize: 2 };

/** The size that a declaration allows; undefined when there is none. */
export function declaredSize(path: SizePath): Range | undefined {
  if (path === undefined || path === 'outside' || path.kind === 'value') return undefined;
  return { min: 0, max: path.maxElements };
}
