import type { Clock } from '@orch/machinery';
import type { BodySink, Reply, StreamSignals } from '@orch/request';

/** Maximum time that seats are held while a reply is written: a slow client must not keep them. */
const MAX_HELD_MS = 1000;

/** Releases seats when a reply was written, or a watch has begun. */
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
          // The initial events of a watch are written before its first wait.
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
