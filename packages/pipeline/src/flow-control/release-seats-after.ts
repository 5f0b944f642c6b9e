import type { Clock } from '@orch/machinery';
import type { BodySink, Reply, StreamSignals } from '@orch/request';

/** Longest time that seats are held while an answer is written: a client that reads slowly must not keep them. */
const MAX_HELD_MS = 1000;

/** Keeps seats while an answer is being written, or the beginning of a watch. */
export function releaseSeatsAfter(
  reply: Reply,
  { clock, release }: { readonly clock: Clock; readonly release: () => void },
): Reply {
  const cancel = clock.schedule(MAX_HELD_MS, release);
  const end = (): void => {
    cancel();
    release();
  };
  switch (reply.kind) {
    case 'chunks':
      return {
        ...reply,
        onSent(bytes, isComplete) {
          end();
          reply.onSent?.(bytes, isComplete);
        },
      };
    case 'stream':
      return {
        ...reply,
        run(sink: BodySink, signals: StreamSignals) {
          // What a watch begins with is written before it first waits for anything.
          try {
            return reply.run(sink, signals);
          } finally {
            end();
          }
        },
      };
    case 'bytes':
    case 'upgrade':
      end();
      return reply;
  }
}
