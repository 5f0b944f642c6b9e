/** Why a program cannot start or go on, in one line for the person who started it. Exit status 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
