import { whenFulfilled, whenRejected } from '@orch/machinery';
import type { Answer, Handler, Received, Reply, Stage } from '@orch/request';
import { failSpan, type SpanStart, type Tracing } from './tracing.ts';

/** A stage whose own work is a span: it ends when the stage hands on, answers or refuses. */
export function tracedStage<In extends Received, Out extends In>(
  tracing: Tracing | undefined,
  name: string,
  stage: Stage<In, Out>,
): Stage<In, Out> {
  if (tracing === undefined) return stage;
  const start: SpanStart = { name, kind: 'internal' };
  return (context, next) => {
    const outer = tracing.active();
    const { span, context: inner } = tracing.begin(start);
    let isOpen = true;
    const end = (): void => {
      if (isOpen) span.end();
      isOpen = false;
    };
    const fail = (error: unknown): never => {
      if (isOpen) failSpan(span, error);
      end();
      throw error;
    };
    const handOn: Handler<Out> = (widened) => {
      end();
      return tracing.within(outer, () => next(widened));
    };
    return observed(() => tracing.within(inner, () => stage(context, handOn)), end, fail);
  };
}

/** A handler that is a span until it has its answer, for those contexts that `startOf` has a name for. */
export function tracedHandler<Context>(
  tracing: Tracing | undefined,
  startOf: (context: Context) => SpanStart | undefined,
  handler: Handler<Context>,
): Handler<Context> {
  if (tracing === undefined) return handler;
  return (context) => {
    const start = startOf(context);
    if (start === undefined) return handler(context);
    const { span, context: inner } = tracing.begin(start);
    const fail = (error: unknown): never => {
      failSpan(span, error);
      span.end();
      throw error;
    };
    return observed(
      () => tracing.within(inner, () => handler(context)),
      () => span.end(),
      fail,
    );
  };
}

/** Keeps what answers at once from waiting for a promise. */
function observed(work: () => Answer, end: () => void, fail: (error: unknown) => never): Answer {
  let answer: Answer;
  try {
    answer = work();
  } catch (error) {
    return fail(error);
  }
  return whenFulfilled(whenRejected(answer, fail), ended, end);
}

function ended(reply: Reply, end: () => void): Reply {
  end();
  return reply;
}
