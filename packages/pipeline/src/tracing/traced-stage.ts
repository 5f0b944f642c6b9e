import { whenFulfilled, whenRejected } from '@orch/machinery/concurrency';
import type { Answer, Handler, Received, Reply, Stage } from '@orch/request';
import { failSpan, type SpanStart, type Tracing } from './tracing.ts';

/** A stage with a span, which ends when the stage calls the next one, replies or refuses. */
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

/** A handler with a span until its reply, for contexts for which `startOf` returns a span. */
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

/** Keeps synchronous replies synchronous. */
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
