import type { FieldProvider } from '../types/type.ts';
import * as types from '../types/type.ts';
import type { DeclType, ObjectDecl } from './decl-type.ts';

/** The fields of a declared object as the checker sees them; the types are made when a field is first used. */
class DeclaredFields implements FieldProvider {
  readonly #decl: ObjectDecl;
  constructor(decl: ObjectDecl) {
    this.#decl = decl;
  }
  fieldType(name: string): types.CelType | undefined {
    const field = this.#decl.fields.get(name);
    return field === undefined ? undefined : celTypeOf(field.type);
  }
}

/** The static type of declared data. */
export function celTypeOf(decl: DeclType): types.CelType {
  switch (decl.kind) {
    case 'list':
      return types.list(celTypeOf(decl.element));
    case 'map':
      return types.map(types.string, celTypeOf(decl.value));
    case 'object':
      return { kind: 'object', name: decl.name, fields: new DeclaredFields(decl) };
    case 'optional':
      return types.optional(celTypeOf(decl.of));
    case 'value':
      return decl.type;
    case 'date':
      return types.timestamp;
    default:
      return { kind: decl.kind };
  }
}
