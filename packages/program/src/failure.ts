/** Why a program cannot start or go on, in one line for the person who started it. Exit status 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
