/** The reason why a program cannot start or continue, in one line for the person who started it. Exit status 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
