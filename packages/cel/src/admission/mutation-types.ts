import type { TypeProvider } from '../check/environment.ts';
import { type Library, overload } from '../functions/overload.ts';
import { traversal, workPerUnit } from '../library/costs.ts';
import * as types from '../types/type.ts';
import { type CelType, dyn, string } from '../types/type.ts';

type ObjectType = Extract<CelType, { kind: 'object' }>;

const objectPath = /^Object(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/** Type of an apply configuration; `Object.spec` and so on are the types of the objects within. */
export const applyConfigurationType: ObjectType = {
  kind: 'object',
  name: 'Object',
  fields: { fieldType: () => dyn },
};

const patchFields: ReadonlyMap<string, CelType> = new Map([
  ['op', string],
  ['path', string],
  ['from', string],
  ['value', dyn],
]);

/** Type of one operation of a JSON patch. */
export const jsonPatchType: ObjectType = {
  kind: 'object',
  name: 'JSONPatch',
  fields: { fieldType: (name) => patchFields.get(name) },
};

/** Types of the objects that expressions of mutations build. */
export const mutationTypes: TypeProvider = (name) => {
  if (name === jsonPatchType.name) return jsonPatchType;
  return objectPath.test(name) ? { ...applyConfigurationType, name } : undefined;
};

const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Functions for the paths of JSON patches. */
export const jsonPatchLibrary: Library = {
  name: 'JSON patch',
  functions: {
    'jsonpatch.escapeKey': [
      overload(
        'jsonpatch_escapekey',
        [[types.string], types.string],
        escapeKey,
        traversal({ keepsSize: true, work: workPerUnit(8) }),
      ),
    ],
  },
};
