import { ConfigError, CopyError, CredentialError, RefusedRequest, TransportError } from '@orch/client';
import { ApiError, messageOf } from '@orch/machinery';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';

/** The report of a failed command. */
export interface FailureReport {
  /** Lines for standard error. */
  readonly text: string;
  readonly exitStatus: number;
}

/** The report of a failure: statuses of the server as kubectl reports them, then those of this program. */
export function reportFailure(error: unknown): FailureReport {
  if (error instanceof UsageError) return { text: `error: ${error.message}`, exitStatus: 2 };
  if (error instanceof CommandError) return { text: `error: ${error.message}`, exitStatus: error.exitStatus };
  if (error instanceof RefusedRequest) return { text: `error: ${error.message}`, exitStatus: 1 };
  if (error instanceof ApiError) return { text: statusText(error), exitStatus: 1 };
  if (error instanceof TransportError) return { text: transportText(error), exitStatus: 1 };
  if (error instanceof CredentialError && error.kind === 'loginNeeded')
    return { text: `error: ${error.message}; run "orchctl login"`, exitStatus: 1 };
  if (error instanceof CopyError || error instanceof ConfigError || error instanceof CredentialError)
    return { text: `error: ${error.message}`, exitStatus: 1 };
  const detail = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  return { text: `unexpected failure: ${detail}`, exitStatus: 1 };
}

function statusText({ status }: ApiError): string {
  const reason = status.reason ?? '';
  const message = status.message ?? '';
  if (reason === 'Unauthorized')
    return `error: You must be logged in to the server (${message === '' ? reason : message})`;
  if (reason === 'Invalid') return invalidText(status);
  return reason === '' ? `Error from server: ${message}` : `Error from server (${reason}): ${message}`;
}

/** The reasons why an object or a request is refused: several causes are a list. */
function invalidText({ message = '', details }: ApiError['status']): string {
  const { kind = '', name = '', causes = [] } = details ?? {};
  const isObject = kind !== '' || name !== '';
  const subject = isObject ? `The ${kind} ${JSON.stringify(name)} is invalid` : 'The request is invalid';
  if (causes.length === 0) return isObject ? `The ${message}` : `${subject}: ${message}`;
  const lines = causes.map((cause) =>
    cause.field === undefined || cause.field === '' ? cause.message : `${cause.field}: ${cause.message}`,
  );
  return lines.length === 1
    ? `${subject}: ${lines[0]}`
    : [`${subject}: `, ...lines.map((line) => `* ${line}`)].join('\n');
}

/** A lost connection leaves open whether a write was carried out, which the user must know. */
function transportText({ outcome, message, cause }: TransportError): string {
  if (outcome === 'notSent')
    return `The connection to the server failed: ${message}\n${isUntrusted(cause) ? CHECK_TRUST : CHECK_ADDRESS}`;
  if (outcome === 'noEffect') return `The connection to the server failed: ${message}`;
  return `The connection to the server failed, and it is unknown whether the request was carried out: ${message}\n${READ_FIRST}`;
}

const isUntrusted = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && CERTIFICATE_PROBLEM.test(String(cause.code));

/** Codes of errors about the certificate of a server that answers. */
const CERTIFICATE_PROBLEM = /^UNABLE_TO_(GET_ISSUER|VERIFY)|SELF_SIGNED_CERT|^CERT_|^ERR_TLS_CERT/;
const CHECK_TRUST =
  'Check the address of the server and the certificate authority that it needs: orchctl config view --minify';
const CHECK_ADDRESS = 'Check that the server runs, and its address: orchctl config view --minify';
const READ_FIRST = 'Read the object again before you repeat a write.';
