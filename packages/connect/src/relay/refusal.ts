import { type ApiError, errors } from '@orch/machinery';
import type { PlainAnswer } from '@orch/outbound';

/**
 * The error for a node agent that answers with an unexpected status. Its text becomes part of the message of a
 * Status and is never passed on as an answer, whatever it contains.
 */
export async function refusalOf(answer: PlainAnswer, title: string, limitBytes: number): Promise<ApiError> {
  const text = await bodyText(answer, limitBytes);
  const { status } = answer;
  if (status >= 300 && status < 400) {
    return errors.plain(502, `${title} answered with a redirect (${status}), which is not followed`);
  }
  if (status === 401 || status === 403) {
    return errors.plain(502, `${title} refused the credentials of this server (${status}): ${text}`);
  }
  if (status === 400) return errors.badRequest(text);
  if (status === 404) return errors.plain(404, `${title} answered: ${text}`);
  if (status === 500) return errors.internal(undefined, `${title} failed: ${text}`);
  if (status === 503) return errors.serviceUnavailable(`${title} answered: ${text}`, 0);
  if (status === 504) return errors.timeout(`${title} answered: ${text}`);
  return errors.plain(502, `${title} answered with status ${status}: ${text}`);
}

/** The beginning of the body as one line of readable text. */
async function bodyText({ body, close }: PlainAnswer, limitBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece as Buffer);
      size += (piece as Buffer).length;
      if (size >= limitBytes) break;
    }
  } catch {
    // The text received so far is sufficient.
  }
  close();
  const text = Buffer.concat(pieces).subarray(0, limitBytes).toString();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]+/g, ' ').trim() || 'no reason given';
}
