import type { Library } from '../functions/overload.ts';
import { bindingMacros } from '../syntax/macros.ts';

/** The macro `cel.bind(name, value, expression)`, for expressions that repeat a long part. */
export const bindings: Library = { name: 'bindings', functions: {}, macros: bindingMacros };
