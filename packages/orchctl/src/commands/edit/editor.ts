import { messageOf, namesFor, namings } from '@orch/machinery';
import { runChildProgram } from '../../child-program.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';

/** Opens a file in the editor of the environment and resolves when it has ended. Rejects with a `CommandError` when it fails. */
export async function openEditor(path: string, io: Io, signal: AbortSignal): Promise<void> {
  const argv = editorArguments(path, io);
  const text = JSON.stringify(argv.join(' '));
  let status: number;
  try {
    status = await runChildProgram(argv, io, signal);
  } catch (error) {
    throw new CommandError(`unable to launch the editor ${text}: ${messageOf(error)}`, { cause: error });
  }
  signal.throwIfAborted();
  if (status !== 0)
    throw new CommandError(`there was a problem with the editor ${text}: exit status ${status}`);
}

/** The command line of the editor. A shell reads one with quotation marks; blanks split others. */
function editorArguments(path: string, { environment }: Io): readonly string[] {
  const variables = [...namings.map((naming) => namesFor(naming).environment.editor), 'EDITOR'];
  const editor =
    variables.map((name) => environment[name]?.trim() ?? '').find((value) => value !== '') ?? 'vi';
  if (!/["'\\]/.test(editor)) return [...editor.split(/\s+/), path];
  const shell = environment['SHELL'] ?? '';
  return [shell === '' ? '/bin/sh' : shell, '-c', `${editor} '${path.replaceAll("'", `'\\''`)}'`];
}
