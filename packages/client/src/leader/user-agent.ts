import { type Fence, formatFence, parseFence } from '@orch/machinery';

/** The suffix of the user agent of a leader. */
export const userAgentSuffix = (fence: Fence): string => ` (leader=${formatFence(fence)})`;

/** The leadership in a user agent, such as that of an audit event. */
export function fenceInUserAgent(userAgent: string): Fence | undefined {
  const found = / \(leader=([^ ()]{1,1024})\)$/.exec(userAgent);
  return found?.[1] === undefined ? undefined : parseFence(found[1]);
}
