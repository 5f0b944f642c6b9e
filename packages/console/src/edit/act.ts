import type { JsonObject } from '@orch/machinery/json';
import type { Connection, ServerRequest } from '../api/connection.ts';
import { type ObjectPlace, pathOf, yamlAnswer } from '../api/objects.ts';
import { MANAGER } from './write-object.ts';

/** A merge patch of an object, or of a subresource of it. */
export interface Patch {
  readonly place: ObjectPlace;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly patch: JsonObject;
}

/** The patched object before and after, as YAML of the server. Nothing is stored. */
export async function rehearse(
  connection: Connection,
  patch: Patch,
  signal: AbortSignal,
): Promise<readonly [before: string, after: string]> {
  const before = await yamlAnswer(connection, { target: targetOf(patch) }, signal);
  return [before, await yamlAnswer(connection, request(patch, 'dryRun=All&'), signal)];
}

/** Writes a patch. */
export async function act(connection: Connection, patch: Patch, signal: AbortSignal): Promise<void> {
  await connection.text(request(patch, ''), signal);
}

const targetOf = ({ place, subresource }: Patch): string =>
  subresource === '' ? pathOf(place) : `${pathOf(place)}/${subresource}`;

const request = (patch: Patch, query: string): ServerRequest => ({
  method: 'PATCH',
  target: `${targetOf(patch)}?${query}fieldManager=${MANAGER}`,
  contentType: 'application/merge-patch+json',
  body: JSON.stringify(patch.patch),
});
