/** Advice of the runtime to its own users, behind a message about a certificate. */
const RUNTIME_ADVICE = /; if the root CA is installed locally, try running Node\.js with --use-system-ca$/;

/** The message of a caught value, which may be anything, without advice about the runtime. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(RUNTIME_ADVICE, '') : String(error);
