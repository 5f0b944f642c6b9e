import type { kinds } from '@orch/client';
import { asObjects, asText, statusOf } from '@orch/machinery/json';
import type { Io } from '../../io.ts';
import { columnText } from '../../print/columns.ts';
import { ruleRows, ruleTitles } from '../../resources/policy-rules.ts';
import { createReview } from '../../session/create-review.ts';
import type { Session } from '../../session/session.ts';

/** Prints the rules of the user in the namespace of the session, one row for each resource and name. */
export async function listRules(
  session: Session,
  io: Io,
  { hasHeader, signal }: { readonly hasHeader: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const spec = { namespace: session.namespace };
  const review = { group: 'authorization', kind: 'SelfSubjectRulesReview', spec } as const;
  const status = statusOf(await createReview(session, review, signal));
  if (status['incomplete'] === true)
    io.err.write(`warning: the list may be incomplete: ${asText(status['evaluationError'])}\n`);
  const rules = [...asObjects(status['resourceRules']), ...asObjects(status['nonResourceRules'])];
  const rows = ruleRows(rules as unknown as readonly kinds.rbac.PolicyRule[]);
  io.out.write(columnText(hasHeader ? [ruleTitles, ...rows] : rows));
  return 0;
}
