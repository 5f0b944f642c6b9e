import { errors } from '@orch/machinery';
import type { Query } from '@orch/request';
import type { IncludeObject } from '../table/index.ts';

/** Reads `includeObject`, the option of tables; 400 for values that it does not have. */
export function includeObject(query: Query): IncludeObject {
  const text = query.get('includeObject') ?? '';
  switch (text) {
    case '':
    case 'Metadata':
      return 'Metadata';
    case 'None':
    case 'Object':
      return text;
    default:
      throw errors.badRequest(
        `includeObject must be None, Metadata or Object, not ${JSON.stringify(text.slice(0, 64))}`,
      );
  }
}
