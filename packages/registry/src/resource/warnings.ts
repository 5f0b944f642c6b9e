import { type Answer, FailedWithHeaders, type Reply } from '@orch/request';

/** Values of `Warning` headers, in addition to those of the reply; read when the reply is complete. */
type Warnings = () => readonly string[];

/** Serves a request and prepends warnings to those of its reply, also when it fails. */
export function withWarnings(serve: () => Answer, warnings: Warnings): Answer {
  try {
    const answer = serve();
    return answer instanceof Promise ? warnedLater(answer, warnings) : warned(answer, warnings);
  } catch (cause) {
    return failed(cause, warnings);
  }
}

// A separate function: a closure in the function above would make every call allocate the scope that it captures.
const warnedLater = (answer: Promise<Reply>, warnings: Warnings): Promise<Reply> =>
  answer.then(
    (reply) => warned(reply, warnings),
    (cause: unknown) => failed(cause, warnings),
  );

function failed(cause: unknown, warnings: Warnings): never {
  const values = warnings();
  throw values.length === 0 ? cause : new FailedWithHeaders(cause, { Warning: values });
}

function warned(reply: Reply, warnings: Warnings): Reply {
  const values = warnings();
  if (values.length === 0) return reply;
  const others = reply.headers['Warning'] ?? [];
  const Warning = [...values, ...(typeof others === 'string' ? [others] : others)];
  return { ...reply, headers: { ...reply.headers, Warning } };
}
