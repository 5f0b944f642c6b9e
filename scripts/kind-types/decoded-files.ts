import { auxiliaryKinds, builtinTypes } from '@orch/apis';
import { groupFiles } from './group-files.ts';

/** The files of the types of decoded objects by name, each with its whole text. */
export function decodedTypeFiles(): ReadonlyMap<string, string> {
  const resources = builtinTypes.flatMap(({ versions }) => versions.map(({ schema }) => schema));
  const groups = groupFiles([...resources, ...auxiliaryKinds.map(({ schema }) => schema)], 'decoded');
  return new Map([...groups].map(([group, file]) => [`${group}.ts`, file.text()]));
}
