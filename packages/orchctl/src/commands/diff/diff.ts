import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNotFound } from '@orch/client';
import { ApiError, type ApiObject, formatApiVersion, namesFor, namings } from '@orch/machinery';
import { asObject, type JsonObject } from '@orch/machinery/json';
import { encodeYaml } from '@orch/machinery/yaml';
import { switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { fileFlags, fileSelectorFlag, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { reportFailure } from '../../cli/report-failure.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { sortedFields } from '../../print/sorted-fields.ts';
import { styleOf } from '../../print/style.ts';
import { ownSequences } from '../../print/visible-output.ts';
import { fileTargets, type Target, targetName } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { applyObject, type ObjectApply } from '../apply/apply-object.ts';
import { conflictAdvice, conflictTable, isFieldConflict, readConflicts } from '../apply/conflicts.ts';
import { momentOf } from '../history/moment.ts';
import { fromHistory, type NamedObject, namedObject } from '../history/read-history.ts';
import { coloredDifference, differenceText } from './difference-text.ts';

const section = 'Flags';
const unifiedDiff = ['diff', '-u', '-N'] as const;

export const diff = command({
  usage: 'diff (-f FILE | (TYPE NAME | TYPE/NAME) --at=REVISION) [flags]',
  about:
    'Shows what apply would change: the objects of the server beside the result of a server-side apply that stores nothing. The exit status is 0 without differences, 1 with differences, and above 1 for failures. The program "diff -u -N" compares; ORCHCTL_EXTERNAL_DIFF names another one.\n\nWith --at, an earlier state of an object is compared with the present one, or with that of --to. The server needs a history.',
  examples: [
    { comment: 'The changes of a file', line: 'orchctl diff -f pod.yaml' },
    { comment: 'What has changed since a revision', line: 'orchctl diff deployment web --at=1234' },
    { comment: 'Within the last hour', line: 'orchctl diff deployment/web --at=1h' },
    { comment: 'From standard input', line: 'cat pod.yaml | orchctl diff -f -' },
  ],
  flags: {
    ...fileFlags,
    ...fileSelectorFlag,
    ...showManagedFieldsFlag,
    at: textFlag({
      name: 'at',
      help: 'Compare with the state at this resourceVersion or time, or this long ago: 10m.',
      section,
    }),
    to: textFlag({
      name: 'to',
      help: 'With --at: the later state, as a resourceVersion, a time or a duration before now; the present one when absent.',
      section,
    }),
    fieldManager: textFlag(
      { name: 'field-manager', help: 'The name of the field manager of the apply.', section },
      'orchctl',
    ),
    forceConflicts: switchFlag({
      name: 'force-conflicts',
      help: 'Compare with the result of an apply that takes over fields of other managers.',
      section,
    }),
    showSecrets: switchFlag({ name: 'show-secrets', help: 'Print the values of secrets.', section }),
    serverSide: switchFlag(
      { name: 'server-side', help: 'Accepted for scripts of kubectl; always true.', section },
      true,
    ),
  },
  async run({ flags, words, io, globals, session: open, signal }) {
    const { hasColors } = styleOf(io, globals);
    try {
      if (flags.at !== '')
        return compare([await pastPair({ flags, words, io, session: open, signal })], io, hasColors);
      if (flags.to !== '') throw new UsageError('--to requires --at');
      if (words.length > 0) throw new UsageError('objects are given by --filename');
      if (flags.filename.length === 0) throw new UsageError('must specify --filename');
      const session = await open();
      const targets = await fileTargets({ flags, io, session, signal });
      const pairs = [];
      for (const target of targets) pairs.push(await compared(session, target, { ...flags, io, signal }));
      return compare(pairs, io, hasColors);
    } catch (error) {
      if (signal.aborted) throw error;
      const { text, exitStatus } = reportFailure(error);
      io.err.write(`${text}\n`);
      // Exit status 1 is for differences.
      return Math.max(exitStatus, 2);
    }
  },
});

/** An object at two moments; the current state when there is no second. */
async function pastPair({
  flags: { at, to, filename, showManagedFields, showSecrets },
  words,
  io,
  session: open,
  signal,
}: Pick<Invocation<PastFlags>, 'flags' | 'words' | 'io' | 'session' | 'signal'>): Promise<Pair> {
  if (filename.length > 0) throw new UsageError('--at is for an object of the server, not for --filename');
  const nowMs = io.env.clock.now();
  const [from, until] = [momentOf('at', at, nowMs), to === '' ? undefined : momentOf('to', to, nowMs)];
  const session = await open();
  const target = await namedObject(words, session);
  const { resource, namespace, name } = target;
  const history = session.client.history(resource, namespace);
  const before = await orAbsent(fromHistory(history.at(name, from, signal)));
  const after = await orAbsent(
    until === undefined
      ? session.client.resource(resource, namespace).get(name, {}, signal)
      : history.at(name, until, signal),
  );
  if (before === undefined && after === undefined)
    throw new CommandError(`the object ${JSON.stringify(name)} existed at neither moment`);
  return pairOf(target, { before, after, showManagedFields, showSecrets });
}

interface PastFlags {
  readonly at: string;
  readonly to: string;
  readonly filename: readonly string[];
  readonly showManagedFields: boolean;
  readonly showSecrets: boolean;
}

/** Undefined for an object that does not exist. */
const orAbsent = (reading: Promise<ApiObject>): Promise<ApiObject | undefined> =>
  reading.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });

