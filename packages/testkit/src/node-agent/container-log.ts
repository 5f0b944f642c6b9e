import type { ServerResponse } from 'node:http';

export interface ContainerLog {
  add(line: string): void;
  serve(asked: URLSearchParams, response: ServerResponse): void;
}

/** The log of a container: three lines at first, and those of the run before it. */
export function containerLog(): ContainerLog {
  const lines = ['line 1', 'line 2', 'line 3'];
  const following = new Set<ServerResponse>();
  return {
    add(line) {
      lines.push(line);
      for (const response of following) response.write(`${line}\n`);
    },
    serve(asked, response) {
      const all = asked.get('previous') === 'true' ? ['earlier line'] : lines;
      const tail = asked.get('tailLines');
      const chosen = tail === null ? all : all.slice(Math.max(0, all.length - Number(tail)));
      const stamp = asked.get('timestamps') === 'true' ? '2024-01-01T00:00:00.000000000Z ' : '';
      const text = Buffer.from(chosen.map((line) => `${stamp}${line}\n`).join(''));
      const limit = asked.get('limitBytes');
      response.setHeader('Content-Type', 'text/plain');
      response.write(limit === null ? text : text.subarray(0, Number(limit)));
      if (asked.get('follow') !== 'true') {
        response.end();
        return;
      }
      following.add(response);
      response.on('close', () => following.delete(response));
    },
  };
}
