import { type ApiError, errors } from '@orch/machinery';
import type { BackendAnswer } from './backend.ts';

type Answer = Extract<BackendAnswer, { kind: 'answer' }>;

/**
 * What the client is told when a node agent answers with anything but what was asked of it. The agent's words are
 * passed on as text inside a Status and never as an answer: whatever they look like, they cannot be read as one.
 */
export async function refusalOf(answer: Answer, title: string, limitBytes: number): Promise<ApiError> {
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

/** The beginning of the body as one readable text. */
async function bodyText({ body, close }: Answer, limitBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece as Buffer);
      size += (piece as Buffer).length;
      if (size >= limitBytes) break;
    }
  } catch {
    // What came of it says enough.
  }
  close();
  const text = Buffer.concat(pieces).subarray(0, limitBytes).toString();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]+/g, ' ').trim() || 'no reason given';
}
