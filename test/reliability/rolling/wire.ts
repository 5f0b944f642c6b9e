/** The outcome of a request. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** The connection was closed before the answer: the request was executed or not. */
  | { readonly kind: 'closed'; readonly reason: string };

/** Requests of many clients to one balancer, over one version of HTTP. */
export interface Wire extends Disposable {
  /** Requests that the server reported as not processed, and that were sent again. */
  readonly resent: number;
  request(method: string, path: string, body?: RequestBody): Promise<Outcome>;
  /** Calls `onLine` for each line of a watch until it ends; the status is that of the answer. */
  watch(path: string, onLine: (line: string) => void): Promise<Outcome>;
}

export interface RequestBody {
  readonly type: string;
  readonly text: string;
}

export interface WireOptions {
  readonly server: string;
  readonly ca: Buffer;
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
}

export const headersOf = (body: RequestBody | undefined): Record<string, string> =>
  body === undefined
    ? {}
    : { 'content-type': body.type, 'content-length': String(Buffer.byteLength(body.text)) };

/** Splits what a watch receives into lines. */
export function lineReader(onLine: (line: string) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') onLine(line);
  };
}
