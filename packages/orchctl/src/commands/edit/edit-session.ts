import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import {
  type EditReason,
  hasContent,
  headerOf,
  isSameContent,
  readObjects,
  withoutHeader,
} from './edit-text.ts';
import { openEditor } from './editor.ts';
import type { EditOutcome } from './write-edits.ts';

export interface EditSessionOptions {
  readonly format: 'yaml' | 'json';
  /** The objects as the editor opens them. */
  readonly text: string;
  readonly lineEnd: '\n' | '\r\n';
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Reports whether an object was written: restoring the original text is then a change. */
  hasWritten(): boolean;
  write(objects: readonly JsonObject[]): Promise<EditOutcome>;
}

/**
 * Opens a string in the editor until its objects are written or the edit is cancelled; resolves with the exit status. The file, in a
 * folder that only this user can read, is kept and named on a failure.
 */
export async function editUntilWritten(options: EditSessionOptions): Promise<number> {
  const folder = mkdtempSync(join(options.io.environment['TMPDIR'] ?? tmpdir(), 'orchctl-edit-'));
  const path = join(folder, `edit.${options.format}`);
  try {
    const { status, keeps = false } = await editFile(path, options);
    if (!keeps) rmSync(folder, { recursive: true, force: true });
    return status;
  } catch (error) {
    options.io.err.write(`A copy of your changes has been stored to ${JSON.stringify(path)}\n`);
    throw error;
  }
}

interface EditEnd {
  readonly status: number;
  readonly keeps?: boolean;
}

async function editFile(path: string, options: EditSessionOptions): Promise<EditEnd> {
  const { text: original, io } = options;
  let [text, reasons]: [string, readonly EditReason[]] = [original, []];
  for (;;) {
    const edited = await editedText(path, { ...options, text }, reasons);
    if (reasons.length > 0 && isSameContent(edited, text))
      throw new CommandError('Edit cancelled, no valid changes were saved.');
    const cancelled = cancellation(edited, options);
    if (cancelled !== undefined) {
      io.err.write(`Edit cancelled, ${cancelled}.\n`);
      return { status: 0 };
    }
    text = edited;
    const read = readObjects(edited);
    if (read.problem !== undefined) {
      reasons = [{ text: `The edited file had a syntax error: ${read.problem}`, details: [] }];
      continue;
    }
    const outcome = await options.write(read.objects);
    const end = endOf(outcome, path, io);
    if (end !== undefined) return end;
    reasons = outcome.invalid;
  }
}

/** The reason why nothing is written. */
function cancellation(edited: string, { text, hasWritten }: EditSessionOptions): string | undefined {
  if (!hasWritten() && isSameContent(edited, text)) return 'no changes made';
  return hasContent(edited) ? undefined : 'saved file was empty';
}

/** One pass through the editor. */
async function editedText(
  path: string,
  { format, text, lineEnd, io, signal }: EditSessionOptions,
  reasons: readonly EditReason[],
): Promise<string> {
  const header = headerOf(format, reasons);
  const content = [...header, text].join('\n').replaceAll('\n', lineEnd);
  writeFileSync(path, content, { mode: 0o600 });
  await openEditor(path, io, signal);
  return withoutHeader(readFileSync(path, 'utf8').replaceAll('\r\n', '\n'), header);
}

/** Undefined when the editor opens again. */
function endOf({ isRefused, isGone, invalid }: EditOutcome, path: string, { err }: Io): EditEnd | undefined {
  if (isRefused) {
    err.write(`You can run \`orchctl replace -f ${path}\` to try this update again.\n`);
    return { status: 1, keeps: true };
  }
  if (isGone) {
    err.write(`The edits you made on deleted resources have been saved to ${JSON.stringify(path)}\n`);
    return { status: 1, keeps: true };
  }
  return invalid.length === 0 ? { status: 0 } : undefined;
}
