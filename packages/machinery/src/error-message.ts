/** The advice that the runtime appends to a message about a certificate. */
const RUNTIME_ADVICE = /; if the root CA is installed locally, try running Node\.js with --use-system-ca$/;

/** Returns the message of a caught value of any type, without the advice of the runtime. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(RUNTIME_ADVICE, '') : String(error);
