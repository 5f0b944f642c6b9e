import { type ApiObject, errors, parseApiVersion } from '@orch/machinery';
import { asObjects, asText, encodeJson, type JsonObject, type JsonSlice } from '@orch/machinery/json';
import type { RequestRecord } from '@orch/pipeline';
import type { FieldHistory, FieldWrite } from '@orch/registry';
import type { Asker } from '../answer/asker.ts';
import type { Cause, ObjectPlace } from '../answer/cause.ts';
import { type ManagerEntry, managerEntryOf } from '../requests/manager-writes.ts';
import { type RecentRequests, timeText } from '../requests/recent-requests.ts';
import { type FieldStep, readFieldPath, sliceAt, valueAt } from './field-path.ts';
import { ownershipOf } from './managed-field.ts';

export interface FieldParts {
  readonly requests: RecentRequests;
  readonly history: FieldHistory | undefined;
}

/** The value of a field, and its writers. */
export interface FieldAnswer {
  /** Absent when the object does not have the field. */
  readonly value?: unknown;
  readonly causes: readonly Cause[];
}

/** The causes of the value of a field. Throws a 400 `ApiError` for an invalid path. */
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
  const fieldOf = (state: JsonSlice): JsonSlice | undefined =>
    steps.reduce<JsonSlice | undefined>(sliceAt, state);
  const value = steps.reduce<unknown>(valueAt, object);
  const entries = asObjects(object.metadata.managedFields);
  const owners = entries.flatMap((entry) => managerCause(entry, object, steps));
  const version = parseApiVersion(asText(object.apiVersion))?.version;
  const found =
    version === undefined ? undefined : await parts.history?.lastWrite({ place, version, fieldOf }, asker);
  const write = found === 'unread' ? undefined : found;
  const shown = shownValue(value);
  const causes = [
    ...shown.causes,
    ...owners.toSorted((a, b) => (a.type === b.type ? 0 : a.type === 'Manager' ? -1 : 1)),
    ...(owners.length === 0 ? [unmanaged(value)] : []),
    ...(write === undefined
      ? await recentWrites(asker, parts.requests, {
          place,
          entries: entries.filter((entry) => owns(entry, object, steps)),
        })
      : [writeCause(write)]),
    ...(found === 'unread' ? [unreadHistory] : []),
  ];
  return { ...(shown.value === undefined ? {} : { value: shown.value }), causes };
}

/** Maximum size of a value in an answer, as JSON. */
const MAX_VALUE_BYTES = 64 * 1024;

/** The value for the answer: large values are omitted, with a cause instead. */
function shownValue(value: unknown): FieldAnswer {
  if (typeof value !== 'object' && typeof value !== 'string') return { value, causes: [] };
  const { length } = encodeJson(value);
  if (length <= MAX_VALUE_BYTES) return { value, causes: [] };
  return {
    causes: [
      {
        type: 'ValueLeftOut',
        message: `the value is not shown: it has ${length} bytes as JSON, and an answer shows at most ${MAX_VALUE_BYTES}; the object itself has it`,
      },
    ],
  };
}

const unreadHistory: Cause = {
  type: 'HistoryUnread',
  message:
    'the latest changes are about other fields, and one question reads 16 MiB of states; the history of the object has the earlier ones',
};

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

/** The last writes of managers, if this replica remembers their requests. */
async function recentWrites(
  asker: Asker,
  requests: RecentRequests,
  { place, entries }: { readonly place: ObjectPlace; readonly entries: readonly JsonObject[] },
): Promise<readonly Cause[]> {
  const causes: Cause[] = [];
  for (const entry of entries.flatMap((one) => managerEntryOf(one) ?? [])) {
    const record = await requests.writeOf(asker, place, entry);
    if (record !== undefined) causes.push(managerWriteCause(entry, record));
  }
  return causes;
}

/** The entry of a manager has the time of its last write, which may have changed other fields. */
function managerWriteCause({ manager }: ManagerEntry, record: RequestRecord): Cause {
  const { id, user, impersonator = '', receivedAt, written } = record;
  const by = userText(user.name, impersonator);
  return {
    type: 'Write',
    message: `the last write of the manager ${JSON.stringify(manager)} was that of ${by} at ${timeText(receivedAt)}, resourceVersion ${written?.resourceVersion ?? ''}, audit id ${id}`,
  };
}

const writeCause = ({ user, impersonator, time, resourceVersion }: FieldWrite): Cause => ({
  type: 'Write',
  message: `${userText(user, impersonator)} wrote it at ${time}, resourceVersion ${resourceVersion}`,
});

function userText(user: string, impersonator: string): string {
  const by = impersonator === '' ? '' : `, impersonated by ${JSON.stringify(impersonator)},`;
  return `the user ${JSON.stringify(user)}${by}`;
}
