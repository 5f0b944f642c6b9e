import { type ApiObject, asObjects, asText, errors, type JsonObject, parseApiVersion } from '@orch/machinery';
import type { Asker } from '../answer/asker.ts';
import type { Cause, ObjectPlace } from '../answer/cause.ts';
import { type RecentRequests, timeText } from '../requests/recent-requests.ts';
import { type FieldStep, readFieldPath, valueAt } from './field-path.ts';
import { ownershipOf } from './managed-field.ts';

/** The write that gave a field its value. */
export interface FieldWrite {
  readonly user: string;
  /** The user who acted as `user`; empty without impersonation. */
  readonly impersonator: string;
  readonly time: string;
  readonly resourceVersion: string;
}

/** A field of a stored object. */
export interface FieldQuestion {
  readonly place: ObjectPlace;
  /** The version whose field it is. */
  readonly version: string;
  /** Reads the field from an object of that version; undefined where the object does not have it. */
  readonly fieldOf: (object: unknown) => unknown;
}

/** The history of objects, where the server keeps one. */
export interface FieldHistory {
  /**
   * The latest write that changed the field. Undefined when there is none in the history, or when the user may not read the
   * history: the implementation authorizes.
   */
  lastWrite(question: FieldQuestion, asker: Pick<Asker, 'user' | 'signal'>): Promise<FieldWrite | undefined>;
}

/** A write with the audit id of its request; empty where it is not known. */
interface RequestedWrite extends FieldWrite {
  readonly auditId: string;
}

export interface FieldParts {
  readonly requests: RecentRequests;
  readonly history: FieldHistory | undefined;
}

/** The value of a field, and who set it. */
export interface FieldAnswer {
  /** Absent when the object does not have the field. */
  readonly value?: unknown;
  readonly causes: readonly Cause[];
}

/** Why a field is what it is. Throws a 400 `ApiError` for an invalid path. */
export async function fieldAnswer(
  asker: Asker,
  parts: FieldParts,
  {
    object,
    place,
    field,
  }: { readonly object: ApiObject; readonly place: ObjectPlace; readonly field: string },
): Promise<FieldAnswer> {
  const steps = readFieldPath(field);
  const [first] = steps;
  if (first?.kind !== 'member') throw errors.badRequest('a field path begins with the name of a field');
  const fieldOf = (state: unknown): unknown => steps.reduce(valueAt, state);
  const value = fieldOf(object);
  const entries = asObjects(object.metadata.managedFields);
  const owners = entries.flatMap((entry) => managerCause(entry, object, steps));
  const version = parseApiVersion(asText(object.apiVersion))?.version;
  const write =
    version === undefined ? undefined : await parts.history?.lastWrite({ place, version, fieldOf }, asker);
  const causes = [
    ...owners.toSorted((a, b) => (a.type === b.type ? 0 : a.type === 'Manager' ? -1 : 1)),
    ...(owners.length === 0 ? [unmanaged(value)] : []),
    ...(write === undefined
      ? await recentWrites(asker, parts.requests, {
          place,
          entries: entries.filter((entry) => owns(entry, object, steps)),
        })
      : [writeCause({ ...write, auditId: '' })]),
  ];
  return { ...(value === undefined ? {} : { value }), causes };
}

const owns = (entry: JsonObject, object: ApiObject, steps: readonly FieldStep[]): boolean =>
  ownershipOf(entry['fieldsV1'], { value: object, steps }) !== 'none';

function managerCause(entry: JsonObject, object: ApiObject, steps: readonly FieldStep[]): readonly Cause[] {
  const ownership = ownershipOf(entry['fieldsV1'], { value: object, steps });
  if (ownership === 'none') return [];
  const manager = JSON.stringify(asText(entry['manager']));
  const subresource = asText(entry['subresource']);
  const through = subresource === '' ? '' : ` of the subresource ${subresource}`;
  const at = `by ${asText(entry['operation'])}${through} at ${asText(entry['time'])}`;
  return ownership === 'owned'
    ? [{ type: 'Manager', message: `the manager ${manager} set it ${at}` }]
    : [{ type: 'PartsOfManagers', message: `the manager ${manager} set parts of it ${at}` }];
}

const unmanaged = (value: unknown): Cause => ({
  type: 'NoManager',
  message:
    value === undefined
      ? 'the object does not have the field, and no manager owns it'
      : 'no manager owns it: the server set it, as a default or itself',
});

/** The requests with which managers wrote, where this replica remembers them. */
async function recentWrites(
  asker: Asker,
  requests: RecentRequests,
  { place, entries }: { readonly place: ObjectPlace; readonly entries: readonly JsonObject[] },
): Promise<readonly Cause[]> {
  const causes = new Map<string, Cause>();
  for (const entry of entries) {
    const time = Date.parse(asText(entry['time']));
    const record = Number.isNaN(time) ? undefined : await requests.writeAt(asker, place, time);
    if (record === undefined) continue;
    const { id, user, receivedAt } = record;
    causes.set(
      id,
      writeCause({
        user: user.name,
        impersonator: '',
        auditId: id,
        time: timeText(receivedAt),
        resourceVersion: '',
      }),
    );
  }
  return [...causes.values()];
}

function writeCause({ user, impersonator, time, auditId, resourceVersion }: RequestedWrite): Cause {
  const by = impersonator === '' ? '' : `, impersonated by ${JSON.stringify(impersonator)},`;
  const id = auditId === '' ? '' : `, audit id ${auditId}`;
  const version = resourceVersion === '' ? '' : `, resourceVersion ${resourceVersion}`;
  return {
    type: 'Write',
    message: `the user ${JSON.stringify(user)}${by} wrote it at ${time}${version}${id}`,
  };
}
