import type { Exchange } from '../exchange.ts';
import { compareBodyRequests } from './body-requests.ts';
import { compareDefinitionRequests } from './definition-requests.ts';
import { compareDeleteRequests } from './delete-requests.ts';
import { compareEscalationRequests } from './escalation-requests.ts';
import { compareListRequests } from './list-requests.ts';
import { comparePatchRequests } from './patch-requests.ts';
import { comparePolicyRequests } from './policy-requests.ts';
import { compareSubresourceRequests } from './subresource-requests.ts';

interface RandomCount {
  readonly count: number;
  readonly seed: number;
}

/** Groups of odd requests by their names. */
export const requestGroups: Readonly<
  Record<string, (exchange: Exchange, random: RandomCount) => Promise<void>>
> = {
  lists: compareListRequests,
  bodies: compareBodyRequests,
  patches: comparePatchRequests,
  subresources: compareSubresourceRequests,
  deletions: compareDeleteRequests,
  escalation: compareEscalationRequests,
  definitions: compareDefinitionRequests,
  policies: comparePolicyRequests,
};
