import type { DeniedStatus, StatusCause, StatusDetails } from '@orch/machinery';
import { asText, isJsonObject } from '@orch/machinery/json';

const LEAST_CODE = 400;
const MOST_CODE = 599;

/** Parses `response.status`. A code that does not denote a failure becomes 400. */
export function deniedStatus(status: unknown): DeniedStatus {
  const { code, message, reason, details } = isJsonObject(status) ? status : {};
  const isFailure = Number.isInteger(code) && Number(code) >= LEAST_CODE && Number(code) <= MOST_CODE;
  return {
    code: isFailure ? Number(code) : LEAST_CODE,
    message: asText(message),
    reason: asText(reason),
    details: detailsOf(details),
  };
}

/** The known fields of details that have their type. */
function detailsOf(details: unknown): StatusDetails | undefined {
  if (!isJsonObject(details)) return undefined;
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return {
    ...texts({ name, group, kind, uid }),
    ...(Array.isArray(causes) ? { causes: causes.filter(isJsonObject).map(causeOf) } : {}),
    ...(Number.isInteger(retryAfterSeconds) && Number(retryAfterSeconds) > 0
      ? { retryAfterSeconds: Number(retryAfterSeconds) }
      : {}),
  };
}

const causeOf = ({ reason, message, field }: Readonly<Record<string, unknown>>): StatusCause =>
  texts({ reason, message, field });

const texts = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
    ),
  );