interface Pair {
  readonly file: string;
  /** Undefined when the object does not exist. */
  readonly live: ApiObject | undefined;
  readonly merged: ApiObject | undefined;
}

interface Comparison {
  readonly fieldManager: string;
  readonly forceConflicts: boolean;
  readonly showManagedFields: boolean;
  readonly showSecrets: boolean;
  readonly io: Io;
  readonly signal: AbortSignal;
}

async function compared(
  { client }: Session,
  target: Target,
  { fieldManager, forceConflicts, io, signal, ...shown }: Comparison,
): Promise<Pair> {
  const { resource, namespace, name } = target;
  const objects = client.resource(resource, namespace);
  const options: ObjectApply = {
    ...{ fieldManager, force: forceConflicts, dryRun: true, subresource: '' },
    fieldValidation: 'Strict',
  };
  const conflict = async (error: unknown): Promise<never> => {
    if (!(error instanceof ApiError && isFieldConflict(error))) throw error;
    const conflicts = await readConflicts(error, target, objects, { fieldManager, signal });
    io.err.write(conflictTable(conflicts));
    throw new CommandError(conflictAdvice(`${targetName(target)} cannot be compared`, conflicts), {
      cause: error,
    });
  };
  const live = await orAbsent(objects.get(name, {}, signal));
  const { object: merged } = await applyObject(objects, target, options, signal).catch(conflict);
  return pairOf({ resource, namespace, name }, { before: live, after: merged, ...shown });
}

/** Two states of an object as they are compared: without values of secrets, unless these are requested. */
function pairOf(
  { resource, namespace, name }: NamedObject,
  {
    before,
    after,
    showManagedFields,
    showSecrets,
  }: {
    readonly before: ApiObject | undefined;
    readonly after: ApiObject | undefined;
    readonly showManagedFields: boolean;
    readonly showSecrets: boolean;
  },
): Pair {
  const isSecret = resource.kind === 'Secret' && !showSecrets;
  const shown = (object: ApiObject): ApiObject => {
    const readable = showManagedFields ? object : withoutManaged(object);
    return isSecret ? masked(readable) : readable;
  };
  const version = formatApiVersion(resource).replaceAll('/', '.');
  const isSecretPair = isSecret && before !== undefined && after !== undefined;
  return {
    file: `${version}.${resource.kind}.${namespace ?? ''}.${name}`,
    live: before && (isSecretPair ? maskedBeside(shown(before), before, after, 'before') : shown(before)),
    merged: after && (isSecretPair ? maskedBeside(shown(after), after, before, 'after') : shown(after)),
  };
}

/** Managed fields are dropped, and with them the generation that differs for every change. */
function withoutManaged(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Values of secrets are not shown. */
const masked = (object: ApiObject): ApiObject => ({
  ...object,
  ...(object['data'] !== undefined && { data: mapped(asObject(object['data']), () => '***') }),
});

/** The masked object, whose values that differ from the other object are marked as such. */
function maskedBeside(
  shown: ApiObject,
  own: ApiObject,
  other: ApiObject | undefined,
  word: string,
): ApiObject {
  if (own['data'] === undefined) return shown;
  const theirs = asObject(other?.['data']);
  const mark = (value: unknown, key: string) =>
    theirs[key] === undefined || theirs[key] === value ? '***' : `*** (${word})`;
  return { ...shown, data: mapped(asObject(own['data']), mark) };
}

const mapped = (object: JsonObject, map: (value: unknown, key: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

/** Compares all objects at once, as folders of files that only this user can read. */
function compare(pairs: readonly Pair[], io: Io, hasColors: boolean): number {
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-diff-'));
  try {
    for (const side of ['LIVE', 'MERGED'] as const) {
      mkdirSync(join(folder, side));
      for (const { file, live, merged } of pairs) {
        const object = side === 'LIVE' ? live : merged;
        const text = object === undefined ? '' : encodeYaml(sortedFields(object));
        writeFileSync(join(folder, side, file.replaceAll(/[^\w.-]/g, '_')), text, { mode: 0o600 });
      }
    }
    const chosen = diffProgram(io);
    const [program, ...args] = chosen ?? unifiedDiff;
    const result = spawnSync(program, [...args, join(folder, 'LIVE'), join(folder, 'MERGED')], {
      encoding: 'utf8',
      maxBuffer: 1024 ** 3,
    });
    if (result.error !== undefined)
      throw new CommandError(`${program} cannot be run: ${result.error.message}`, { exitStatus: 2 });
    if (chosen === undefined && hasColors) io.out.write(ownSequences(coloredDifference(result.stdout)));
    else if (io.out.columns === undefined) io.out.write(result.stdout);
    else io.out.write(ownSequences(differenceText(result.stdout)));
    io.err.write(result.stderr);
    return result.status ?? 2;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program of the environment with its flags; undefined without one. Other characters are dropped, as kubectl does, so that it is not a shell command. */
function diffProgram({ environment }: Io): readonly [string, ...string[]] | undefined {
  const variables = namings.map((naming) => namesFor(naming).environment.externalDiff);
  const chosen = variables.map((name) => environment[name] ?? '').find((value) => value !== '') ?? '';
  const [program, ...args] = chosen.split(/\s+/).filter((word) => /^[\w./=:@+-]+$/.test(word));
  return program === undefined ? undefined : [program, ...args];
}
