/** A client configuration that cannot be used. The message names the file and the member, and never holds a secret. */
export class ConfigError extends Error {
  /** Where the problem is; absent when it is in no single file. */
  readonly file: string | undefined;
  /** Path of the member within the file: `users[1].user.exec.command`; absent when it is the file as a whole. */
  readonly member: string | undefined;

  constructor(
    problem: string,
    place: { readonly file?: string | undefined; readonly member?: string | undefined } = {},
  ) {
    super([place.file, place.member, problem].filter((part) => part !== undefined && part !== '').join(': '));
    this.name = 'ConfigError';
    this.file = place.file;
    this.member = place.member;
  }
}
