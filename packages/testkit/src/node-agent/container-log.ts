import type { ServerResponse } from 'node:http';

export interface ContainerLog {
  add(line: string): void;
  /** Ends the connections that follow it. */
  cut(): void;
  serve(asked: URLSearchParams, response: ServerResponse): void;
}

interface Line {
  readonly time: string;
  readonly text: string;
}

/** One line a second. */
const lineOf = (text: string, place: number): Line => ({
  time: new Date(Date.UTC(2024, 0, 1, 0, 0, place)).toISOString().replace(/Z$/, '000000Z'),
  text,
});

const written = ({ time, text }: Line, asked: URLSearchParams): string =>
  `${asked.get('timestamps') === 'true' ? `${time} ` : ''}${text}\n`;

/** The log of a container: three lines at first, and those of the run before it. */
export function containerLog(): ContainerLog {
  const lines = ['line 1', 'line 2', 'line 3'].map(lineOf);
  const following = new Map<ServerResponse, URLSearchParams>();
  return {
    add(text) {
      const line = lineOf(text, lines.length);
      lines.push(line);
      for (const [response, asked] of following) response.write(written(line, asked));
    },
    cut() {
      for (const response of following.keys()) response.destroy();
    },
    serve(asked, response) {
      const all = asked.get('previous') === 'true' ? ['earlier line'].map(lineOf) : lines;
      const since = asked.get('sinceTime') ?? '';
      const tail = asked.get('tailLines');
      const chosen = all
        .slice(tail === null ? 0 : Math.max(0, all.length - Number(tail)))
        .filter(({ time }) => Date.parse(time) >= (Date.parse(since) || 0));
      const text = Buffer.from(chosen.map((line) => written(line, asked)).join(''));
      const limit = asked.get('limitBytes');
      response.setHeader('Content-Type', 'text/plain');
      response.write(limit === null ? text : text.subarray(0, Number(limit)));
      if (asked.get('follow') !== 'true') {
        response.end();
        return;
      }
      following.set(response, asked);
      response.on('close', () => following.delete(response));
    },
  };
}
