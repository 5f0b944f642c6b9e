import { type FieldError, fieldError } from '@orch/machinery';

/** What a server does with the parameter `stream` of requests for logs. */
export type LogStreams = 'selectable' | 'forbidden' | 'ignored';

const names = ['All', 'Stderr', 'Stdout'];

/** The problems of a stream that was asked for; `tailLines` is the number of lines at the end of the log. */
export function streamProblems(
  streams: LogStreams,
  stream: string,
  tailLines: number | undefined,
): readonly FieldError[] {
  if (streams === 'forbidden')
    return [fieldError.forbidden('stream', 'it requires the feature gate PodLogsQuerySplitStreams')];
  if (!names.includes(stream)) return [fieldError.notSupported('stream', stream, names)];
  return stream !== 'All' && tailLines !== undefined
    ? [fieldError.forbidden('', '`tailLines` may only be combined with the stream `All`')]
    : [];
}
