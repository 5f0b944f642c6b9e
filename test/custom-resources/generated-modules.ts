import assert from 'node:assert/strict';
import { type Definition, moduleText, readDefinition } from '@orch/client/custom-types';
import type { JsonObject } from '@orch/machinery/json';
import { transform } from 'esbuild';

/** A violation that a generated validator reports. */
export interface Violation {
  readonly path: string;
  readonly message: string;
}

export type Validate = (object: unknown) => readonly Violation[];

/** The validators of a definition by the names of its versions, loaded from its generated module. */
export async function validatorsOf(definition: JsonObject): Promise<ReadonlyMap<string, Validate>> {
  const read = readDefinition(definition);
  const { code } = await transform(moduleText(read, 'client'), { loader: 'ts', format: 'esm' });
  const loaded: Readonly<Record<string, unknown>> = await import(
    `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  );
  return new Map(read.versions.map(({ name }) => [name, validatorIn(loaded, read, name)]));
}

function validatorIn(
  loaded: Readonly<Record<string, unknown>>,
  { kind }: Definition,
  version: string,
): Validate {
  const suffix = version === 'v1' ? '' : `V${version.slice(1)}`;
  const validate = loaded[`validate${kind.charAt(0).toUpperCase()}${kind.slice(1)}${suffix}`];
  assert.equal(typeof validate, 'function', `${kind} in ${version}`);
  return validate as Validate;
}
