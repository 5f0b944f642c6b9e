import { type Fence, formatFence, parseFence } from '@orch/machinery';

/** What the user agent of a leader ends with. */
export const userAgentSuffix = (fence: Fence): string => ` (leader=${formatFence(fence)})`;

/** The leadership that a user agent tells of, as audit events have it. */
export function fenceInUserAgent(userAgent: string): Fence | undefined {
  const found = / \(leader=([^ ()]{1,1024})\)$/.exec(userAgent);
  return found?.[1] === undefined ? undefined : parseFence(found[1]);
}
