import type { ResourceClient } from '@orch/client';
import { ApiError, type ApiObject } from '@orch/machinery';
import { asObjects, asText, jsonText } from '@orch/machinery/json';
import type { Target } from '../../resources/targets.ts';
import { adoptClientSideFields, hasClientSideFields } from './client-side-apply.ts';
import { conflictsIn, isFieldConflict, isOwnOwner, type OwnedField, TOOL, valueAt } from './conflicts.ts';

/** The options of one apply. */
export interface ObjectApply {
  readonly fieldManager: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** An applied object, and a line for each field that another command of this tool had set. */
export interface AppliedObject {
  readonly object: ApiObject;
  readonly overwritten: readonly string[];
}

/** Attempts while others change the object between its read and its write. */
const ATTEMPTS = 5;

/**
 * Applies an object. Fields set by other commands of this tool (`scale`, `set`, `edit`) are taken over, as are those
 * set by `kubectl apply`. Rejects with the conflict of all other fields.
 */
export async function applyObject(
  client: ResourceClient,
  target: Target,
  options: ObjectApply,
  signal: AbortSignal,
): Promise<AppliedObject> {
  const { fieldManager, dryRun, subresource, fieldValidation } = options;
  const { patch } = subresource === '' ? client : client.subresource(subresource);
  const object = target.document?.object as unknown as ApiObject;
  const send = (sent: ApiObject, force: boolean): Promise<ApiObject> =>
    patch.apply(target.name, sent, { fieldManager, force, dryRun, fieldValidation }, signal);
  for (let attempt = 1; ; attempt++) {
    try {
      const applied = await send(object, options.force);
      if (dryRun || subresource !== '' || !hasClientSideFields(applied))
        return { object: applied, overwritten: [] };
      await adoptClientSideFields(client, applied, { fieldManager, signal });
      return { object: await send(object, options.force), overwritten: [] };
    } catch (error) {
      if (!(error instanceof ApiError) || attempt === ATTEMPTS) throw error;
      if (!isFieldConflict(error)) {
        if (isChanged(error)) continue;
        throw error;
      }
      const current = await client.get(target.name, {}, signal);
      if (subresource === '' && !dryRun && namesOnly(error, isAdopted) && hasClientSideFields(current)) {
        await adoptClientSideFields(client, current, { fieldManager, signal }).catch(unlessChanged);
        continue;
      }
      if (!namesOnly(error, (owner) => isAdopted(owner) || isOwnOwner(owner, fieldManager))) throw error;
      const exact = await retaken(current);
      if (exact !== undefined) return exact;
    }
  }

  /** Applies to the object as read; undefined when it has changed since. */
  async function retaken(current: ApiObject): Promise<AppliedObject | undefined> {
    const { resourceVersion } = current.metadata;
    const bound = { ...object, metadata: { ...object.metadata, resourceVersion } } as ApiObject;
    try {
      return { object: await send(bound, options.force), overwritten: [] };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isFieldConflict(error)) return unlessChanged(error);
      if (!namesOnly(error, (owner) => isAdopted(owner) || isOwnOwner(owner, fieldManager))) throw error;
      const overwritten = conflictsIn(error).map((cause) =>
        overwrittenText(cause, { current, object, owners: [fieldManager, TOOL] }),
      );
      try {
        return { object: await send(bound, true), overwritten };
      } catch (failure) {
        return unlessChanged(failure);
      }
    }
  }
}

const namesOnly = (error: ApiError, isAccepted: (owner: string) => boolean): boolean =>
  conflictsIn(error).every(({ owner }) => isAccepted(owner));

const isAdopted = (owner: string): boolean => owner.startsWith('"kubectl-client-side-apply" using ');

/** Reports whether a failure means that the object is not the one that was read. */
const isChanged = ({ status }: ApiError): boolean => status.code === 409 && status.reason === 'Conflict';

function unlessChanged(error: unknown): undefined {
  if (error instanceof ApiError && (isChanged(error) || error.status.reason === 'Invalid')) return undefined;
  throw error;
}

/** The overwritten fields, and when they were set. */
function overwrittenText(
  { field }: OwnedField,
  parts: { readonly current: ApiObject; readonly object: ApiObject; readonly owners: readonly string[] },
): string {
  const { current, object, owners } = parts;
  const entries = asObjects((current.metadata as { readonly managedFields?: unknown }).managedFields);
  const times = entries
    .filter(({ manager, operation }) => owners.includes(asText(manager)) && operation === 'Update')
    .map(({ time }) => asText(time))
    .toSorted();
  const [theirs, yours] = [current, object].map((one) => jsonText(valueAt(one, field) ?? null));
  return `${field} was ${theirs}, set by another command of orchctl at ${times.at(-1) ?? 'an unknown time'}, and is ${yours} again`;
}
