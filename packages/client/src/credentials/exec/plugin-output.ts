import { isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';
import { timeMs } from '@orch/machinery/time';
import { problemOfPair } from '../../files/pem.ts';
import { CredentialError } from '../credential-error.ts';
import { bearer, isToken } from '../fixed.ts';
import type { Found } from '../renewed.ts';
import type { Identity } from '../types.ts';

/** The expected version and the name for errors. */
export interface Expected {
  readonly command: string;
  readonly apiVersion: string;
}

type Pair = NonNullable<Identity['tls']>;
/**
 * Parses the ExecCredential of a plugin (access control, 2.3): a token, a certificate with its key, or both. Throws a
 * CredentialError with the reason, which contains no values except the type.
 */
export function readPluginOutput(output: Uint8Array, expected: Expected): Found {
  const parsed = new PluginOutput(expected);
  const status = parsed.statusOf(output);
  const token = parsed.text(status, 'token');
  const tls = parsed.pairOf(status);
  if (token === undefined && tls === undefined)
    parsed.fail('status has neither a token nor a certificate and its key');
  if (token !== undefined && !isToken(token))
    parsed.fail('status.token contains characters that a token cannot have');
  const expiresAt = parsed.timeOf(status);
  return {
    identity: {
      headers: token === undefined ? {} : bearer(token).headers,
      ...(tls !== undefined && { tls }),
    },
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

class PluginOutput {
  readonly #expected: Expected;

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  // Without a cause, which may contain the output.
  fail(problem: string): never {
    throw new CredentialError(
      `exec plugin ${this.#expected.command}: what it printed cannot be used: ${problem}`,
    );
  }

  statusOf(output: Uint8Array): JsonObject {
    const value = this.#parse(output);
    if (!isJsonObject(value)) return this.fail('it is not an object');
    this.#checkType(value, 'kind', 'ExecCredential');
    this.#checkType(value, 'apiVersion', this.#expected.apiVersion);
    const status = own(value, 'status');
    if (status === undefined) return this.fail('it has no status');
    return isJsonObject(status) ? status : this.fail('status is not an object');
  }

  #parse(output: Uint8Array): unknown {
    if (output.byteLength === 0) return this.fail('it is empty');
    try {
      return parseJson(withoutMark(output));
    } catch {
      return this.fail('it is not JSON');
    }
  }

  #checkType(value: JsonObject, field: 'kind' | 'apiVersion', expected: string): void {
    const found = own(value, field);
    if (found === expected) return;
    // A string without the format of a type may be a secret.
    const isPublic =
      typeof found === 'string' && /^[A-Za-z][A-Za-z0-9.-]{0,100}(?:\/v[0-9a-z]{1,20})?$/.test(found);
    const actual = isPublic ? found : found === undefined ? 'absent' : 'something else';
    this.fail(`${field} must be ${expected}, and is ${actual}`);
  }

  /** Absent, null and empty string are equivalent. */
  text(status: JsonObject, field: string): string | undefined {
    const value = own(status, field);
    if (value === undefined || value === '') return undefined;
    return typeof value === 'string' ? value : this.fail(`status.${field} is not a string`);
  }

  pairOf(status: JsonObject): Pair | undefined {
    const cert = this.text(status, 'clientCertificateData');
    const key = this.text(status, 'clientKeyData');
    if (cert === undefined && key === undefined) return undefined;
    if (cert === undefined)
      return this.fail('status.clientKeyData is there without status.clientCertificateData');
    if (key === undefined)
      return this.fail('status.clientCertificateData is there without status.clientKeyData');
    const problem = problemOfPair({ cert, key });
    if (problem === undefined) return { cert, key };
    const field = problem.of === 'cert' ? 'clientCertificateData' : 'clientKeyData';
    return this.fail(`status.${field} ${problem.problem}`);
  }

  timeOf(status: JsonObject): number | undefined {
    const text = this.text(status, 'expirationTimestamp');
    if (text === undefined) return undefined;
    return timeMs(text) ?? this.fail('status.expirationTimestamp is not a time as of RFC 3339');
  }
}

/** The output without the byte order mark that shells of Windows begin a string with. */
const withoutMark = (output: Uint8Array): Uint8Array =>
  output[0] === 0xef && output[1] === 0xbb && output[2] === 0xbf ? output.subarray(3) : output;

const own = (value: JsonObject, field: string): unknown =>
  Object.hasOwn(value, field) ? (value[field] ?? undefined) : undefined;
