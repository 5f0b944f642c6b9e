import { ApiError } from '@orch/machinery';
import type { Connection, ServerRequest } from '../api/connection.ts';
import { type ObjectPlace, pathOf, yamlAnswer } from '../api/objects.ts';
import type { FieldFailure } from './yaml-editor.ts';

/** The name under which the server records the fields that the page has set. */
export const MANAGER = 'console';

/** An edited object: all of it, with the resourceVersion that the user has seen. */
export interface Edit {
  readonly place: ObjectPlace;
  readonly yaml: string;
}

/** What the server would store for an edit, as YAML. Rejects as `save`. */
export const check = (connection: Connection, edit: Edit, signal: AbortSignal): Promise<string> =>
  yamlAnswer(connection, replacement(edit, 'dryRun=All&'), signal);

/** Replaces the object. Rejects with an `ApiError`: 409 if it has changed since the user has seen it. */
export async function save(connection: Connection, edit: Edit, signal: AbortSignal): Promise<string> {
  return await connection.text(replacement(edit, ''), signal);
}

const replacement = ({ place, yaml }: Edit, query: string): ServerRequest => ({
  method: 'PUT',
  target: `${pathOf(place)}?${query}fieldManager=${MANAGER}&fieldValidation=Strict`,
  contentType: 'application/yaml',
  body: yaml,
});

/** The failures of single fields in a refusal; none where it is about something else. */
export const fieldFailures = (problem: unknown): readonly FieldFailure[] =>
  problem instanceof ApiError
    ? (problem.status.details?.causes ?? [])
        .filter(({ field = '' }) => field !== '')
        .map(({ field = '', message = '' }) => ({ field, message }))
    : [];

/** Whether somebody else has changed the object in the meantime. */
export const isConflict = (problem: unknown): boolean =>
  problem instanceof ApiError && problem.status.code === 409;
