import { type ObjectPlace, pathOf } from '../api/objects.ts';

/** A command in a container, with a terminal. */
export interface ShellChoice {
  readonly place: ObjectPlace;
  readonly container: string;
  readonly command: readonly string[];
}

/** The path and query of a command. */
export function execTarget({ place, container, command }: ShellChoice): string {
  const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', tty: 'true' });
  for (const word of command) query.append('command', word);
  return `${pathOf(place)}/exec?${query}`;
}
