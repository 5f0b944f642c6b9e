import type { Column } from '../../resource-type.ts';
import { column } from '../../table.ts';

export const flagColumn = (name: string, description: string, rest: Partial<Column> = {}) =>
  column(name, description, { type: 'boolean', ...rest });
