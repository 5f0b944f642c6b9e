import type { WriteOptions } from '@orch/client';
import { ApiError, type ApiObject } from '@orch/machinery';
import { asText, type JsonObject, jsonEquals, jsonText, objectAt } from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import type { Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { mergeDifference } from '../write/merge-difference.ts';
import type { WriteReport } from '../write/report-write.ts';
import type { EditReason } from './edit-text.ts';

/** An object that is edited. */
export interface EditTarget {
  readonly target: Target;
  readonly uid: string;
  /** As it was opened, or as it was written since. */
  base: JsonObject;
  /** The one that `base` has on the server. */
  resourceVersion: string;
  isWritten: boolean;
}

/** The outcome of edited objects. */
export interface EditOutcome {
  /** Objects that the server found invalid: they are edited again. */
  readonly invalid: readonly EditReason[];
  readonly isRefused: boolean;
  readonly isGone: boolean;
}

export interface EditWriter {
  readonly session: Session;
  readonly io: Io;
  readonly report: WriteReport;
  readonly subresource: string;
  readonly outputsPatch: boolean;
  readonly options: WriteOptions;
  readonly signal: AbortSignal;
}

/** Writes the differences of edited objects. Rejects with a `CommandError` for an object that was not opened. */
export async function writeEdits(
  objects: readonly JsonObject[],
  targets: readonly EditTarget[],
  writer: EditWriter,
): Promise<EditOutcome> {
  const pairs = objects.map((object) => ({ object, opened: openedOf(object, targets) }));
  const invalid: EditReason[] = [];
  let [isRefused, isGone] = [false, false];
  for (const { object, opened } of pairs) {
    try {
      await writeOne(object, opened, writer);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const name = `${resourceText(opened.target)} ${JSON.stringify(opened.target.name)}`;
      const { reason, message = '', details } = error.status;
      writer.io.err.write(`error: ${name} ${failureText(reason, message)}\n`);
      if (reason === 'Invalid')
        invalid.push({
          text: `${name} was not valid`,
          details: (details?.causes ?? []).map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`),
        });
      else if (reason === 'NotFound') isGone = true;
      else isRefused = true;
    }
  }
  return { invalid, isRefused, isGone };
}

const resourceText = ({ resource: { resource, group } }: Target): string =>
  group === '' ? resource : `${resource}.${group}`;

function failureText(reason: string | undefined, message: string): string {
  if (reason === 'Invalid') return 'is invalid';
  return reason === 'NotFound' ? 'could not be found on the server' : `could not be patched: ${message}`;
}

/** The opened object of an edited one. Its identity must be unchanged. */
function openedOf(object: JsonObject, targets: readonly EditTarget[]): EditTarget {
  const { uid, name, namespace } = objectAt(object, 'metadata');
  const opened = targets.find((one) => one.uid === asText(uid));
  if (opened === undefined)
    throw new CommandError(
      `no object with the uid ${JSON.stringify(asText(uid))} was opened: objects cannot be added`,
    );
  const { base } = opened;
  const was = objectAt(base, 'metadata');
  if (object['apiVersion'] !== base['apiVersion'] || object['kind'] !== base['kind'] || name !== was['name'])
    throw new CommandError('At least one of apiVersion, kind and name was changed');
  if (namespace !== was['namespace'])
    throw new CommandError(`the namespace of ${JSON.stringify(asText(name))} was changed`);
  return opened;
}

async function writeOne(object: JsonObject, opened: EditTarget, writer: EditWriter): Promise<void> {
  const { session, io, report, subresource, options, signal, outputsPatch } = writer;
  const { target, base } = opened;
  const patch = jsonEquals(base, object) ? undefined : mergeDifference(base, object);
  if (patch === undefined) {
    if (!opened.isWritten) report.add(target, base as unknown as ApiObject, 'skipped');
    return;
  }
  const body = withPrecondition(patch, opened.resourceVersion);
  if (outputsPatch) io.out.write(`Patch: ${jsonText(body)}\n`);
  const client = session.client.resource(target.resource, target.namespace);
  const { patch: patches } = subresource === '' ? client : client.subresource(subresource);
  const written = await patches.merge(target.name, body, options, signal);
  report.add(target, written, 'edited');
  opened.base = object;
  opened.resourceVersion = written.metadata.resourceVersion ?? '';
  opened.isWritten = true;
}

/** A patch that replaces a list requires the state that was opened: it would otherwise undo concurrent changes of items. */
function withPrecondition(patch: JsonObject, resourceVersion: string): JsonObject {
  if (!hasList(patch)) return patch;
  return { ...patch, metadata: { resourceVersion, ...objectAt(patch, 'metadata') } };
}

const hasList = (value: unknown): boolean =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasList));
