import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNotFound } from '@orch/client';
import {
  type ApiObject,
  asObject,
  encodeYaml,
  formatApiVersion,
  type JsonObject,
  namesFor,
  namings,
} from '@orch/machinery';
import { switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { reportFailure } from '../../cli/report-failure.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { sortedFields } from '../../print/sorted-fields.ts';
import { fileTargets, type Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';

const section = 'Flags';

export const diff = command({
  usage: 'diff -f FILE [flags]',
  about:
    'Shows what apply would change: the objects of the server beside the result of a server-side apply that stores nothing. The exit status is 0 without differences, 1 with differences, and above 1 for failures. The program "diff -u -N" compares; ORCHCTL_EXTERNAL_DIFF names another one.',
  examples: [
    { comment: 'The changes of a file', line: 'orchctl diff -f pod.yaml' },
    { comment: 'From standard input', line: 'cat pod.yaml | orchctl diff -f -' },
  ],
  flags: {
    ...fileFlags,
    ...showManagedFieldsFlag,
    fieldManager: textFlag(
      { name: 'field-manager', help: 'The name of the field manager of the apply.', section },
      'orchctl',
    ),
    forceConflicts: switchFlag({
      name: 'force-conflicts',
      help: 'Compare with the result of an apply that takes over fields of other managers.',
      section,
    }),
    serverSide: switchFlag(
      { name: 'server-side', help: 'Accepted for scripts of kubectl; always true.', section },
      true,
    ),
  },
  async run({ flags, words, io, session: open, signal }) {
    try {
      if (words.length > 0) throw new UsageError('objects are given by --filename');
      if (flags.filename.length === 0) throw new UsageError('must specify --filename');
      const session = await open();
      const targets = await fileTargets({ flags, io, session, signal });
      const pairs = [];
      for (const target of targets) pairs.push(await compared(session, target, { ...flags, signal }));
      return compare(pairs, io);
    } catch (error) {
      // Exit status 1 is for differences.
      const { text, exitStatus } = reportFailure(error);
      throw new CommandError(text.replace(/^error: /, ''), {
        exitStatus: Math.max(exitStatus, 2),
        cause: error,
      });
    }
  },
});

interface Pair {
  readonly file: string;
  /** Undefined when the object does not exist. */
  readonly live: ApiObject | undefined;
  readonly merged: ApiObject;
}

interface Comparison {
  readonly fieldManager: string;
  readonly forceConflicts: boolean;
  readonly showManagedFields: boolean;
  readonly signal: AbortSignal;
}

async function compared(
  { client }: Session,
  { resource, namespace, name, document }: Target,
  { fieldManager, forceConflicts, showManagedFields, signal }: Comparison,
): Promise<Pair> {
  const objects = client.resource(resource, namespace);
  const options = { fieldManager, force: forceConflicts, dryRun: true };
  const live = await objects.get(name, {}, signal).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  const merged = await objects.patch.apply(name, document?.object ?? {}, options, signal);
  const shown = (object: ApiObject): ApiObject => {
    const readable = showManagedFields ? object : withoutManaged(object);
    return resource.kind === 'Secret' ? masked(readable) : readable;
  };
  const version = formatApiVersion(resource).replaceAll('/', '.');
  const secretsDiffer = resource.kind === 'Secret' && live !== undefined;
  return {
    file: `${version}.${resource.kind}.${namespace ?? ''}.${name}`,
    live: live && (secretsDiffer ? maskedBeside(shown(live), live, merged, 'before') : shown(live)),
    merged: secretsDiffer ? maskedBeside(shown(merged), merged, live, 'after') : shown(merged),
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
function compare(pairs: readonly Pair[], io: Io): number {
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
    const [program = 'diff', ...args] = diffProgram(io);
    const result = spawnSync(program, [...args, join(folder, 'LIVE'), join(folder, 'MERGED')], {
      encoding: 'utf8',
      maxBuffer: 1024 ** 3,
    });
    if (result.error !== undefined)
      throw new CommandError(`${program} cannot be run: ${result.error.message}`, { exitStatus: 2 });
    io.out.write(result.stdout);
    io.err.write(result.stderr);
    return result.status ?? 2;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program of the environment with its flags. Other characters are dropped, as kubectl does, so that it is no shell command. */
function diffProgram({ environment }: Io): readonly string[] {
  const variables = namings.map((naming) => namesFor(naming).environment.externalDiff);
  const chosen = variables.map((name) => environment[name] ?? '').find((value) => value !== '') ?? '';
  const words = chosen.split(/\s+/).filter((word) => /^[\w./=:@+-]+$/.test(word));
  return words.length === 0 ? ['diff', '-u', '-N'] : words;
}
