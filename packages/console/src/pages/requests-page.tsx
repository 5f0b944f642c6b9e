import { explainRequests } from '../api/why.ts';
import { ExplainedRequestLine } from '../parts/explained-request.tsx';
import { Failure } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useNow } from '../parts/use-now.ts';
import type { ToolProps } from './tool.ts';

const lists = [
  { is: 'refused', title: 'Refused', about: 'By authorization, admission, flow control, or as invalid.' },
  { is: 'slow', title: 'Slow', about: 'Half a second or more.' },
] as const;

/** The latest requests that were refused or slow, with the causes. */
export const RequestsPage = (props: ToolProps) => (
  <main class="page object" aria-labelledby="title">
    <header>
      <h1 id="title">Refused and slow requests</h1>
    </header>
    <p>
      What the server that answers remembers of your requests, and of those of others if you may see them. The
      list is read again every ten seconds.
    </p>
    {lists.map((list) => (
      <RequestList key={list.is} {...props} {...list} />
    ))}
  </main>
);

function RequestList({
  session: { connection },
  kinds,
  is,
  title,
  about,
}: ToolProps & (typeof lists)[number]) {
  const nowMs = useNow();
  const answer = useAnswer(`${is} ${nowMs}`, (signal) => explainRequests(connection, is, signal), {
    keepsEarlier: true,
  });
  return (
    <section aria-labelledby={`${is}-title`} id={is}>
      <h2 id={`${is}-title`}>{title}</h2>
      <p class="quiet">{about}</p>
      {answer.kind === 'waiting' ? (
        <p role="status">The server is asked.</p>
      ) : answer.kind === 'failed' ? (
        <Failure problem={answer.problem} />
      ) : answer.value === undefined ? (
        <p>This server does not explain.</p>
      ) : answer.value.length === 0 ? (
        <p>None is remembered.</p>
      ) : (
        answer.value.map((request) => (
          <ExplainedRequestLine key={request.auditId} {...{ request, kinds, nowMs }} />
        ))
      )}
    </section>
  );
}
