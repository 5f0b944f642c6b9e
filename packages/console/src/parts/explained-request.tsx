import type { Kinds } from '../api/discovery.ts';
import type { ExplainedRequest } from '../api/why.ts';
import { Causes } from './causes.tsx';
import { Ago } from './object-parts.tsx';

export interface ExplainedRequestLineProps {
  readonly request: ExplainedRequest;
  readonly kinds: Kinds;
  readonly nowMs: number;
}

/** A request that the server remembers, with its causes when it is opened. */
export const ExplainedRequestLine = ({ request, kinds, nowMs }: ExplainedRequestLineProps) => (
  <details>
    <summary>
      <Ago ms={Date.parse(request.receivedAt) || 0} nowMs={nowMs} /> <strong>{request.code}</strong>
      {` ${request.method} ${request.target} by ${request.user}, ${Math.round(request.durationMs)} ms`}
    </summary>
    <p class="quiet">{`Audit id ${request.auditId}`}</p>
    <Causes {...{ kinds }} causes={request.causes} />
  </details>
);
