import type { Status, StatusCause } from '@orch/machinery';
import { asNumber, asObject, asObjects, asText, isJsonObject, type JsonObject } from '@orch/machinery/json';

/** Maximum part of an answer that is not a Status in a message. */
const MAX_TEXT_CHARS = 1024;

/** The Status of a failed answer, or one that quotes an answer of another form. */
export function failureStatus(code: number, text: string): Status {
  const found = statusIn(text);
  if (found !== undefined) return readStatus(found, code);
  const message = text.trim().slice(0, MAX_TEXT_CHARS) || `the server responded ${code}`;
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code };
}

/** The known fields of a Status. `code`: if it has none. */
export function readStatus(value: JsonObject, code: number): Status {
  const details = asObject(value['details']);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: asText(value['message']),
    reason: asText(value['reason']),
    details: {
      name: asText(details['name']),
      kind: asText(details['kind']),
      causes: asObjects(details['causes']).map(causeIn),
    },
    code: asNumber(value['code']) || code,
  };
}

const causeIn = (cause: JsonObject): StatusCause => ({
  reason: asText(cause['reason']),
  message: asText(cause['message']),
  field: asText(cause['field']),
});

function statusIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && value['kind'] === 'Status' ? value : undefined;
  } catch {
    return undefined;
  }
}
