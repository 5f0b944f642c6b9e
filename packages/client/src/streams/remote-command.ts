import type { Status } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { readStatus } from '../rest/failures.ts';
import { TransportError } from '../transport/transport.ts';
import type { CommandOutcome, CommandStreams, TerminalSize } from './command-streams.ts';
import type { WebSocketConnection } from './web-socket.ts';

/** The first byte of each message. */
const channel = { input: 0, out: 1, err: 2, error: 3, resize: 4, close: 255 } as const;
/** Maximum size of one message of input. */
const MAX_INPUT_BYTES = 32 * 1024;

/**
 * Exchanges the streams of a command over an open connection until the command has ended. `canEndInput`: the protocol can
 * transmit the end of the input (version 5).
 */
export async function runRemoteCommand(
  socket: WebSocketConnection,
  streams: CommandStreams,
  canEndInput: boolean,
): Promise<CommandOutcome> {
  const stopResizes = streams.onResize?.((size) => void socket.send(resizeMessage(size)));
  const input = streams.input === undefined ? undefined : new InputPump(socket, streams.input, canEndInput);
  let status: Status | undefined;
  try {
    for await (const message of socket.messages()) {
      const data = message.subarray(1);
      if (message[0] === channel.out) await streams.out(data);
      else if (message[0] === channel.err) await streams.err(data);
      else if (message[0] === channel.error && data.length > 0) status = statusIn(data);
    }
  } catch (error) {
    // The result is the last message; how the connection ends afterwards is irrelevant.
    if (status === undefined) throw error;
  } finally {
    stopResizes?.();
    input?.stop();
    socket.close();
  }
  return outcomeOf(status);
}

/** Sends the input of a command. */
class InputPump {
  readonly #socket: WebSocketConnection;
  readonly #iterator: AsyncIterator<Uint8Array>;
  #isStopped = false;

  constructor(socket: WebSocketConnection, input: AsyncIterable<Uint8Array>, canEndInput: boolean) {
    this.#socket = socket;
    this.#iterator = input[Symbol.asyncIterator]();
    // A failure to read the input ends it; the command then ends as it sees fit.
    this.#run()
      .catch(() => {})
      .then(() => {
        if (canEndInput && !this.#isStopped) return socket.send(Buffer.from([channel.close, channel.input]));
      });
  }

  async #run(): Promise<void> {
    for (;;) {
      const next = await this.#iterator.next();
      if (next.done === true || this.#isStopped) return;
      for (let start = 0; start < next.value.byteLength; start += MAX_INPUT_BYTES) {
        const part = next.value.subarray(start, start + MAX_INPUT_BYTES);
        await this.#socket.send(Buffer.concat([Buffer.from([channel.input]), part]));
      }
    }
  }

  /** Sends nothing further. A read in progress is not awaited: a terminal may never deliver another byte. */
  stop(): void {
    this.#isStopped = true;
  }
}

const resizeMessage = ({ columns, rows }: TerminalSize): Buffer =>
  Buffer.concat([
    Buffer.from([channel.resize]),
    Buffer.from(JSON.stringify({ Width: columns, Height: rows })),
  ]);

function statusIn(data: Buffer): Status | undefined {
  try {
    // The status of a node agent has no kind.
    return readStatus({ ...(parseJson(data) as object), kind: 'Status' }, 500);
  } catch {
    return undefined;
  }
}

function outcomeOf(status: Status | undefined): CommandOutcome {
  if (status === undefined) throw new TransportError('unknown', 'the command ended without a result');
  if (status.status === 'Success') return { exitCode: 0 };
  const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode');
  const exitCode = Number(cause?.message);
  if (status.reason === 'NonZeroExitCode' && Number.isInteger(exitCode)) return { exitCode };
  return { exitCode: undefined, message: status.message ?? 'the command failed' };
}
