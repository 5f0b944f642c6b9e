/** An invalid client configuration. The message names the file and the field, and never contains a secret. */
export class ConfigError extends Error {
  /** The file with the problem; absent when it is not in a single file. */
  readonly file: string | undefined;
  /** Path of the field within the file: `users[1].user.exec.command`; absent for the file as a whole. */
  readonly field: string | undefined;

  constructor(
    problem: string,
    place: { readonly file?: string | undefined; readonly field?: string | undefined } = {},
  ) {
    super([place.file, place.field, problem].filter((part) => part !== undefined && part !== '').join(': '));
    this.name = 'ConfigError';
    this.file = place.file;
    this.field = place.field;
  }
}
