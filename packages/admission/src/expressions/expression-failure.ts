import type { AdmissionAttributes } from '../types.ts';

/** The reason why expressions decide nothing about a write. */
export interface ExpressionFailure {
  readonly message: string;
  /** The message for objects that hold credentials, where `message` may contain values of them. */
  readonly withoutValues?: string;
}

/** The failure of an evaluation. The error may repeat values, such as a string that is not a number. */
export const failedExpression = (expression: string, error: string): ExpressionFailure => ({
  message: `expression '${expression}' resulted in error: ${error}`,
  withoutValues: `expression '${expression}' resulted in error`,
});

/** The message of a failure that the client, and the audit log at any level, may receive. */
export const messageFor = (
  { requested }: Pick<AdmissionAttributes, 'requested'>,
  { message, withoutValues = message }: ExpressionFailure,
): string => (requested.holdsCredentials ? withoutValues : message);
