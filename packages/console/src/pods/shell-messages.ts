import { asObject, asObjects, asText } from '@orch/machinery/json';

/** The first byte of each message (streams of commands, versions 4 and 5). */
const channel = { input: 0, out: 1, err: 2, result: 3, resize: 4 } as const;

/** A message of a command. */
export type ShellMessage =
  | { readonly kind: 'output'; readonly data: Uint8Array }
  | { readonly kind: 'result'; readonly text: string };

/** Reads a message; undefined for one of another channel. */
export function shellMessage(bytes: Uint8Array): ShellMessage | undefined {
  const data = bytes.subarray(1);
  switch (bytes[0]) {
    case channel.out:
    case channel.err:
      return { kind: 'output', data };
    case channel.result:
      return data.length === 0 ? undefined : { kind: 'result', text: resultText(data) };
    default:
      return undefined;
  }
}

export const inputMessage = (text: string): Uint8Array<ArrayBuffer> => message(channel.input, text);

export const resizeMessage = (columns: number, rows: number): Uint8Array<ArrayBuffer> =>
  message(channel.resize, JSON.stringify({ Width: columns, Height: rows }));

const message = (to: number, text: string): Uint8Array<ArrayBuffer> => {
  const data = new TextEncoder().encode(text);
  const all = new Uint8Array(data.length + 1);
  all[0] = to;
  all.set(data, 1);
  return all;
};

function resultText(data: Uint8Array): string {
  let status: unknown;
  try {
    status = JSON.parse(new TextDecoder().decode(data));
  } catch {
    return 'The command has ended.';
  }
  const { status: outcome, reason, message: text, details } = asObject(status);
  if (outcome === 'Success') return 'The command has ended.';
  const causes = asObjects(asObject(details)['causes']);
  const code = asText(causes.find((cause) => cause['reason'] === 'ExitCode')?.['message']);
  if (reason === 'NonZeroExitCode' && code !== '') return `The command has ended with exit code ${code}.`;
  return `The command could not be run: ${asText(text)}`;
}
